// Leads in the store's contract.
import type { GroupFigure, GroupKey, GroupValue, LeadGroup } from "../../core/group-query.ts"
import type { Activity, AttributeType, LeadData, Status } from "../../core/lead.ts"
import type { LeadKeys } from "../../core/lead-keys.ts"
import type { LeadFilter, LeadSort, WordsCondition } from "../../core/lead-query.ts"

/** A lead as the engine keeps it. What it is made into is made when it is asked for. */
export interface StoredLead {
  readonly activity: Activity
  readonly score: number
  /** Bytes that `writeJson` takes at most. */
  readonly room: number
  /** What is kept of it besides its activity and its score; a new object each time. */
  data(): LeadData
  /** The JSON text of the whole lead, with the members of `more` behind its own. */
  json(more?: object): string
  /** Writes the JSON text of the whole lead at a place, as UTF-8. Returns where it ends. */
  writeJson(out: Buffer, at: number): number
}

/** A lead that is there to be changed. */
export interface LeadRow extends StoredLead {
  /** The engine's handle of the row. */
  readonly ref: number
  /** Differs after every change of the lead or its score. */
  readonly version: number
}

/** Leads that a pushed one may repeat. */
export interface Candidates {
  /** The one with the same email. */
  email: LeadRow | undefined
  /** The one with the same source_id. */
  source_id: LeadRow | undefined
  /** Which of both it is found by only as those of a lead that was merged into it. */
  aliases: { email: boolean; source_id: boolean }
  /** Those with the same phone: the same number, or the same key where not both numbers are known; the oldest first; of many the oldest and the newest 100. Not looked for where one of the above was found. */
  phone: { ref: number; name: string }[]
  /** The oldest with the same name and city. Not looked for either. */
  nameAndCity: { id: string } | undefined
}

/** A place in a list: behind which row the next page begins. What is in it is the engine's own. */
export type Position = string

export interface LeadQuery {
  filter: LeadFilter
  sort: LeadSort
  /** From a page of the same account, filter and sort. */
  after?: Position | undefined
  limit: number
}

/** One page; `next` is where the next one begins, undefined when there is none. */
export interface LeadPage {
  rows: StoredLead[]
  next: Position | undefined
}

/** Lines of CSV that an engine copies out of what it keeps: a few times as fast as to make them of objects. */
export interface PlainLines {
  /** How many bytes the lead's line takes at most. */
  room(lead: StoredLead): number
  /** Writes the lead's line, ended by LF, and returns where it ends; -1 for one that has something to escape. */
  write(lead: StoredLead, out: Buffer, at: number): number
}

export interface LeadStats {
  total: number
  by_status: Record<Status, number>
  /** The commonest thousand, as they are written on the oldest lead that has them. */
  by_source: Record<string, number>
  /** Hot is 70 and more, warm 40 and more. */
  score: {
    average: number | null
    min: number | null
    max: number | null
    hot: number
    warm: number
    cold: number
  }
  with_email: number
  with_phone: number
  created_last_7_days: number
  created_last_30_days: number
}

export interface CataloguedAttribute {
  name: string
  type: AttributeType
  leads: number
  /** Of numbers. */
  min?: number
  max?: number
  /** The commonest texts or items, most first, as the oldest lead writes them; none where nearly each lead has another. */
  values?: { value: string; count: number }[]
}

export interface LeadReads {
  find(account: number, id: string): Promise<LeadRow | undefined>
  /**
   * For engines that are far away, in a transaction: reads these leads at once, so that to `find` one takes no way there
   * until it is written. Those that were read ahead before are forgotten.
   */
  readAhead?(account: number, ids: readonly string[]): Promise<void>
  findByRef(account: number, ref: number): Promise<LeadRow | undefined>
  /** The candidates of each pushed lead, in order; the domain decides which of them it repeats. */
  findDuplicates(account: number, pushed: readonly LeadKeys[]): Promise<Candidates[]>
  list(account: number, query: LeadQuery): Promise<LeadPage>
  /** All matching leads in order, some hundred at a time, each as it is when its turn has come. */
  walk(account: number, query: Pick<LeadQuery, "filter" | "sort">): AsyncGenerator<StoredLead[]>
  /**
   * For exports, where the engine has a quick way: lines with these fields and then the attributes of these names. Lists
   * are joined by `|`, and what may be taken for a formula counts as something to escape.
   */
  /** `dateText` writes times, which are Unix seconds without it. */
  plainLines?(
    fields: readonly string[],
    attributeNames: readonly string[],
    dateText?: (seconds: number) => string,
  ): PlainLines
  /** The ids of matching leads. */
  ids(account: number, filter: LeadFilter): Promise<string[]>
  /** Matching leads. */
  count(account: number, filter: LeadFilter): Promise<number>
  /** Matching leads by what they have in common. Throws `bad_request` when there are more than 200,000 groups. */
  groups(
    account: number,
    filter: LeadFilter,
    keys: readonly GroupKey[],
    figures: readonly GroupFigure[],
  ): Promise<LeadGroup[]>
  /** A group's values as they are written on the oldest of its leads; as they are where it is gone. */
  writtenValues(account: number, keys: readonly GroupKey[], group: LeadGroup): Promise<GroupValue[]>
  /** Whether any lead has the words. */
  hasWords(account: number, words: WordsCondition): Promise<boolean>
  /** Words of the account's leads and notes, folded: among them those that differ from a word in one place or two. */
  wordsLike(account: number, word: string): Promise<string[]>
  /** Attribute names of matching leads, sorted. */
  attributeNames(account: number, filter: LeadFilter): Promise<string[]>
  /** The attributes that leads have, by name and type, most leads first: those of the first 1,000 names. */
  attributeCatalogue(account: number): Promise<CataloguedAttribute[]>
  /** Whether any lead has an attribute of this name. */
  hasAttribute(account: number, name: string): Promise<boolean>
  stats(account: number, now: number): Promise<LeadStats>
  /** The commonest values, most first, as they are written on the oldest lead that has them. */
  commonest(
    account: number,
    field: "category" | "city",
    limit: number,
  ): Promise<{ value: string; count: number }[]>
}
export interface LeadWrites {
  /**
   * Looks for the candidates of many pushed leads at once, in place of those of the last call: `findDuplicates` of one of
   * these values then answers from memory, unless a lead written since may be among them.
   */
  prefetchDuplicates(account: number, all: readonly LeadKeys[]): Promise<void>
  /**
   * `keys` are the lead's, where they are known. Throws AppError `conflict` "Duplicate email" or "Duplicate source_id";
   * with keys whose candidates were prefetched, a store may write later in the transaction, and throw then.
   */
  insert(account: number, lead: LeadData, score: number, keys?: LeadKeys): Promise<LeadRow>
  /** Returns the row as it now is. Throws as insert does. */
  replace(account: number, row: LeadRow, before: LeadData, after: LeadData, score: number): Promise<LeadRow>
  remove(account: number, row: LeadRow, lead: LeadData): Promise<void>
  /** When the status of a lead became contacted last, whatever was noted since. */
  contactOf(account: number, row: LeadRow): Promise<number | null>
  /** Writes when the status of a lead became contacted last. Returns the row as it now is. */
  setContacted(account: number, row: LeadRow, at: number | null): Promise<LeadRow>
  /** Writes a score where the lead's version is still the one given; false when it is not. */
  setScore(account: number, ref: number, version: number, score: number): Promise<boolean>
}
