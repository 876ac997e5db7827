// Messages between the two threads. The worker reads the database and the network; the main thread writes, and
// lends that to the worker for the scores of a run.
import type { ScoredLeads } from "../domain/operation.ts"
import type { AttemptRecord, Lease } from "../store/contract/store.ts"
import type { Place } from "../store/open.ts"
import type { AddressPolicy } from "./net/address-guard.ts"
import type { Thrown } from "./thrown.ts"

export interface ScoringJob {
  account: number
  /** Unix seconds. */
  now: number
  /** Leads per notification; 0 without a listener. */
  tellMax: number
  /** The right to write the account's scores. */
  lease: string
}

/** Given to the worker when it is made. */
export interface WorkerSettings {
  /** The database, opened for reading. */
  place: Place
  /** Where webhooks may point. */
  policy: AddressPolicy
}

/** News of the sender, to be written in one transaction. Times are Unix milliseconds by its own clock. */
export interface DeliveryNews {
  now: number
  /** How far the wall clock was set back since the last news; 0 when it was not. */
  back: number
  attempts: AttemptRecord[]
  releases: Lease[]
  claims: { refs: number[]; lease: string; until: number }
}

export type ToWorker =
  | ({ type: "score"; run: number } & ScoringJob)
  /** To "turn", "tell" and "progress": the run may go on, or is to end. */
  | { type: "answer"; run: number; goOn: boolean }
  /** Deliveries of these webhooks may be due; none named: of any. */
  | { type: "wake"; webhooks: number[] }
  /** The claims granted after the last news; undefined when nothing could be written. */
  | { type: "written"; claimed: number[] | undefined }
  /** Leads were written: what is derived from them is to follow. */
  | { type: "index" }
  /** Leads wait to be compared. */
  | { type: "match" }
  /** To "matchTurn": the matcher may write, or is to end. */
  | { type: "matchAnswer"; goOn: boolean }
  | { type: "stop" }

export type FromWorker =
  /** A run has scores to write and waits for its turn; it says when that is over. */
  | { type: "turn"; run: number }
  | { type: "over"; run: number }
  | { type: "tell"; run: number; leads: ScoredLeads }
  /** How many leads a run has looked at; it waits to hear whether it may go on. */
  | { type: "progress"; run: number; count: number }
  | { type: "scored"; run: number; count: number; changed: number }
  | ({ type: "failed"; run: number } & Thrown)
  | { type: "news"; news: DeliveryNews }
  /** Everything that is derived from leads has followed them, or could not. */
  | { type: "indexed"; thrown?: Thrown | undefined }
  /** The matcher waits for its turn to write; it says when that is over. */
  | { type: "matchTurn" }
  | { type: "matchOver"; compared: number }
  /** No lead waits any more, unless another process works on it, or the matcher could not go on. */
  | { type: "matched"; worked: boolean; thrown?: Thrown | undefined }
  /** Something that must not happen did. */
  | ({ type: "defect" } & Thrown)
  | { type: "stopped" }
