/** A file that a client sends, read while it comes: nothing of it is kept in memory. */
export class Upload {
  constructor(
    /** To be read once. Throws AppError `bad_request` when it breaks off, `too_large` past its limit. */
    readonly bytes: AsyncIterable<Uint8Array>,
    /** Without parameters, in lower case; undefined when the client did not say. */
    readonly contentType?: string,
    readonly fileName?: string,
    /** The bytes on disk, where they are: then any part can be read at any time. */
    readonly blob?: Blob,
    /** The bytes that the client announced, at least; undefined when it did not say. */
    readonly size?: number,
  ) {}
}
