// Jobs in the store's contract: work that takes longer than a request, done slice by slice.
import type { Role } from "../../core/access.ts"
import type { Json } from "../../core/lead.ts"

export const JOB_STATES = ["waiting", "running", "done", "failed", "stopped"] as const
export type JobState = (typeof JOB_STATES)[number]

/** Something that could not be done, while the rest went on. */
export interface JobError {
  lead_id?: string
  message: string
}

/** A job as clients see it. Times are Unix seconds. */
export interface Job {
  id: string
  kind: string
  state: JobState
  /** How much is done, and of how much; null when that is not known. */
  done: number
  of: number | null
  /** How much of what is done could not be. */
  failed: number
  /** The first of them. */
  errors: JobError[]
  batch_id: string | null
  started_at: number | null
  ended_at: number | null
}

export interface JobInsert {
  id: string
  kind: string
  /** What its kind needs to know. */
  input: Json
  of: number | null
  batch_id: string | null
  import_id: string | null
  /** For whom it works. */
  key_id: string
  actor_id: string
  role: Role
  created_at: number
}

/** A job that a worker has taken. */
export interface TakenJob extends JobInsert {
  /** The engine's handle of the row. */
  ref: number
  /** The account's key and public id. */
  account: number
  account_id: string
  /** What its last slice left; null before the first. */
  progress: Json
  done: number
  failed: number
  errors: JobError[]
}

/** What a slice has done. */
export interface JobUpdate {
  state: JobState
  progress: Json
  done: number
  of?: number | null | undefined
  failed: number
  errors: readonly JobError[]
  /** Unix seconds. */
  at: number
  /** Unix milliseconds: until when it is this worker's. */
  until: number
}

export interface JobReads {
  find(account: number, id: string): Promise<Job | undefined>
  /** Jobs that nobody works on at `now` (Unix milliseconds), the oldest of each account, oldest first. */
  open(now: number): Promise<{ ref: number; account: number }[]>
  /** What jobs of a kind that have not ended need to know, of all accounts. */
  inputs(kind: string): Promise<Json[]>
}
export interface JobWrites {
  insert(account: number, job: JobInsert): Promise<void>
  /** Takes a job that nobody works on; undefined when somebody else was first. */
  take(ref: number, lease: { name: string; now: number; until: number }): Promise<TakenJob | undefined>
  /** Writes down what a slice did. False when the job is no longer this worker's, or was stopped: nothing is written. */
  save(ref: number, lease: string, update: JobUpdate): Promise<boolean>
  /** Ends a job that has not ended; false when it has. */
  stop(account: number, id: string, at: number): Promise<boolean>
  /** Forgets jobs that ended before this Unix second, some at a time. */
  prune(before: number): Promise<void>
}
