// Duplicates in the store's contract: leads that wait to be compared, what they are found by, and pairs of them.
import type { LeadData } from "../../core/lead.ts"
import type { LeadFilter } from "../../core/lead-query.ts"
import type { StoredLead } from "./leads.ts"

/** What comparing reads of a lead, besides its attributes: a change of anything else changes no pair. */
export const MATCHED_FIELDS = [
  "name",
  "company",
  "email",
  "phone",
  "website",
  "linkedin_url",
  "address",
  "city",
  "state",
  "country",
  "postal_code",
  "category",
  "job_title",
  "latitude",
  "longitude",
  "source",
  "source_id",
] as const satisfies readonly (keyof LeadData)[]

export type MatchedLead = Pick<LeadData, (typeof MATCHED_FIELDS)[number] | "attributes">

export const PAIR_STATES = ["open", "dismissed", "merged"] as const
export type PairState = (typeof PAIR_STATES)[number]

export interface PairReason {
  field: string
  text: string
  bits: number
}

/** What learning needs of a pair. */
export type PairEvidence = Record<string, number>

export interface DuplicatePair {
  /** The engine's handle, which clients see as part of the id. */
  ref: number
  /** The lead that was stored first, and the other one. */
  a: StoredLead
  b: StoredLead
  state: PairState
  probability: number
  reasons: PairReason[]
  /** Unix seconds. */
  created_at: number
}

/** Behind which pair a page begins: the most probable come first, of equals the newest. */
export interface PairPlace {
  probability: number
  ref: number
}

export interface PairQuery {
  state: PairState
  /** Only pairs that are as probable. */
  least: number
  /** Only pairs of this lead. */
  lead?: string | undefined
  /** At least one of both leads matches. */
  filter: LeadFilter
  after?: PairPlace | undefined
  limit: number
}

export interface PairPage {
  pairs: DuplicatePair[]
  next: PairPlace | undefined
}

/** An open pair without its leads; a and b are the engine's handles. */
export interface PairLink {
  ref: number
  a: number
  b: number
  probability: number
}

/** Raised when leads get other keys or terms than before: then they are all indexed anew. */
export const INDEX_VERSION = 2

/** A pass over all leads: an index of an older version is cleared, they are indexed, then compared. */
export const PASSES = ["clear", "index", "compare"] as const
export type Pass = (typeof PASSES)[number]

export interface DuplicateStatus {
  /** Leads that have yet to be compared; of very many an estimate that is no less. */
  waiting: number
  /** Open pairs as probable as the first bound and more, and how many there are from each bound up to the next. */
  open: number
  byProbability: { from: number; pairs: number }[]
  pass?: { kind: Pass; left: number } | undefined
}

export interface MatchSettings {
  auto_merge_above: number | null
  learning: boolean
  /** By the names of what was found; null as long as nothing was learned. */
  weights: Record<string, number> | null
}

/** What somebody said of a pair. */
export interface PairDecision {
  isSame: boolean
  probability: number
  evidence: PairEvidence
}

export interface DuplicateReads {
  /** Whether any account has leads that wait. */
  isAnyWaiting(): Promise<boolean>
  /** `bounds` go up. */
  status(account: number, bounds: readonly number[]): Promise<DuplicateStatus>
  page(account: number, query: PairQuery): Promise<PairPage>
  pair(account: number, ref: number): Promise<DuplicatePair | undefined>
  /** Open pairs, the most probable first. */
  links(
    account: number,
    query: Pick<PairQuery, "least" | "lead" | "filter">,
    most: number,
  ): Promise<PairLink[]>
  settings(account: number): Promise<MatchSettings>
  /** The latest ones, the latest last. */
  decisions(account: number, most: number): Promise<PairDecision[]>
  /** Accounts, by their public ids, that merge by themselves what is as probable. */
  autoMerging(): Promise<{ account: string; above: number }[]>
  merge(account: number, id: string): Promise<Merge | undefined>
  /** Merges into a lead that were not undone, the latest first. */
  mergesInto(account: number, leadId: string): Promise<Merge[]>
  aliases(account: number, lead: number): Promise<Alias[]>
  /** Whether two leads, by their ids, were said not to be the same. */
  areDismissed(account: number, one: string, other: string): Promise<boolean>
}

