// Webhooks and their deliveries in the store's contract.
import type { Position } from "./leads.ts"

export interface Webhook {
  id: string
  url: string
  /** Names, or `all` for all present and future events. */
  events: string[] | "all"
  secret: string | null
  /** The secret as it is stored, where it cannot be decrypted: `secret` is then empty, and an update keeps this. */
  unreadable?: string
  /** The previous secret, and the Unix second until which it also signs. */
  previous_secret?: string | null
  previous_until?: number | null
  active: boolean
  disabled_reason: string | null
  /** The key, member or session that made it, or took it over; null for none. */
  made_by: string | null
  /** When its maker ends, in Unix seconds, and it with them; null for never. Not stored: it follows from `made_by`. */
  ends_at: number | null
  created_at: number
  updated_at: number
}
export interface WebhookReads {
  find(account: number, id: string): Promise<Webhook | undefined>
  list(account: number): Promise<Webhook[]>
  /** Active webhooks that subscribe to this event. */
  subscribed(account: number, event: string): Promise<{ id: string }[]>
}
export interface WebhookWrites {
  insert(account: number, webhook: Webhook): Promise<void>
  /** Turning it on again or changing its URL resets its failures. */
  update(account: number, webhook: Webhook): Promise<void>
  /** Hides it and its deliveries at once; `outbox.pruneRemoved` deletes the rows. */
  remove(account: number, id: string): Promise<boolean>
}

/**
 * Finished deliveries have `succeeded`, `failed` when the receiver refused the last attempt, or `expired` without an
 * answer to it. All others are pending, at any age.
 */
export const DELIVERY_STATUSES = ["pending", "succeeded", "failed", "expired"] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface Delivery {
  id: string
  event: string
  status: DeliveryStatus
  attempts: number
  code: number | null
  /** The problem of the last attempt, for people. */
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
  /** The engine's reference of the row. */
  ref: number
}
export interface DeliveryQuery {
  status?: DeliveryStatus | undefined
  /** Only pending ones that were tried without success. */
  isFailing?: boolean | undefined
  /** From a page of the same webhook and status. */
  after?: Position | undefined
  limit: number
}
/** One page; `next` is the position of the next one, undefined at the end. */
export interface DeliveryPage {
  rows: DeliveryRow[]
  next: Position | undefined
}
export interface DeliveryReads {
  /** Newest first. */
  list(account: number, webhookId: string, query: DeliveryQuery): Promise<DeliveryPage>
  find(account: number, webhookId: string, id: string): Promise<DeliveryRow | undefined>
  /**
   * Some of the account's events whose body contains one of these texts, and those of posts to forms, in order; `next` is
   * where to continue, undefined at the end, and `last` the place up to which they were looked at, undefined for none.
   */
  mentioning(
    account: number,
    texts: readonly string[],
    after?: Position,
  ): Promise<{
    events: { ref: number; body: string }[]
    next: Position | undefined
    last: Position | undefined
  }>
}
export interface DeliveryWrites {
  /** Replaces an event's body for all of its deliveries and deletes their stored answers. */
  rewrite(account: number, ref: number, body: string): Promise<void>
  /** Stores the event's frozen body once, and one delivery for each webhook, due at `at` (Unix milliseconds). */
  publish(
    account: number,
    event: { id: string; event: string; body: string; created_at: number },
    webhookIds: readonly string[],
    at: number,
  ): Promise<string[]>
  /**
   * Makes a delivery due at `at` (Unix milliseconds): a finished one restarts its schedule, a waiting one is sent
   * now. False when it is due or in progress already.
   */
  retry(ref: number, at: number): Promise<boolean>
  /** `retry` for at most `limit` that failed or wait, created at `since` (Unix seconds) or later. Returns how many. */
  retryFailed(
    account: number,
    webhookId: string,
    which: { since: number; at: number; limit: number },
  ): Promise<number>
}
