// Duplicates in the store's contract: leads to compare, their index, and pairs.

import type { LeadFilter } from "../../filters/lead-query.ts"
import type { LeadData } from "../../lead/lead.ts"
import type { StoredLead } from "./leads.ts"

/** Fields that comparisons read besides attributes: other changes affect no pair. */
export const MATCHED_FIELDS = [
  ...(["name", "company", "email", "phone", "website", "linkedin_url", "address", "city"] as const),
  ...([
    "state",
    "country",
    "postal_code",
    "category",
    "job_title",
    "latitude",
    "longitude",
    "source",
    "source_id",
  ] as const),
] as const satisfies readonly (keyof LeadData)[]

export type MatchedLead = Pick<LeadData, (typeof MATCHED_FIELDS)[number] | "attributes">

export const PAIR_STATES = ["open", "dismissed", "merged"] as const
export type PairState = (typeof PAIR_STATES)[number]

export interface PairReason {
  field: string
  text: string
  bits: number
}

/** The features of a pair that learning uses. */
export type PairEvidence = Record<string, number>

export interface DuplicatePair {
  /** The engine's reference, which is part of the public id. */
  ref: number
  /** The older lead of the pair, and the newer one. */
  a: StoredLead
  b: StoredLead
  state: PairState
  probability: number
  reasons: PairReason[]
  /** Unix seconds. */
  created_at: number
}

/** The position of a page: pairs are sorted by probability, then newest first. */
export interface PairPlace {
  probability: number
  ref: number
}

export interface PairQuery {
  state: PairState
  least: number
  lead?: string | undefined
  /** Must match at least one of both leads. */
  filter: LeadFilter
  /** Only pairs that no person is to decide on. */
  isUnasked?: boolean | undefined
  after?: PairPlace | undefined
  limit: number
}

export interface PairPage {
  pairs: DuplicatePair[]
  next: PairPlace | undefined
}

/** An open pair without its leads; a and b are the engine's references. */
export interface PairLink {
  ref: number
  a: number
  b: number
  probability: number
}

/** Raised when the keys or terms of leads change: then all leads are indexed again. */
export const INDEX_VERSION = 6

/** The phases of a full scan: an index of an older version is cleared, all leads are indexed, then compared. */
export const PASSES = ["clear", "index", "compare"] as const
export type Pass = (typeof PASSES)[number]

export interface DuplicateStatus {
  /** Leads to compare; an upper estimate above 10,000. */
  waiting: number
  /** Open pairs above the first bound, and their numbers between each two bounds. */
  open: number
  byProbability: { from: number; pairs: number }[]
  pass?: { kind: Pass; left: number } | undefined
}

export interface MatchSettings {
  auto_merge_above: number | null
  learning: boolean
  /** Weights by feature; null while nothing was learned. */
  weights: Record<string, number> | null
}

/** The mean bits by which decisions surprise the shipped weights, and weights that the other decisions taught. */
export interface LearnedLoss {
  decisions: number
  shipped: number
  learned: number
}

export interface PairDecision {
  isSame: boolean
  probability: number
  evidence: PairEvidence
}

/** Leads that were asked about with one lead whose names are compared, the oldest: a millisecond of work. */
export const ASKED_MAX = 500

