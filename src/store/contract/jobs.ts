// Jobs in the store's contract: long work in slices.
import type { Role } from "../../access/rights.ts"
import type { Json } from "../../lead/lead.ts"

export const JOB_STATES = ["waiting", "running", "done", "failed", "stopped"] as const
/** The kind of job that a restore leaves behind: it erases leads again. */
export const ERASE_AGAIN = "erase_again"

export type JobState = (typeof JOB_STATES)[number]

/** An item that failed while the job continued. */
export interface JobError {
  lead_id?: string
  message: string
}

/** A job in answers. Times are Unix seconds. */
export interface Job {
  id: string
  kind: string
  state: JobState
  /** Items done, and their total; null when unknown. */
  done: number
  of: number | null
  failed: number
  errors: JobError[]
  batch_id: string | null
  started_at: number | null
  ended_at: number | null
}

export interface JobInsert {
  id: string
  kind: string
  input: Json
  of: number | null
  batch_id: string | null
  import_id: string | null
  key_id: string
  actor_id: string
  role: Role
  created_at: number
}

/** A job that a worker has leased. */
export interface TakenJob extends JobInsert {
  /** The engine's reference of the row. */
  ref: number
  /** The account's key and public id. */
  account: number
  account_id: string
  /** The state of its last slice; null before the first. */
  progress: Json
  done: number
  failed: number
  errors: JobError[]
}

export interface JobUpdate {
  state: JobState
  progress: Json
  done: number
  of?: number | null | undefined
  failed: number
  errors: readonly JobError[]
  /** Unix seconds. */
  at: number
  /** Unix milliseconds: the end of this worker's lease. */
  until: number
}

export interface JobReads {
  /** Unfinished jobs, oldest first, at most `limit`. */
  unfinished(account: number, limit: number): Promise<Job[]>
  find(account: number, id: string): Promise<Job | undefined>
  /** Jobs without a lease at `now` (Unix milliseconds): the oldest of each account, oldest first. */
  open(now: number): Promise<{ ref: number; account: number }[]>
  /** The state that the job's last slice left; undefined before the first. */
  progress(account: number, id: string): Promise<Json | undefined>
  /** The inputs of all unfinished jobs of a kind, over all accounts. */
  inputs(kind: string): Promise<Json[]>
}
export interface JobWrites {
  insert(account: number, job: JobInsert): Promise<void>
  /** Forgets the ended jobs of an account beyond so many of its newest. */
  keepNewest(account: number, most: number): Promise<void>
  /** Bytes of the inputs of the account's unfinished jobs. */
  inputBytes(account: number): Promise<number>
  /** Leases a job; undefined when another worker was first. */
  take(ref: number, lease: { name: string; now: number; until: number }): Promise<TakenJob | undefined>
  /** Saves a slice's result. False when the lease was lost or the job was stopped: then nothing is written. */
  save(ref: number, lease: string, update: JobUpdate): Promise<boolean>
  /** Ends a job; false when it has already ended. */
  stop(account: number, id: string, at: number): Promise<boolean>
  /** Deletes some jobs that ended before this Unix second. */
  prune(before: number): Promise<void>
}
