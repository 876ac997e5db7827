// The contract between the domain and whatever keeps its data. It speaks of rows and neutral filter trees, never
// of SQL. Every tenant method takes the account's key first; another account's rows are never found.

import type { LeadData, Status, StoredLead } from "../core/lead.ts"
import type { LeadFilter, LeadSort } from "../core/lead-query.ts"
import type { Account, Role } from "../core/operation.ts"
import type { ScoreInput } from "../expression/index.ts"
import type { OAuthReads, OAuthWrites } from "./oauth.ts"
import type { OutboxReads, OutboxWrites } from "./outbox.ts"
import type { DeliveryReads, DeliveryWrites, WebhookReads, WebhookWrites } from "./webhooks.ts"

export type * from "./oauth.ts"
export type * from "./outbox.ts"
export * from "./webhooks.ts"

export interface Store {
  /** What is committed now. */
  readonly read: Reads
  /** The same for who reads an account from end to end: what other requests need stays in memory. */
  readonly readThrough: Reads
  /**
   * One durable transaction. Resolves after its commit is on disk with what `work` returned; when `work` throws,
   * nothing of it stays and neighbours in the same commit are unharmed. Only `tx` may be awaited inside. `work` may be
   * run a second time after what it wrote was undone, so that it changes nothing but through `tx`.
   * Throws AppError `unavailable` (another process holds the file too long) and `storage_full`.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface Reads {
  readonly accounts: AccountReads
  readonly apiKeys: ApiKeyReads
  readonly leads: LeadReads
  readonly changes: ChangeReads
  readonly notes: NoteReads
  readonly rules: RuleReads
  readonly webhooks: WebhookReads
  readonly deliveries: DeliveryReads
  readonly outbox: OutboxReads
  readonly oauth: OAuthReads
}

export interface Transaction {
  readonly accounts: AccountReads & AccountWrites
  readonly apiKeys: Omit<ApiKeyReads, "findByHash"> & ApiKeyWrites
  readonly leads: LeadReads & LeadWrites
  readonly changes: ChangeReads & ChangeWrites
  readonly notes: NoteReads & NoteWrites
  readonly rules: RuleReads & RuleWrites
  readonly webhooks: WebhookReads & WebhookWrites
  readonly deliveries: DeliveryReads & DeliveryWrites
  readonly outbox: OutboxReads & OutboxWrites
  readonly oauth: OAuthReads & OAuthWrites
  /** Work inside the work: when it throws, only its own changes are undone and the error goes on to the caller. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** A UUIDv7 whose text order is the commit order, also across processes. */
  newId(prefix?: string): string
}

// Accounts and keys

export interface AccountRow extends Account {
  created_at: number
  /** How many leads it keeps. */
  leads: number
}
export interface AccountOverrides {
  leads_limit: number | null | undefined
  requests_limit: number | null | undefined
  batch_limit: number | null | undefined
}
export interface AccountReads {
  list(): Promise<AccountRow[]>
  find(id: string): Promise<AccountRow | undefined>
  /** Leads kept by an account. */
  countLeads(account: number): Promise<number>
}
export interface AccountWrites {
  insert(account: { id: string; name: string; plan: string; created_at: number }): Promise<number>
  /** `undefined` leaves an override, `null` removes it. */
  setPlan(account: number, plan: string, overrides: AccountOverrides): Promise<void>
}

export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  role: Role
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}
export interface ApiKeyReads {
  /** By the SHA-256 of the raw key, in any account; synchronous, since every request asks. */
  findByHash(hash: Uint8Array): { account: Account; key: ApiKeyRow } | undefined
  list(account: number): Promise<ApiKeyRow[]>
  find(account: number, id: string): Promise<ApiKeyRow | undefined>
}
export interface ApiKeyWrites {
  insert(account: number, key: ApiKeyRow & { hash: Uint8Array }): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Notes the last use of keys, by public id, Unix seconds. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}

// Leads

export interface LeadRow {
  /** The engine's handle of the row. */
  ref: number
  /** JSON text of LeadData. */
  data: string
  score: number
  /** Grows with every change of the lead or its score. */
  version: number
}

/** A place in a sorted list: after which row the next page begins. Plain JSON values. */
export type Position = readonly [segment: number, value: string | number | null, ref: number]

export interface LeadQuery {
  filter: LeadFilter
  sort: LeadSort
  after?: Position | undefined
  limit: number
}

/** A lead of a list. Lists are passed on: no string is made of what is stored. */
export interface ListedLead extends StoredLead {
  /** The engine's handle of the row. */
  ref: number
}

