// Leads in the store's contract.

import type { LeadFilter, LeadSort, WordsCondition } from "../../filters/lead-query.ts"
import type { GroupFigure, GroupKey, GroupValue, LeadGroup } from "../../lead/group-query.ts"
import type { Activity, AttributeType, LeadData, Status } from "../../lead/lead.ts"
import type { LeadKeys } from "../../lead/lead-keys.ts"

/** A stored lead. Its representations are built on request. */
export interface StoredLead {
  readonly activity: Activity
  /** The latest push, change, note or contact, in Unix seconds. */
  readonly lastTouchedAt: number
  readonly score: number
  /** Upper bound of the bytes that `writeJson` writes. */
  readonly room: number
  /** The stored data without activity and score; a new object each time. */
  data(): LeadData
  /** The JSON text of the whole lead, with the members of `more` at its end. */
  json(more?: object): string
  /** Writes the JSON text of the whole lead at an offset, as UTF-8. Returns the end. */
  writeJson(out: Buffer, at: number): number
}

/** A stored lead that can be changed. */
export interface LeadRow extends StoredLead {
  /** The engine's reference of the row. */
  readonly ref: number
  /** Changes with the lead and with its score. */
  readonly version: number
}

/** Stored leads that a pushed one may duplicate. */
export interface Candidates {
  email: LeadRow | undefined
  source_id: LeadRow | undefined
  /** True for a key that belongs to a lead which was merged into the candidate. */
  aliases: { email: boolean; source_id: boolean }
  /**
   * Leads with the same phone number, or the same key where a number is unknown; oldest first, at most the oldest and
   * the newest 100. Not searched after a match by email or source_id.
   */
  phone: { ref: number; name: string }[]
  /** The oldest lead with the same name and city. Not searched after such a match either. */
  nameAndCity: { id: string } | undefined
}

/** The position in a list that the next page starts after, in the engine's own format. */
export type Position = string

export interface LeadQuery {
  filter: LeadFilter
  sort: LeadSort
  /** From a page of the same account, filter and sort. */
  after?: Position | undefined
  limit: number
}

/** One page; `next` is the position of the next one, undefined at the end. */
export interface LeadPage {
  rows: StoredLead[]
  next: Position | undefined
}

/** CSV lines that an engine copies from its storage, several times as fast as from objects. */
export interface PlainLines {
  /** Upper bound of the bytes of a lead's line. */
  room(lead: StoredLead): number
  /** Writes the lead's line, ended by LF, and returns the end; -1 for a line that needs quotes. */
  write(lead: StoredLead, out: Buffer, at: number): number
}

export interface LeadStats {
  total: number
  by_status: Record<Status, number>
  /** The thousand most frequent sources, as the oldest lead spells them. */
  by_source: Record<string, number>
  /** Hot is 70 and more, warm is 40 and more. */
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
  /** Of numbers, and of dates in Unix seconds. */
  min?: number
  max?: number
  /** The most frequent texts or items, as the oldest lead spells them; none where almost every lead has another. */
  values?: { value: string; count: number }[]
}

export interface LeadReads {
  find(account: number, id: string): Promise<LeadRow | undefined>
  /**
   * Prefetches leads in a transaction, for remote engines: `find` needs no round trip until the lead is written.
   * Replaces the previous prefetch.
   */
  readAhead?(account: number, ids: readonly string[]): Promise<void>
  findByRef(account: number, ref: number): Promise<LeadRow | undefined>
  /** The candidates of each pushed lead, in order; the domain decides which one it duplicates. */
  findDuplicates(account: number, pushed: readonly LeadKeys[]): Promise<Candidates[]>
  list(account: number, query: LeadQuery): Promise<LeadPage>
  /** True when reading a page of such a list takes about as long as a page: it need not be read on a thread of its own. */
  readsAPage(account: number, filter: LeadFilter, sort: LeadSort): boolean
  /** True when all matching leads are read about as fast as a page, because the account has few. */
  readsLittle(account: number, filter: LeadFilter): boolean
  /** All matching leads in order, some hundred at a time, each in its state when it is read. */
  walk(account: number, query: Pick<LeadQuery, "filter" | "sort">): AsyncGenerator<StoredLead[]>
  /**
   * A fast path for exports, if the engine has one: lines with these fields and attributes. Lists are joined by `|`;
   * possible formulas need quotes.
   */
  /** `dateText` formats times; the default is Unix seconds. `cells` stand for ids of owners and stages. */
  plainLines?(
    fields: readonly string[],
    attributeNames: readonly string[],
    dateText?: (seconds: number) => string,
    cells?: ReadonlyMap<string, string>,
  ): PlainLines
  ids(account: number, filter: LeadFilter): Promise<string[]>
  count(account: number, filter: LeadFilter): Promise<number>
  /** Groups matching leads. Throws `too_many_groups` above 50,000 groups, or 64 MB of them. */
  groups(
    account: number,
    filter: LeadFilter,
    keys: readonly GroupKey[],
    figures: readonly GroupFigure[],
  ): Promise<LeadGroup[]>
  /** A group's values as its oldest lead spells them; unchanged when that lead was deleted. */
  writtenValues(account: number, keys: readonly GroupKey[], group: LeadGroup): Promise<GroupValue[]>
  /**
   * About how many leads of an account a search looks at one by one while its index is made anew, as after a restore; 0
   * while the index only follows the writes.
   */
  unindexed(account: number): Promise<number>
  hasWords(account: number, words: WordsCondition): Promise<boolean>
  /** Folded words of the account's leads and notes, among them those that differ from a word in one or two places. */
  wordsLike(account: number, word: string): Promise<string[]>
  /** Attribute names of matching leads, sorted. */
  attributeNames(account: number, filter: LeadFilter): Promise<string[]>
  /** The attributes of leads by name and type, most frequent first, up to 1,000 names. */
  attributeCatalogue(account: number): Promise<CataloguedAttribute[]>
  hasAttribute(account: number, name: string): Promise<boolean>
  stats(account: number, now: number): Promise<LeadStats>
  /** The most frequent values, as the oldest lead spells them. */
  commonest(
    account: number,
    field: "category" | "city",
    limit: number,
  ): Promise<{ value: string; count: number }[]>
}
export interface LeadWrites {
  /**
   * Prefetches the candidates of many pushed leads, replacing those of the last call: `findDuplicates` then answers
   * from memory, unless a lead written since may be among them.
   */
  prefetchDuplicates(account: number, all: readonly LeadKeys[]): Promise<void>
  /**
   * `keys` are the lead's, if known. Throws AppError `conflict` "Duplicate email" or "Duplicate source_id"; with
   * prefetched keys a store may defer the write within the transaction, and throw then.
   */
  insert(account: number, lead: LeadData, score: number, keys?: LeadKeys): Promise<LeadRow>
  /**
   * Returns the new row. `isSame` of a lead of which nothing but `last_interaction_at` differs, which a store may write in
   * a shorter way. Throws as insert does.
   */
  replace(
    account: number,
    row: LeadRow,
    before: LeadData,
    after: LeadData,
    score: number,
    isSame?: boolean,
  ): Promise<LeadRow>
  remove(account: number, row: LeadRow, lead: LeadData): Promise<void>
  /** The last contact of a lead that is not among its activities: by its status. */
  contactOf(account: number, row: LeadRow): Promise<number | null>
  /** Sets this. Returns the new row; where the time goes back, activities may have to be read again for it. */
  setContacted(account: number, row: LeadRow, at: number | null): Promise<LeadRow>
  /** Writes a score if the lead still has this version; false otherwise. */
  setScore(account: number, ref: number, version: number, score: number): Promise<boolean>
}