export interface DuplicateWrites {
  /** Remembers for ever that the leads of a pair are not the same. */
  dismiss(account: number, pair: DuplicatePair, at: number): Promise<void>
  /** The same of two leads by their ids, where there may be no pair. */
  dismissLeads(account: number, one: string, other: string, at: number): Promise<void>
  /** Takes that back. */
  reopen(account: number, pair: DuplicatePair): Promise<void>
  /** Begins a pass that compares all leads again, unless one is under way. */
  startPass(account: number): Promise<void>
  /** Returns its handle. */
  addMerge(account: number, merge: Omit<Merge, "ref" | "undone_at">): Promise<number>
  endMerge(account: number, merge: number, at: number): Promise<void>
  /**
   * The pairs become merged ones, and what is not the same as a loser is not the same as the survivor. Before the losers
   * are removed. Weights learn from it when somebody decided it.
   */
  mergePairs(
    account: number,
    merge: number,
    pairs: readonly MergedPair[],
    how: { at: number; isDecision: boolean },
  ): Promise<void>
  /** Takes that back: the leads, with the handles that they have now, are said not to be the same. */
  partPairs(
    account: number,
    merge: number,
    pairs: readonly { survivor: LeadRef; loser: LeadRef; was: number }[],
    at: number,
  ): Promise<void>
  /** The lead is found by these from now on, whoever was before. */
  addAliases(account: number, lead: number, aliases: readonly Alias[]): Promise<void>
  dropAliases(account: number, lead: number, aliases: readonly Alias[]): Promise<void>
  change(
    account: number,
    settings: { [Name in keyof MatchSettings]?: MatchSettings[Name] | undefined },
  ): Promise<void>
}

export const ALIAS_KINDS = ["email", "source_id"] as const
/** What a lead is found by that it does not have itself: emails are folded. */
export interface Alias {
  kind: (typeof ALIAS_KINDS)[number]
  value: string
}

export interface MergedLead {
  /** The handle that it had. */
  ref: number
  data: LeadData
  score: number
  notes: string[]
  /** Left out by older versions. */
  contacted_at?: number | null
  aliases: Alias[]
}

/** What is needed to take a merge back. */
export interface MergeData {
  before: LeadData
  after: LeadData
  score: number
  /** When the survivor's status became contacted last, before and after it; left out where the merge did not move it. */
  contacted?: readonly [before: number | null, after: number]
  losers: MergedLead[]
  /** Those that the survivor got. */
  aliases: Alias[]
}

export interface Merge {
  /** The engine's handle. */
  ref: number
  id: string
  survivor_id: string
  data: MergeData
  /** Unix seconds. */
  created_at: number
  undone_at: number | null
}

/** A pair that becomes one lead; what is known of it where it was not listed. */
export interface MergedPair {
  survivor: LeadRef
  loser: LeadRef
  probability: number
  reasons: readonly PairReason[]
  evidence: PairEvidence
}

export interface LeadRef {
  ref: number
  id: string
}

/** A lead that was made, changed or deleted. */
export interface QueuedLead {
  ref: number
  /** Differs when the lead has changed once more. */
  turn: number
  /** What it is indexed as; null when it is not. */
  before: MatchedLead | null
}

/** What a lead is found by from now on. */
export interface IndexUpdate {
  ref: number
  /** Of the queue; undefined in a pass. */
  turn: number | undefined
  dropKeys: readonly number[]
  addKeys: readonly number[]
  dropTerms: readonly number[]
  addTerms: readonly number[]
  /** False for a lead that is gone. */
  isThere: boolean
}

