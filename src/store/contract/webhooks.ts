// Webhooks and their deliveries in the store's contract.
import type { Position } from "./leads.ts"

export interface Webhook {
  id: string
  url: string
  /** Names, or all that there are, also those that come later. */
  events: string[] | "all"
  secret: string | null
  /** The secret that it had before, and until when what is sent is signed with it, too: Unix seconds. */
  previous_secret?: string | null
  previous_until?: number | null
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
  /** Turned on again or with another URL, it starts with a clean record: earlier failures no longer count. */
  update(account: number, webhook: Webhook): Promise<void>
  /** Neither it nor its deliveries are found from now on; `outbox.prune` clears the rows away. */
  remove(account: number, id: string): Promise<boolean>
}

/**
 * What is over has `succeeded`, `failed` when its last attempt was refused by the receiver, `expired` when nobody
 * answered even that one. All else is pending, however long it waits.
 */
export const DELIVERY_STATUSES = ["pending", "succeeded", "failed", "expired"] as const
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
  /** From a page of the same webhook and status. */
  after?: Position | undefined
  limit: number
}
/** One page; `next` is where the next one begins, undefined when there is none. */
export interface DeliveryPage {
  rows: DeliveryRow[]
  next: Position | undefined
}
export interface DeliveryReads {
  /** Newest first. */
  list(account: number, webhookId: string, query: DeliveryQuery): Promise<DeliveryPage>
  find(account: number, webhookId: string, id: string): Promise<DeliveryRow | undefined>
  /** Some of the account's events whose body has this text, in order; `next` is where to go on, undefined at the end. */
  mentioning(
    account: number,
    text: string,
    after?: Position,
  ): Promise<{ events: { ref: number; body: string }[]; next: Position | undefined }>
}
export interface DeliveryWrites {
  /** Gives an event another body, for all of its deliveries; what was answered to them is forgotten. */
  rewrite(account: number, ref: number, body: string): Promise<void>
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
