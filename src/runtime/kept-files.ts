/** Files by the names under which they were kept; only their keeper reads them. */
export interface KeptFiles {
  /**
   * Resolves when the bytes are on disk. Room for the announced `size` is reserved before the first byte is taken: throws
   * AppError `storage_full` without it, and when the disk runs full.
   */
  keep(bytes: AsyncIterable<Uint8Array>, size?: number): Promise<string>
  /** Bytes that are free on the disk where they are kept. */
  free(): number
  open(name: string): Promise<Blob | undefined>
  remove(name: string): Promise<void>
  /** The names of those to which nothing was written since this time (Unix milliseconds). */
  olderThan(time: number): Promise<string[]>
}