/** A pair that was found; as handles. */
export interface FoundPair {
  other: number
  probability: number
  reasons: readonly PairReason[]
  evidence: PairEvidence
}

/** What comparing a lead came to: of those that it was compared with, the others are no pairs of it. */
export interface Compared {
  ref: number
  found: readonly FoundPair[]
  /** Partners of open pairs that are none any more. */
  lost: readonly number[]
}

export interface PassPlace {
  kind: Pass
  /** As the engine gave it. */
  place: string | null
  /** Leads of the pass that are done with this. */
  done: number
  isOver: boolean
}

/** Whole keys, or terms, in their order. */
export interface IndexPart<T> {
  rows: T[]
  /** Where the next part begins; undefined after the last one. */
  next: number | undefined
}

/**
 * What the matcher works with on its thread: it reads beside everybody, and writes while the store lends it that. Each
 * write is one transaction that also takes its leads out of what waits.
 */
export interface MatchingStore {
  /** Accounts with leads that wait, and that no other process works on. */
  accounts(): Promise<number[]>
  /** Leads that wait to be indexed, the oldest first. */
  queued(account: number, most: number): Promise<QueuedLead[]>
  /** Leads that wait to be compared, the oldest first. */
  due(account: number, most: number): Promise<number[]>
  pass(account: number): Promise<Pick<PassPlace, "kind" | "place"> | undefined>
  /** The next leads of the pass, fewer than asked for at its end: leads that are alike in place near each other. */
  passLeads(
    account: number,
    pass: Pick<PassPlace, "kind" | "place">,
    most: number,
  ): Promise<{ refs: number[]; place: string | null }>
  /** Keys that two to `most` leads have, with those leads. */
  sharedKeys(
    account: number,
    after: number | undefined,
    most: number,
  ): Promise<IndexPart<{ key: number; refs: number[] }>>
  /** Terms of two and more leads. */
  sharedTerms(account: number, after: number | undefined): Promise<IndexPart<{ term: number; leads: number }>>
  /** Those that are there. */
  leads(account: number, refs: readonly number[]): Promise<{ ref: number; lead: MatchedLead }[]>
  /** The oldest lead with the same name and city, where that is another. */
  twin(account: number, ref: number): Promise<number | undefined>
  /** For each key at most so many leads that have it. */
  members(account: number, keys: readonly number[], most: number): Promise<number[][]>
  /** In how many leads each term is. */
  counts(account: number, terms: readonly number[]): Promise<number[]>
  leadCount(account: number): Promise<number>
  /** The other leads of a lead's pairs, open and dismissed. */
  partners(account: number, ref: number): Promise<number[]>
  /** What was learned; null for the shipped weights. */
  weights(account: number): Promise<Record<string, number> | null>
  /** The latest decisions, where there are so many new ones that weights should be learned anew; none when they are off. */
  toLearn(account: number, most: number): Promise<{ decided: number; decisions: PairDecision[] } | undefined>
  /** Pairs with their evidence, in the order of their handles. */
  evidence(account: number, after: number, most: number): Promise<{ ref: number; evidence: PairEvidence }[]>
  /** New probabilities of pairs. */
  weigh(account: number, pairs: readonly { ref: number; probability: number }[]): Promise<void>
  learned(account: number, decided: number): Promise<void>
  setWeights(account: number, weights: Record<string, number> | null): Promise<void>
  index(account: number, updates: readonly IndexUpdate[], pass?: PassPlace): Promise<void>
  /** Takes up to `most` entries out of an index of another version; begins the pass at the first call. */
  clear(account: number, most: number): Promise<void>
  /** Begins a pass that compares all leads again when there are many times as many as at the last one. */
  passIfGrown(account: number): Promise<void>
  /** `at` in Unix seconds. */
  compared(account: number, results: readonly Compared[], at: number, pass?: PassPlace): Promise<void>
  /** Resolves when nothing of it is held any more. */
  close(): Promise<void> | void
}
