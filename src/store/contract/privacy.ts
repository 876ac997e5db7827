// Rules of retention and the record of erasures in the store's contract. Every time is in Unix seconds.
import type { Position } from "./leads.ts"

export interface RetentionRule {
  id: string
  name: string
  /** Filters in the API's syntax. */
  filter: string[]
  /** How long a lead is kept that is not touched: one of the two. */
  months: number | null
  days: number | null
  /** Days for which leads are shown before they are erased. */
  notice_days: number
  /** When the rule as it is was first shown: nothing is erased until `notice_days` after it. */
  noticed_at: number
  created_at: number
  updated_at: number
}
/** How long services have run on the database. */
export interface RunningTime {
  /** Stretches without a stop or a jump: seconds that had run at their beginning, and its wall time. */
  stretches: readonly (readonly [ran: number, wall: number])[]
  /** Seconds that have run, and the wall time then. */
  ran: number
  wall: number
}
export interface RetentionReads {
  /** Undefined before the first beat. */
  runningTime(): Promise<RunningTime | undefined>
  /** Oldest first. */
  list(account: number): Promise<RetentionRule[]>
  find(account: number, id: string): Promise<RetentionRule | undefined>
}
export interface RetentionWrites {
  keepRunningTime(time: RunningTime): Promise<void>
  insert(account: number, rule: RetentionRule): Promise<void>
  update(account: number, rule: RetentionRule): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Claims a rule for one process until `until`; false while another has it. */
  lease(account: number, id: string, now: number, until: number): Promise<boolean>
  release(account: number, id: string): Promise<void>
}

export const ERASURE_REASONS = ["request", "retention"] as const
export type ErasureReason = (typeof ERASURE_REASONS)[number]

/** Leads that were erased for one reason, without anything about them. */
export interface ErasureRow {
  id: string
  reason: ErasureReason
  /** The rule of retention, as it was called. */
  rule_id: string | null
  rule_name: string | null
  count: number
  actor_id: string | null
  key_id: string | null
  created_at: number
}
export interface ErasureReads {
  /** Newest first; `next` is the position of the next page. */
  list(
    account: number,
    page: { after?: Position | undefined; limit: number },
  ): Promise<{ erasures: ErasureRow[]; next: Position | undefined }>
}
export interface ErasureWrites {
  /** Records erased leads, or adds them to the record of this id. */
  record(account: number, erasure: ErasureRow): Promise<void>
}
