// What a scoring run reads and writes, in the store's contract.

import type { Activity, LeadData } from "../../core/lead.ts"
import type { ScoreInput } from "../../expression/index.ts"
import type { ScoringRule } from "./rules.ts"
import type { Segment, SegmentMove } from "./segments.ts"

/** What rules read: names of standard fields and of attributes. */
export interface ScoringNeeds {
  fields: ReadonlySet<string>
  attributes: ReadonlySet<string>
}

/** What one lead brings to a scoring run, with at least the fields and attributes that were asked for. */
export type ScoringRow = ScoreInput & { ref: number; id?: string; version: number; stored: number }

/** A new score for a lead that was read at this version. */
export interface ScoreChange {
  ref: number
  version: number
  score: number
  /** Segments that the lead enters and leaves by it. */
  moves?: readonly SegmentMove[]
}

/** All that a segment may ask of a lead. */
export interface WholeLead {
  ref: number
  data: LeadData
  activity: Activity
  /** The newest first. */
  notes: string[]
  /** Ids of the imports that brought it. */
  imports: string[]
  /** The account's. */
  defaultCountry: string | null
}

/** What a scoring run works with on its thread: it reads beside everybody, and writes while the store lends it that. */
export interface ScoringStore {
  rules(account: number): Promise<ScoringRule[]>
  /** The segments of which somebody wants to hear who enters and leaves them. */
  heardSegments(account: number): Promise<Segment[]>
  wholeLeads(account: number, refs: readonly number[]): Promise<WholeLead[]>
  /** Leads in creation order, `size` at a time, with what `needs` names, and with their ids where asked for. */
  pages(
    account: number,
    needs: ScoringNeeds,
    shape: { size: number; ids: boolean },
  ): AsyncIterable<ScoringRow[]>
  /**
   * Writes scores in one transaction, each where the lead's version is still the one given, with its moves. Returns how many. Throws
   * where the account's lease (`RuleWrites.lease`) is not the one named: then nothing is written.
   */
  write(account: number, changes: readonly ScoreChange[], lease: string): Promise<number>
  close(): void
}
