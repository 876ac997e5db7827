// What comparing a lead that is not stored with stored ones reads, in the store's contract.
import type { MatchedLead } from "./duplicates.ts"

export interface MatchReads {
  /** Up to `most` leads that are kept under each key, by their references. */
  members(account: number, keys: readonly number[], most: number): Promise<Map<number, number[]>>
  /** How many leads have each term; those that the index lacks are missing. */
  counts(account: number, terms: readonly number[]): Promise<Map<number, number>>
  /** The rows of leads by which pairs are bounded, in an engine that keeps them. */
  rows?(account: number, refs: readonly number[]): Promise<Map<number, Int32Array>>
  leads(account: number, refs: readonly number[]): Promise<{ ref: number; id: string; lead: MatchedLead }[]>
}
