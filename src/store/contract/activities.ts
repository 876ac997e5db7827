// Calls, emails and meetings with leads in the store's contract. Every time is in Unix seconds.
import type { LeadRow, Position } from "./leads.ts"

export const ACTIVITY_KINDS = ["call", "email", "meeting", "other"] as const
export const OUTCOMES = ["reached", "no_answer", "voicemail", "declined", "booked"] as const

export interface LoggedActivity {
  id: string
  lead_id: string
  kind: (typeof ACTIVITY_KINDS)[number]
  outcome: (typeof OUTCOMES)[number] | null
  text: string | null
  at: number
  /** The actor, as the trail names it, and the member that it is; null for keys. */
  author: string
  member_id: string | null
  created_at: number
}

export type CountedBy = "member" | "kind" | "outcome" | "time"

/** How many there are that share what they are counted by; the rest is absent. */
export interface ActivityCount {
  member_id?: string | null
  author?: string
  kind?: string
  outcome?: string | null
  /** Quarters of an hour since 1970. */
  quarter?: number
  count: number
}

export interface LoggedReads {
  find(account: number, id: string): Promise<LoggedActivity | undefined>
  /** Newest first; all of them without a page. */
  list(
    account: number,
    lead: LeadRow,
    page?: { after: Position | undefined; limit: number },
  ): Promise<LoggedActivity[]>
  /** Counts those of a time, both ends included. */
  counts(
    account: number,
    asked: {
      by: readonly CountedBy[]
      kind?: LoggedActivity["kind"] | undefined
      since?: number | undefined
      until?: number | undefined
    },
  ): Promise<ActivityCount[]>
}
export interface LoggedWrites {
  /** The lead was contacted last at its time, unless it was later. */
  insert(account: number, lead: LeadRow, activity: LoggedActivity): Promise<void>
  remove(account: number, id: string): Promise<void>
}
