// Comparing leads in the store's contract: what is read of stored ones, and what the matcher keeps.
import type { LearnedLoss, MatchedLead, PairDecision, PairEvidence, PairReason, Pass } from "./duplicates.ts"

/** What comparing a lead with stored ones reads. */
export interface MatchReads {
  /** Up to `most` leads for each key; where a key has as many, there may be none. */
  members(account: number, keys: readonly number[], most: number): Promise<Map<number, number[]>>
  /** How many leads have each term; those that the index lacks are missing. */
  counts(account: number, terms: readonly number[]): Promise<Map<number, number>>
  /** The rows of leads by which pairs are bounded, in an engine that keeps them. */
  rows?(account: number, refs: readonly number[]): Promise<Map<number, Int32Array>>
  /** The existing ones of these leads, in any order. */
  leads(account: number, refs: readonly number[]): Promise<{ ref: number; id: string; lead: MatchedLead }[]>
}

interface QueuedLead {
  ref: number
  /** A counter of the lead's changes. */
  turn: number
  /** The indexed state; null for a lead that is not indexed, or where entries tell what it has. */
  before: MatchedLead | null
}

export interface MatchProbe {
  key: number
  /** How telling a shared key is: up to 127. */
  weight: number
  /** False for a key that only others are kept under. */
  isOwn: boolean
}

/** Features of a lead, kept so that it can be compared without its document. */
export interface MatchEntries {
  row: Int32Array
  probes: readonly MatchProbe[]
  terms: readonly number[]
}

export interface IndexUpdate {
  ref: number
  /** The queue's counter; undefined during a full scan. */
  turn: number | undefined
  /** All keys that the lead has now. */
  keys: readonly number[]
  dropTerms: readonly number[]
  addTerms: readonly number[]
  /** Undefined for a deleted lead, and for one that cannot be compared. */
  entries: MatchEntries | undefined
  isThere: boolean
}

/** A detected pair, by references. */
export interface FoundPair {
  other: number
  probability: number
  reasons: readonly PairReason[]
  evidence: PairEvidence
}

/** The result of comparing a lead: compared leads that are not listed form no pair with it. */
export interface Compared {
  ref: number
  found: readonly FoundPair[]
  /** Partners whose open pairs are removed. */
  lost: readonly number[]
}

export interface PassPlace {
  kind: Pass
  /** The engine's own position. */
  place: string | null
  /** Leads that are done with this result. */
  done: number
  isOver: boolean
}

/** A part of an index, with complete keys or terms in their order. */
export interface IndexPart<T> {
  rows: T[]
  /** Start of the next part; undefined after the last one. */
  next: number | undefined
}

export interface KeptEntries {
  entries(account: number, ref: number): MatchEntries | undefined
  /** The rows of leads; undefined for those that have none. */
  rows(account: number, refs: readonly number[]): (Int32Array | undefined)[]
  /** Leads that have a term. */
  count(account: number, term: number): number
  /** Another number than before once another process may have written entries. */
  age(): number
  /** Whether results change no pair, so that keeping them waits for no write of the main thread, as entries never do. */
  areQuiet(results: readonly Compared[]): boolean
  /** Gives back memory that is filled again by what is read next. */
  shrink(): void
}

/**
 * The matcher's store on its thread: reads run at any time, writes while the store lends it the writer. Each write is
 * one transaction that also removes its leads from the queue.
 */
export interface MatchingStore extends Omit<MatchReads, "rows"> {
  /** Accounts with queued leads that no other process is working on. */
  accounts(): Promise<number[]>
  /** Leads to index, oldest first. */
  queued(account: number, most: number): Promise<QueuedLead[]>
  /** Leads to compare, oldest first. */
  due(account: number, most: number): Promise<number[]>
  pass(account: number): Promise<Pick<PassPlace, "kind" | "place"> | undefined>
  /** The next leads of the scan, fewer than requested at its end: leads with nearby positions come together. */
  passLeads(
    account: number,
    pass: Pick<PassPlace, "kind" | "place">,
    most: number,
  ): Promise<{ refs: number[]; place: string | null }>
  /** Keys that at least `least` leads share, with up to `most` of them. */
  sharedKeys(
    account: number,
    after: number | undefined,
    most: number,
    least: 1 | 2,
  ): Promise<IndexPart<{ key: number; refs: number[] }>>
  /** Terms that at least `least` leads share. */
  sharedTerms(
    account: number,
    after: number | undefined,
    least: 1 | 2,
  ): Promise<IndexPart<{ term: number; leads: number }>>
  /** Where an engine keeps entries of leads: pairs are then bounded by their rows before a document is read. */
  kept?: KeptEntries | undefined
  /** The oldest other lead with the same name and city, of those leads that have one. */
  twins(account: number, refs: readonly number[]): Promise<Map<number, number>>
  leadCount(account: number): Promise<number>
  /** The other leads of leads' pairs, open and dismissed, of those leads that have any. */
  partners(account: number, refs: readonly number[]): Promise<Map<number, number[]>>
  /** The learned weights; null for the built-in ones. */
  weights(account: number): Promise<Record<string, number> | null>
  /** The latest decisions, once there are enough new ones to learn again; none while learning is off. */
  toLearn(account: number, most: number): Promise<{ decided: number; decisions: PairDecision[] } | undefined>
  /** Pairs with their evidence, in the order of their handles. */
  evidence(account: number, after: number, most: number): Promise<{ ref: number; evidence: PairEvidence }[]>
  weigh(account: number, pairs: readonly { ref: number; probability: number }[]): Promise<void>
  learned(account: number, decided: number): Promise<void>
  setWeights(account: number, weights: Record<string, number> | null, loss: LearnedLoss | null): Promise<void>
  index(account: number, updates: readonly IndexUpdate[], pass?: PassPlace): Promise<void>
  /** Deletes up to `most` entries of an index of another version; the first call starts the scan. */
  clear(account: number, most: number): Promise<void>
  /** Starts a full scan when the account has grown many times over since the last one. */
  passIfGrown(account: number): Promise<void>
  /** `at` in Unix seconds. */
  compared(account: number, results: readonly Compared[], at: number, pass?: PassPlace): Promise<void>
  close(): Promise<void> | void
}