/** One page; `next` is where the next one begins, undefined when there is none. */
export interface LeadPage {
  rows: ListedLead[]
  next: Position | undefined
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
}

/** What a scoring run works with on its thread: it reads beside everybody, and writes while the store lends it that. */
export interface ScoringStore {
  rules(account: number): Promise<ScoringRule[]>
  /** Leads in creation order, `size` at a time, with what `needs` names, and with their ids where asked for. */
  pages(account: number, needs: ScoringNeeds, shape: { size: number; ids: boolean }): Iterable<ScoringRow[]>
  /** Writes scores in one transaction, each where the lead's version is still the one given. Returns how many. */
  write(account: number, changes: readonly ScoreChange[]): Promise<number>
  close(): void
}

export interface LeadReads {
  find(account: number, id: string): Promise<LeadRow | undefined>
  findByRef(account: number, ref: number): Promise<LeadRow | undefined>
  /** `email` is folded. */
  findByEmail(account: number, email: string): Promise<LeadRow | undefined>
  findBySourceId(account: number, sourceId: string): Promise<LeadRow | undefined>
  /** Oldest first; `name` is folded. */
  findByPhone(account: number, phoneKey: string): Promise<{ ref: number; name: string }[]>
  /** The oldest with this folded name and city. */
  findByNameAndCity(account: number, name: string, city: string): Promise<{ id: string } | undefined>
  list(account: number, query: LeadQuery): Promise<LeadPage>
  /** All matching leads in order, some hundred at a time, each as it is when its turn has come. */
  walk(account: number, query: Pick<LeadQuery, "filter" | "sort">): AsyncGenerator<ListedLead[]>
  /** Matching leads. */
  count(account: number, filter: LeadFilter): Promise<number>
  /** Attribute names of matching leads, sorted. */
  attributeNames(account: number, filter: LeadFilter): Promise<string[]>
  stats(account: number, now: number): Promise<LeadStats>
  /** The commonest values, most first, as they are written on the oldest lead that has them. */
  commonest(
    account: number,
    field: "category" | "city",
    limit: number,
  ): Promise<{ value: string; count: number }[]>
}
export interface LeadWrites {
  /** Throws AppError `conflict` "Duplicate email" or "Duplicate source_id". */
  insert(account: number, lead: LeadData, score: number): Promise<LeadRow>
  /** Throws as insert does. */
  replace(account: number, row: LeadRow, before: LeadData, after: LeadData, score: number): Promise<void>
  remove(account: number, row: LeadRow, lead: LeadData): Promise<void>
  /** Writes a score where the lead's version is still the one given; false when it is not. */
  setScore(account: number, ref: number, version: number, score: number): Promise<boolean>
}

// Audit trail

export interface ChangeInsert {
  lead_id: string
  actor_id: string
  action: "created" | "updated" | "merged" | "deleted"
  /** JSON texts of the whole lead. */
  before: string | null
  after: string | null
  reason: string | null
  created_at: number
}
export interface ChangeReads {
  /** Newest first, each the JSON text of a change record (SPEC "Change record"); `user_id` is the account's id. */
  list(account: number, leadId: string, limit: number): Promise<string[]>
}
export interface ChangeWrites {
  record(account: number, change: ChangeInsert): Promise<void>
}

// Notes

export interface Note {
  id: string
  lead_id: string
  content: string
  created_at: number
  updated_at: number
}
export interface NoteReads {
  find(account: number, id: string): Promise<Note | undefined>
  /** Oldest first. */
  list(account: number, lead: LeadRow): Promise<Note[]>
}
export interface NoteWrites {
  insert(account: number, lead: LeadRow, note: Note): Promise<void>
  update(account: number, note: Note): Promise<void>
  remove(account: number, id: string): Promise<void>
}

// Scoring rules

export interface ScoringRule {
  id: string
  name: string
  expression: string
  weight: number
  priority: number
  created_at: number
  updated_at: number
}
export interface RuleReads {
  find(account: number, id: string): Promise<ScoringRule | undefined>
  /** By priority, then creation. */
  list(account: number): Promise<ScoringRule[]>
  /** Differs after every change of the account's rules: a compiled rule set is good while it stays. Synchronous. */
  revision(account: number): number
}
export interface RuleWrites {
  insert(account: number, rule: ScoringRule): Promise<void>
  update(account: number, rule: ScoringRule): Promise<void>
  remove(account: number, id: string): Promise<boolean>
}
