// The audit trail: what happened to the leads of an account, in the order of commits.
import type { Activity, Lead, LeadData } from "../../core/lead.ts"
import type { Position } from "./leads.ts"
import type { Note } from "./notes.ts"

export const CHANGE_ACTIONS = ["created", "updated", "merged", "deleted"] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

/** A lead at one moment. */
export interface LeadState {
  data: LeadData
  /** None unless told. */
  activity?: Activity | undefined
  score: number
}

/** What belongs together: everything that one request, import or job did. */
export interface BatchRef {
  /** A UUID. */
  id: string
  import_id?: string | undefined
}

/** What a push said that went into another lead, beside what the change itself tells. An attribute is `attr:` and its name. */
export interface PushedFields {
  /** What the lead has as it was said, whether or not it had it before. */
  same: readonly string[]
  /** What was said otherwise, and not taken; of an attribute `{type, value}`. */
  rest: Readonly<Record<string, unknown>>
}

export interface ChangeInsert {
  lead_id: string
  action: ChangeAction
  /** The lead as it was and as it is now; null before it was there, and after it was deleted. */
  before: LeadState | null
  after: LeadState | null
  reason: string | null
  /** Who acted, and with which API key. */
  actor_id: string
  key_id: string | null
  /** Undefined for a change that stands alone. */
  batch?: BatchRef | undefined
  created_at: number
  /** Of a deleted lead. */
  notes?: readonly Note[] | undefined
  /** Of a deleted lead: when its status became contacted last, whatever was noted since. */
  contacted_at?: number | null | undefined
  /** Of a merged push. */
  pushed?: PushedFields | undefined
}

/** What a field was and what it became; an attribute's key is `attr:` and its name. */
export type ChangeDiff = Record<string, readonly [before: unknown, after: unknown]>

export interface ChangeRecord {
  /** Its place in the account's trail: later commits are at greater places, those of one commit in their order. */
  position: number
  id: string
  lead_id: string
  actor_id: string
  /** Null where it is not known: what was recorded by older versions. */
  key_id: string | null
  action: ChangeAction
  reason: string | null
  /** Shared by everything that was done together. */
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
  /** The name of a field that differs, or `attr:` and the name of an attribute. */
  field?: string | undefined
  batch_id?: string | undefined
  import_id?: string | undefined
  /** Ids of changes. */
  ids?: readonly string[] | undefined
  /** Unix seconds, both included. */
  since?: number | undefined
  until?: number | undefined
}
export interface ChangeQuery {
  filter: ChangeFilter
  descending: boolean
  /** Records behind this position in the order asked for; from the beginning of that order when undefined. */
  after: number | undefined
  /** Records up to this position only. */
  upTo?: number | undefined
  limit: number
}
export interface ChangePage<Change> {
  changes: Change[]
  /** Where to go on: behind the last record, or behind everything that was looked at. */
  position: number
  /** Whether there may be more: a page that looked at very many records ends before it is full. */
  more: boolean
}

export interface ChangeReads {
  /** Newest first. */
  list(account: number, leadId: string, limit: number): Promise<FullChange[]>
  page(account: number, query: ChangeQuery): Promise<ChangePage<FullChange>>
  /** The same without what changed. */
  records(account: number, query: ChangeQuery): Promise<ChangePage<ChangeRecord>>
  /** All changes of a lead from this position on, newest first. */
  since(account: number, leadId: string, position: number): Promise<FullChange[]>
  /**
   * For engines that are far away, in a transaction: reads all changes of these leads at once, so that to ask for them
   * takes no way there until another is recorded. Those that were read ahead before are forgotten.
   */
  readAhead?(account: number, wanted: readonly (readonly [leadId: string, position: number])[]): Promise<void>
  diffs(account: number, query: ChangeQuery): Promise<ChangePage<DiffChange>>
  /** The notes that a lead had when this change deleted it. */
  notesOf(account: number, position: number): Promise<Note[]>
  /** When the status of a lead had become contacted last that this change deleted. */
  contactedOf(account: number, position: number): Promise<number | null>
  /** What the push said that this change merged; undefined where that was not kept. */
  pushedOf(account: number, leadId: string, position: number): Promise<PushedFields | undefined>
  /** The position of the newest record, and the one before the oldest that is kept; 0 when there is none. */
  bounds(account: number): Promise<{ head: number; floor: number }>
  /** Another one after each restore: positions are good within one. */
  epoch(): Promise<string>
}
export interface ChangeWrites {
  record(account: number, change: ChangeInsert): Promise<void>
  /**
   * Takes out of the changes of a lead that is gone what they say of it, some at a time: its states, notes and what
   * differed, also what there is to take a merge of it back. That it was changed, when and by whom stays. Returns where
   * to go on, undefined when it is done; to do it again changes nothing.
   */
  erase(account: number, leadId: string, after?: Position): Promise<Position | undefined>
}

export interface ChangeWatch {
  /** True as soon as the trail may have grown since this began or was asked last; false when the time is over. */
  wait(milliseconds: number): Promise<boolean>
  /** Whoever still waits is told false. */
  end(): void
}

/** How long changes are kept. */
export interface TrailCare {
  /** Of every account, in seconds: 0 for ever, null as the service is set. */
  keeps(): Promise<{ account: number; keep: number | null }[]>
  setKeep(account: number, seconds: number | null): Promise<void>
  /**
   * Forgets some of the oldest changes, those that are older than so many seconds. True when there may be more. What
   * is younger still tells whole leads.
   */
  prune(account: number, keep: number, now: number): Promise<boolean>
}