export interface DuplicateReads {
  isAnyWaiting(): Promise<boolean>
  /** `bounds` are ascending. */
  status(account: number, bounds: readonly number[]): Promise<DuplicateStatus>
  page(account: number, query: PairQuery): Promise<PairPage>
  pair(account: number, ref: number): Promise<DuplicatePair | undefined>
  /** Open pairs, most probable first. */
  links(
    account: number,
    query: Pick<PairQuery, "least" | "lead" | "filter" | "isUnasked">,
    most: number,
  ): Promise<PairLink[]>
  settings(account: number): Promise<MatchSettings>
  /** Null before there were enough decisions, and while learning is off. */
  loss(account: number): Promise<LearnedLoss | null>
  /** The latest decisions, oldest first. */
  decisions(account: number, most: number): Promise<PairDecision[]>
  /** Accounts with auto-merge on, with their thresholds. */
  autoMerging(): Promise<{ account: string; above: number }[]>
  merge(account: number, id: string): Promise<Merge | undefined>
  /** Merges into a lead that were not undone, latest first. */
  mergesInto(account: number, leadId: string): Promise<Merge[]>
  /**
   * Some of the merges that a lead was part of, also undone ones, the newest first; `next` is where to continue, undefined
   * at the end.
   */
  mergesWith(
    account: number,
    leadId: string,
    before?: number,
  ): Promise<{ merges: Merge[]; next: number | undefined }>
  aliases(account: number, lead: number): Promise<Alias[]>
  /** True when two leads were marked as different. */
  areDismissed(account: number, one: string, other: string): Promise<boolean>
  /** The lead of a folded name that `ask` opened a pair for with this one; by references. */
  askedNamesake(account: number, lead: number, name: string): Promise<number | undefined>
}

export interface DuplicateWrites {
  /** Marks a pair as different, for ever. */
  dismiss(account: number, pair: DuplicatePair, at: number): Promise<void>
  /** Opens a pair by references, which stays open until a person decides, whatever comparing finds. */
  ask(
    account: number,
    one: number,
    other: number,
    why: { probability: number; reasons: readonly PairReason[]; at: number },
  ): Promise<void>
  /** Like `dismiss`, by the leads' ids, with or without a pair. */
  dismissLeads(account: number, one: string, other: string, at: number): Promise<void>
  reopen(account: number, pair: DuplicatePair): Promise<void>
  /** Starts a full scan, unless one is running. */
  startPass(account: number): Promise<void>
  /** Returns the merge's reference. */
  addMerge(account: number, merge: Omit<Merge, "ref" | "undone_at">): Promise<number>
  /** Forgets merges by their references, with their pairs: they cannot be undone any more. */
  forgetMerges(account: number, refs: readonly number[]): Promise<void>
  keepMerge(account: number, merge: Pick<Merge, "ref" | "undone_at" | "data">): Promise<void>
  /**
   * Marks pairs as merged; leads that are different from a loser become different from the survivor. Called before
   * the losers are removed. Decisions by persons are used for learning.
   */
  mergePairs(
    account: number,
    merge: number,
    pairs: readonly MergedPair[],
    how: { at: number; isDecision: boolean },
  ): Promise<void>
  /**
   * Undoes `mergePairs`, by the leads' current references: they are marked as different when `areApart`, else their pairs
   * are open as before. What the merge taught is forgotten.
   */
  partPairs(
    account: number,
    merge: number,
    pairs: readonly { survivor: LeadRef; loser: LeadRef; was: number }[],
    how: { at: number; areApart: boolean },
  ): Promise<void>
  /** From now on lookups by these keys find the lead. */
  addAliases(account: number, lead: number, aliases: readonly Alias[]): Promise<void>
  dropAliases(account: number, lead: number, aliases: readonly Alias[]): Promise<void>
  change(
    account: number,
    settings: { [Name in keyof MatchSettings]?: MatchSettings[Name] | undefined },
  ): Promise<void>
}

export const ALIAS_KINDS = ["email", "source_id"] as const
/** A lookup key of a merged lead; emails are folded. */
export interface Alias {
  kind: (typeof ALIAS_KINDS)[number]
  value: string
}

export interface MergedLead {
  /** The loser's former reference. */
  ref: number
  data: LeadData
  score: number
  notes: string[]
  /** Ids, as of notes. Both are missing in records of older versions. */
  activities?: string[]
  contacted_at?: number | null
  aliases: Alias[]
}

export interface MergeData {
  before: LeadData
  after: LeadData
  score: number
  /** The survivor's last contact by status, before and after the merge; missing when it did not change. */
  contacted?: readonly [before: number | null, after: number]
  losers: MergedLead[]
  /** Keys that the survivor gained. */
  aliases: Alias[]
  /** The batch that undid it, and the one that then merged the leads again. */
  undone_by?: string
  redone_by?: string
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

/** A pair that is merged, with its probability in case it was not listed. */
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
