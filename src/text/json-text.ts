const utf8 = new TextDecoder()

/**
 * JSON that is already text. An operation whose answer comes out of the database rendered returns this, so that
 * REST sends it without parsing it again.
 */
export class JsonText {
  constructor(
    /** As text, or as its UTF-8. */
    readonly body: string | Uint8Array<ArrayBuffer>,
    /** The REST status when it is not the operation's usual one. */
    readonly status?: number,
  ) {}

  get text(): string {
    return typeof this.body === "string" ? this.body : utf8.decode(this.body)
  }
}

/** Server-sent events, until the client disconnects. */
export class EventStream {
  constructor(readonly stream: ReadableStream<Uint8Array>) {}
}

/** An answer to a tool about a file, which is made when a client reads it at `uri`. */
export class FileLink {
  constructor(
    readonly data: object,
    readonly uri: string,
    readonly fileName: string,
    readonly contentType: string,
    readonly open: () => Promise<Download>,
  ) {}
}

/** Bytes to be saved as a file: an export. */
export class Download {
  constructor(
    readonly contentType: string,
    readonly fileName: string,
    readonly stream: ReadableStream<Uint8Array>,
    /** How many leads have been read for it; all of them once the stream has ended. */
    readonly progress: { readonly leads: number },
  ) {}
}
