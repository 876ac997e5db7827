// What the two threads say to each other. The worker reads the database and the network; only the main thread writes.
import type { ScoredPage } from "../core/operation.ts"
import type { AttemptRecord, Lease } from "../store/store.ts"
import type { AddressPolicy } from "./address-guard.ts"

/** Given to the worker when it is made. */
export interface WorkerSettings {
  /** The database file, opened for reading. */
  file: string
  /** Where webhooks may point. */
  policy: AddressPolicy
}

/** What the sender wants written, all in one transaction. Times are Unix milliseconds by its own clock. */
export interface DeliveryNews {
  now: number
  /** How far the wall clock was set back since the last news; 0 when it was not. */
  back: number
  attempts: AttemptRecord[]
  releases: Lease[]
  claims: { refs: number[]; lease: string; until: number }
}

export type ToWorker =
  | { type: "score"; run: number; account: number; now: number; wantsAll: boolean }
  | { type: "taken"; run: number }
  /** Deliveries of these webhooks may be due; none named: of any. */
  | { type: "wake"; webhooks: number[] }
  /** What became of the claims of the last news; undefined when nothing could be written. */
  | { type: "written"; claimed: number[] | undefined }
  | { type: "stop" }

export type FromWorker =
  | { type: "page"; run: number; page: ScoredPage }
  | { type: "scored"; run: number; count: number }
  | { type: "failed"; run: number; message: string; stack: string | undefined }
  | { type: "news"; news: DeliveryNews }
  /** Something that must not happen did. */
  | { type: "defect"; message: string; stack: string | undefined }
  | { type: "stopped" }
