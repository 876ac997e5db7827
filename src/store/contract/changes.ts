// The audit trail: changes of an account's leads in commit order.
import type { Activity, Lead, LeadData } from "../../lead/lead.ts"
import type { LoggedActivity } from "./activities.ts"
import type { Note } from "./notes.ts"

export const CHANGE_ACTIONS = ["created", "updated", "merged", "deleted"] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

export interface LeadState {
  data: LeadData
  /** Optional; the default is no activity. */
  activity?: Activity | undefined
  score: number
}

/** A batch: all changes of one request, import or job. */
export interface BatchRef {
  id: string
  import_id?: string | undefined
}

/** The values of a merged push, beyond what the change itself records. An attribute is `attr:` and its name. */
export interface PushedFields {
  /** Pushed values that the lead has now, whether or not it had them before. */
  same: readonly string[]
  /** Pushed values that were not taken; an attribute's are `{type, value}`. */
  rest: Readonly<Record<string, unknown>>
}

/** What goes with a deleted lead beside its own data, and comes back with it. */
export interface LeftBehind {
  notes: Note[]
  activities: LoggedActivity[]
  /** Its last contact that is not among its activities. */
  contacted_at: number | null
}

export interface ChangeInsert {
  lead_id: string
  action: ChangeAction
  /** The lead before and after the change; null before it was created and after it was deleted. */
  before: LeadState | null
  after: LeadState | null
  reason: string | null
  /** The actor and its API key, as `trailKey` gives it. */
  actor_id: string
  key_id: string | null
  /** Undefined for a single change. */
  batch?: BatchRef | undefined
  created_at: number
  left?: LeftBehind | undefined
  pushed?: PushedFields | undefined
}

/** Fields before and after a change; an attribute's key is `attr:` and its name. */
export type ChangeDiff = Record<string, readonly [before: unknown, after: unknown]>

export interface ChangeRecord {
  /** Position in the account's trail, ascending in commit order. */
  position: number
  id: string
  lead_id: string
  actor_id: string
  /** Null for records of older versions. */
  key_id: string | null
  /** Whether the dashboard's proxy named the actor, by its secret. */
  is_proxied?: true
  action: ChangeAction
  reason: string | null
  batch_id: string
  import_id: string | null
  created_at: number
}
export interface FullChange extends ChangeRecord {
  before: Lead | null
  after: Lead | null
}
export interface DiffChange extends ChangeRecord {
  diff: ChangeDiff
}

export interface ChangeFilter {
  lead_id?: string | undefined
  action?: ChangeAction | undefined
  actor_id?: string | undefined
  key_id?: string | undefined
  /** A field that differs, or `attr:` and the name of an attribute. */
  field?: string | undefined
  batch_id?: string | undefined
  /** Batches of several changes that are left out. */
  without?: readonly string[] | undefined
  import_id?: string | undefined
  ids?: readonly string[] | undefined
  /** Unix seconds, both included. */
  since?: number | undefined
  until?: number | undefined
}
export interface ChangeQuery {
  filter: ChangeFilter
  descending: boolean
  /** Records after this position in the requested order; undefined for the first page. */
  after: number | undefined
  /** Records up to this position. */
  upTo?: number | undefined
  limit: number
}
export interface ChangePage<Change> {
  changes: Change[]
  /** The position to continue after: that of the last record, or of the last one examined. */
  position: number
  /** True when there may be more: a page that examined very many records ends before it is full. */
  more: boolean
}

export interface ChangeReads {
  /** Newest first. */
  list(account: number, leadId: string, limit: number): Promise<FullChange[]>
  page(account: number, query: ChangeQuery): Promise<ChangePage<FullChange>>
  /** Like `list` of changes, without states and differences. */
  records(account: number, query: ChangeQuery): Promise<ChangePage<ChangeRecord>>
  /** All changes of a lead from a position on, newest first. */
  since(account: number, leadId: string, position: number): Promise<FullChange[]>
  /**
   * Prefetches the changes of leads in a transaction, for remote engines: later reads need no round trip until the
   * next change is recorded. Replaces the previous prefetch.
   */
  readAhead?(account: number, wanted: readonly (readonly [leadId: string, position: number])[]): Promise<void>
  diffs(account: number, query: ChangeQuery): Promise<ChangePage<DiffChange>>
  /** What went with a lead at the change that deleted it. */
  leftBy(account: number, position: number): Promise<LeftBehind>
  /** The values of the push that this change merged; undefined where they were not recorded. */
  pushedOf(account: number, leadId: string, position: number): Promise<PushedFields | undefined>
  /** The positions of the newest record and of the one before the oldest; 0 for an empty trail. */
  bounds(account: number): Promise<{ head: number; floor: number }>
  /** The epoch changes with each restore: positions are valid within one epoch. */
  epoch(): Promise<string>
}
export interface ChangeWrites {
  record(account: number, change: ChangeInsert): Promise<void>
  /**
   * Erases a lead's data from some of its changes, of all or those of a range (positions, both included): states, notes and
   * differences. Time, actor and kind of the changes remain. True when there may be more; repeating it is harmless.
   */
  erase(account: number, leadId: string, range?: { from: number; to: number }): Promise<boolean>
}

export interface ChangeWatch {
  /** Resolves once what other processes write is heard of, or cannot be. */
  ready: Promise<void>
  /** True once the trail may have grown since the last call; false after the timeout. */
  wait(milliseconds: number): Promise<boolean>
  /** Whether something beside the trail has changed since the last call. */
  isTouched(): boolean
  /** Ends the wait with false. */
  end(): void
}

export interface TrailCare {
  /** The retention of every account in seconds: 0 for ever, null for the service's default. */
  keeps(): Promise<{ account: number; keep: number | null }[]>
  setKeep(account: number, seconds: number | null): Promise<void>
  /**
   * Deletes a batch of changes older than `keep` seconds. True when there may be more. Younger changes still show
   * whole leads.
   */
  prune(account: number, keep: number, now: number): Promise<boolean>
}
