// The contract between the domain and whatever keeps its data. It speaks of rows and neutral filter trees, never
// of SQL. Every tenant method takes the account's key first; another account's rows are never found.

import type { LeadData, Status } from "../core/lead.ts"
import type { LeadFilter, LeadSort } from "../core/lead-query.ts"
import type { Account, Role } from "../core/operation.ts"
import type { ScoreInput } from "../expression/index.ts"

export interface Store {
  /** What is committed now. */
  readonly read: Reads
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
  readonly apiKeys: ApiKeyReads & ApiKeyWrites
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

/** One page; `next` is where the next one begins, undefined when there is none. */
export interface LeadPage {
  rows: LeadRow[]
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
  /** An active one starts with a clean record: what failed before no longer counts towards turning it off. */
  update(account: number, webhook: Webhook): Promise<void>
  /** Neither it nor its deliveries are found from now on; `outbox.prune` clears the rows away. */
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
export interface DeliveryRow extends Delivery {
  /** The engine's handle of the row. */
  ref: number
}
export interface DeliveryQuery {
  status?: DeliveryStatus | undefined
  /** Only older than the delivery with this ref. */
  before?: number | undefined
  limit: number
}
export interface DeliveryReads {
  /** Newest first. */
  list(account: number, webhookId: string, query: DeliveryQuery): Promise<DeliveryRow[]>
  find(account: number, webhookId: string, id: string): Promise<DeliveryRow | undefined>
}
export interface DeliveryWrites {
  /** Keeps the event's frozen body once and one delivery for each webhook, due at `at` (Unix milliseconds). */
  publish(
    account: number,
    event: { id: string; event: string; body: string; created_at: number },
    webhookIds: readonly string[],
    at: number,
  ): Promise<string[]>
  /**
   * Makes a delivery due at `at` (Unix milliseconds): one that is over starts its schedule again, one that waits for
   * its next attempt waits no longer. False when it is due or under way already.
   */
  retry(ref: number, at: number): Promise<boolean>
  /** `retry` for at most `limit` that failed or wait, created at `since` (Unix seconds) or later. Returns how many. */
  retryFailed(
    account: number,
    webhookId: string,
    which: { since: number; at: number; limit: number },
  ): Promise<number>
}

// The outbox as the sender sees it: deliveries of all accounts. Every time is in Unix milliseconds.

/** What an attempt is made of: the event as it was frozen, the webhook as it is now. */
export interface Outgoing {
  id: string
  event: string
  body: string
  /** Attempts made so far. */
  attempts: number
  url: string
  secret: string | null
  active: boolean
}
/** A right to make the next attempt of a delivery, until it is recorded, released or over. */
export interface Lease {
  ref: number
  lease: string
}
/** What one attempt leaves behind. */
export interface AttemptRecord extends Lease {
  status: DeliveryStatus
  /** When the next attempt is due; null when there is none. */
  due_at: number | null
  code: number | null
  error: string | null
  milliseconds: number
  answer: string
  at: number
}
/** How a webhook has been doing; `ref` is its row. */
export interface WebhookHealth {
  ref: number
  id: string
  active: boolean
  /** When the first failure since the last success was; null when there is none. */
  failing_since: number | null
}
/** An attempt as `leaddb webhooks tail` shows it. */
export interface AttemptLine {
  /** Its place in the order in which attempts were recorded. */
  turn: number
  id: string
  account: string
  webhook_id: string
  event: string
  url: string
  status: DeliveryStatus
  attempts: number
  code: number | null
  error: string | null
  milliseconds: number
  /** Unix seconds. */
  next_attempt_at: number | null
  /** Unix seconds. */
  at: number
}
export interface OutboxReads {
  /** Active webhooks that have pending deliveries, with the time at which the first of each is due. */
  waiting(): Promise<{ webhook: number; due_at: number }[]>
  /** Refs of a webhook's deliveries that are due and not leased, longest due first. */
  due(webhook: number, now: number, limit: number): Promise<number[]>
  /** What to send; undefined when the delivery is gone or the lease is no longer ours. */
  load(lease: Lease): Promise<Outgoing | undefined>
  /** The last attempts recorded after `turn`, in order. */
  attempts(after: number, limit: number, account?: number): Promise<AttemptLine[]>
  /** The place of the last attempt of all; 0 before the first. */
  lastTurn(): Promise<number>
}
export interface OutboxWrites {
  /** Leases those of the deliveries that are still due and not leased; returns their refs. */
  claim(refs: readonly number[], lease: { lease: string; now: number; until: number }): Promise<number[]>
  /** Gives leases back without an attempt having been made. */
  release(leases: readonly Lease[]): Promise<void>
  /** Returns how the webhook was doing before; undefined when the delivery is gone or leased to somebody else. */
  record(attempt: AttemptRecord): Promise<WebhookHealth | undefined>
  setFailing(webhook: number, since: number | null): Promise<void>
  /** Turns an active webhook off. */
  disable(webhook: number, reason: string, at: number): Promise<void>
  /**
   * After the clock went back by `back`: shifts every wait. No delivery then waits longer than `longest` says for
   * the number of its attempts, and no lease lasts longer than `lease`.
   */
  reschedule(clock: { now: number; back: number; longest: readonly number[]; lease: number }): Promise<void>
  /**
   * Deletes at most `limit` deliveries that were created before `before` (Unix seconds) or whose webhook is removed,
   * with events and removed webhooks that nothing points to any longer. False when there was nothing to delete.
   */
  prune(before: number, limit: number): Promise<boolean>
}

// Sign-in of MCP clients (OAuth). Every time is in Unix seconds.

export interface OAuthClient {
  id: string
  name: string
  redirect_uris: string[]
  created_at: number
  expires_at: number
}
/** What an authorization code is good for. */
export interface OAuthGrant {
  client_id: string
  client_name: string
  redirect_uri: string
  resource: string | null
  challenge: string
  role: Role
  /** Who agreed: the public id of the key that signed in, if it was a key. */
  signer_id: string | null
  created_at: number
  expires_at: number
}
export interface StoredGrant extends OAuthGrant {
  account: number
  /** The key it was redeemed for; null while it was not. */
  key_id: string | null
}
/** A one-time code of `leaddb login`; `hash` is that of its secret part. */
export interface OAuthLogin {
  selector: string
  account: number
  hash: string
  role: Role
  expires_at: number
}
export interface OAuthReads {
  /** A client whose registration holds at `now`. */
  findClient(id: string, now: number): Promise<OAuthClient | undefined>
  /** A grant that is good at `now`, or was redeemed. */
  findGrant(codeHash: Uint8Array, now: number): Promise<StoredGrant | undefined>
  /** The client that a key was made for, by the key's public id. */
  clientOfKey(keyId: string): Promise<{ client_id: string } | undefined>
}
export interface OAuthWrites {
  /** False when there are `most` clients already and all are in use; else the oldest unused one makes room. */
  insertClient(client: OAuthClient, most: number): Promise<boolean>
  /** Notes that a client is in use. */
  keepClient(id: string, now: number, expiresAt: number): Promise<void>
  insertGrant(account: number, codeHash: Uint8Array, grant: OAuthGrant): Promise<void>
  /** Ties a grant to the key it was redeemed for. */
  redeemGrant(codeHash: Uint8Array, keyId: string): Promise<void>
  /** False when the selector is taken. */
  insertLogin(login: OAuthLogin, tries: number, now: number): Promise<boolean>
  /** The login, for one of its tries; undefined when there is none or no try is left. */
  tryLogin(selector: string, now: number): Promise<OAuthLogin | undefined>
  /** False when somebody else has used it. */
  removeLogin(selector: string): Promise<boolean>
}
