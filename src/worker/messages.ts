// What the two threads say to each other. The worker reads the database and the network; only the main thread writes.
import type { ScoredPage } from "../core/operation.ts"

/** Given to the worker when it is made. */
export interface WorkerSettings {
  /** The database file, opened for reading. */
  file: string
}

export type ToWorker =
  | { type: "score"; run: number; account: number; now: number; wantsAll: boolean }
  | { type: "taken"; run: number }
  | { type: "stop" }

export type FromWorker =
  | { type: "page"; run: number; page: ScoredPage }
  | { type: "scored"; run: number; count: number }
  | { type: "failed"; run: number; message: string; stack: string | undefined }
  | { type: "stopped" }
