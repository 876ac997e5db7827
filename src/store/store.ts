// The contract between the domain and whatever keeps its data. It speaks of rows and neutral filter trees, never
// of SQL. Every tenant method takes the account's key first; another account's rows are never found.

import type { LeadData } from "../core/lead.ts"
import type { LeadFilter, LeadSort } from "../core/lead-query.ts"
import type { Account, Role } from "../core/operation.ts"
import type { ScoreInput } from "../expression/index.ts"

export interface Store {
  /** What is committed now. */
  readonly read: Reads
  /**
   * One durable transaction. Resolves after its commit is on disk with what `work` returned; when `work` throws,
   * nothing of it stays and neighbours in the same commit are unharmed. Only `tx` may be awaited inside.
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
  readonly oauth: OAuthReads
}

export interface Transaction {
  readonly accounts: AccountReads & AccountWrites
  readonly apiKeys: ApiKeyReads & ApiKeyWrites
  readonly leads: LeadReads & LeadWrites
  readonly changes: ChangeReads & ChangeWrites
  readonly notes: NoteReads & NoteWrites
  readonly rules: RuleReads & RuleWrites
  readonly webhooks: WebhookReads & WebhookWrites
  readonly deliveries: DeliveryReads & DeliveryWrites
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

/** One page; `next` is where the next one begins, undefined when there is none. */
export interface LeadPage {
  rows: LeadRow[]
  next: Position | undefined
}

export interface LeadStats {
  by_status: Record<string, number>
  by_source: Record<string, number>
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

/** What one lead brings to a scoring run: `lead` holds at least the fields and attributes that were asked for. */
export interface ScoringRow {
  ref: number
  id: string
  version: number
  score: number
  lead: ScoreInput
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
  /** Matching leads. */
  count(account: number, filter: LeadFilter): Promise<number>
  /** Attribute names of matching leads, sorted. */
  attributeNames(account: number, filter: LeadFilter): Promise<string[]>
  /** Leads in creation order after the one with the id `after` ("" to begin), with what `needs` names, for scoring. */
  scoringPage(
    account: number,
    needs: { fields: ReadonlySet<string>; attributes: ReadonlySet<string> },
    after: string,
    limit: number,
  ): Promise<ScoringRow[]>
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

// Webhooks

export interface Webhook {
  id: string
  url: string
  events: string[]
  secret: string | null
  active: boolean
  disabled_reason: string | null
  created_at: number
  updated_at: number
}
export interface WebhookReads {
  find(account: number, id: string): Promise<Webhook | undefined>
  list(account: number): Promise<Webhook[]>
  /** Active webhooks that take this event. */
  subscribed(account: number, event: string): Promise<{ id: string }[]>
}
export interface WebhookWrites {
  insert(account: number, webhook: Webhook): Promise<void>
  update(account: number, webhook: Webhook): Promise<void>
  /** Removes the webhook with its deliveries. */
  remove(account: number, id: string): Promise<boolean>
}

export const DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface Delivery {
  id: string
  event: string
  status: DeliveryStatus
  attempts: number
  /** HTTP status of the last answer. */
  code: number | null
  /** What went wrong at the last attempt, for people. */
  error: string | null
  milliseconds: number | null
  /** The first 1 KiB of the last answer. */
  answer: string | null
  /** Unix seconds. */
  next_attempt_at: number | null
  created_at: number
  updated_at: number
}
export interface DeliveryQuery {
  status?: DeliveryStatus | undefined
  /** Only older than the delivery with this id. */
  before?: string | undefined
  limit: number
}
export interface DeliveryReads {
  /** Newest first. */
  list(account: number, webhookId: string, query: DeliveryQuery): Promise<Delivery[]>
  find(account: number, webhookId: string, id: string): Promise<Delivery | undefined>
}
export interface DeliveryWrites {
  /** Keeps the event's frozen body once and one delivery for each webhook, due at `at` (Unix milliseconds). */
  publish(
    account: number,
    event: { id: string; event: string; body: string; created_at: number },
    webhookIds: readonly string[],
    at: number,
  ): Promise<string[]>
}

// Sign-in of MCP clients. Times are Unix seconds; what has expired is never found.

/** A client that registered itself. */
export interface OAuthClient {
  id: string
  name: string
  redirect_uris: string[]
  created_at: number
  expires_at: number
}
/** What a person allowed a client, to be fetched once with an authorization code. */
export interface OAuthGrant {
  client_id: string
  client_name: string
  redirect_uri: string
  /** The server that the client named, null when it named none. */
  resource: string | null
  /** S256 of the client's verifier (RFC 7636). */
  challenge: string
  role: Role
  /** The public id of the key that signed in; null after a one-time code. */
  signer_id: string | null
  created_at: number
  expires_at: number
}
/** A grant as it is kept; `key_id` is the public id of the key it became. */
export interface StoredGrant extends OAuthGrant {
  account: number
  key_id: string | null
}
/** A one-time code for signing in: `hash` is of what comes behind its selector. */
export interface OAuthLogin {
  selector: string
  account: number
  hash: string
  role: Role
  expires_at: number
}
export interface OAuthReads {
  findClient(id: string, now: number): Promise<OAuthClient | undefined>
  /** By the SHA-256 of its code. One that became a key is found as long as the key is there. */
  findGrant(codeHash: Uint8Array, now: number): Promise<StoredGrant | undefined>
  /** The client that a key was issued to, when it was issued by a sign-in. */
  clientOfKey(keyId: string): Promise<{ client_id: string } | undefined>
}
export interface OAuthWrites {
  /** Keeps at most `most` clients: the oldest that nobody signed in with makes room. False when there is none. */
  insertClient(client: OAuthClient, most: number): Promise<boolean>
  /** Notes that somebody signed in with it. */
  keepClient(id: string, now: number, expiresAt: number): Promise<void>
  insertGrant(account: number, codeHash: Uint8Array, grant: OAuthGrant): Promise<void>
  redeemGrant(codeHash: Uint8Array, keyId: string): Promise<void>
  /** False when its selector is taken. */
  insertLogin(login: OAuthLogin, tries: number, now: number): Promise<boolean>
  /** Uses up one of its tries. */
  tryLogin(selector: string, now: number): Promise<OAuthLogin | undefined>
  /** True for the first who asks. */
  removeLogin(selector: string): Promise<boolean>
}
