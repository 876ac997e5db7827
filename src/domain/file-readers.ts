// Processes that read files of clients: whatever a file does to its reader, the thread that answers requests goes on.
import type { Json } from "../lead/lead.ts"

/** A process of its own for one file at a time. */
export interface FileReader {
  /** Sends a message; what the reader answers comes out of `next`. */
  send(message: Json): void
  /** Hands over bytes of the file; resolves when the reader takes more. */
  write(bytes: Uint8Array): Promise<void>
  /**
   * The reader's next message. Throws AppError `file_too_costly` once the reader took more time or memory than a file of
   * this size may, or when its process ended by itself.
   */
  next(): Promise<unknown>
  /** Says how many bytes the file has had so far, which its time is measured by. */
  grown(bytes: number): void
  /** Says whether the client is being waited for, which is no silence of the reader. */
  waitsForClient(isWaiting: boolean): void
  /** Gives the process back. `isDone` where it has come to the end of its file; else it is ended. */
  close(isDone: boolean): void
  /** A folder of the reader's own for what it unpacks. */
  readonly folder: string
}

export interface FileReaders {
  /** A reader for an account's file; waits while the account, or all together, have as many as they may. */
  take(account: number): Promise<FileReader>
  /** Ends all readers. */
  close(): void
}
