// The scoring run's reads and writes, in the store's contract.

import type { ScoreInput } from "../../expression/index.ts"
import type { Activity, LeadData } from "../../lead/lead.ts"
import type { ScoringRule } from "./rules.ts"
import type { Segment, SegmentTransition } from "./segments.ts"

/** The standard fields and attributes that rules read. */
export interface ScoringNeeds {
  fields: ReadonlySet<string>
  attributes: ReadonlySet<string>
}

/** A lead in a scoring run, with at least the requested fields and attributes. */
export type ScoringRow = ScoreInput & { ref: number; id?: string; version: number; stored: number }

/** A new score for a lead at the version that was read. */
export interface ScoreChange {
  ref: number
  version: number
  score: number
  /** Segments that the lead enters and leaves with this score. */
  transitions?: readonly SegmentTransition[]
}

/** All data that a segment may filter by. */
export interface WholeLead {
  ref: number
  data: LeadData
  activity: Activity
  /** Newest first. */
  notes: string[]
  imports: string[]
  defaultCountry: string | null
  isSuppressed: boolean
}

/** The scoring run's store on its thread: reads run at any time, writes while the store lends it the writer. */
export interface ScoringStore {
  rules(account: number): Promise<ScoringRule[]>
  /** The segments with webhook subscribers. */
  watchedSegments(account: number): Promise<Segment[]>
  timeZone(account: number): Promise<string>
  wholeLeads(account: number, refs: readonly number[]): Promise<WholeLead[]>
  /** Leads in creation order, `size` at a time, with the fields in `needs`, and with ids on request. */
  pages(
    account: number,
    needs: ScoringNeeds,
    shape: { size: number; ids: boolean },
  ): AsyncIterable<ScoringRow[]>
  /**
   * Writes scores in one transaction, each for a lead that still has the given version, with its transitions. Returns their
   * number. Throws, without writing, when the account's lease (`RuleWrites.lease`) is another one.
   */
  write(account: number, changes: readonly ScoreChange[], lease: string): Promise<number>
  close(): void
}
