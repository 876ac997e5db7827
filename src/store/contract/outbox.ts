// The outbox of the sender: deliveries of all accounts. Every time is in Unix milliseconds.
import type { DeliveryStatus } from "./webhooks.ts"

/** The content of an attempt: the frozen event, and the webhook's current settings. */
export interface Outgoing {
  id: string
  event: string
  body: string
  attempts: number
  url: string
  secret: string | null
  /** The previous secret, and the Unix second until which it also signs. */
  previous_secret?: string | null
  previous_until?: number | null
  active: boolean
}
/** A lease on a delivery's next attempt, until it is recorded, released or expired. */
export interface Lease {
  ref: number
  lease: string
}
export interface AttemptRecord extends Lease {
  status: DeliveryStatus
  /** The time of the next attempt; null for none. */
  due_at: number | null
  code: number | null
  error: string | null
  milliseconds: number
  answer: string
  url: string
  at: number
}
/** The state of a webhook; `ref` is its row. */
export interface WebhookHealth {
  ref: number
  id: string
  url: string
  active: boolean
  /** The first failure since the last success; null for none. */
  failing_since: number | null
}
/** An attempt in `leaddb webhooks tail`. */
export interface AttemptLine {
  /** Position in the order of recorded attempts. */
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
  /** Active webhooks with pending deliveries, and the earliest due time of each. */
  waiting(): Promise<{ webhook: number; due_at: number }[]>
  /** References of a webhook's due deliveries without a lease, longest due first. */
  due(webhook: number, now: number, limit: number): Promise<number[]>
  /** The content to send; undefined when the delivery was deleted or the lease was lost. */
  load(lease: Lease): Promise<Outgoing | undefined>
  /** The latest attempts after `turn`, in order. */
  attempts(after: number, limit: number, account?: number): Promise<AttemptLine[]>
  /** The position of the latest attempt; 0 before the first. */
  lastTurn(): Promise<number>
}
export interface OutboxWrites {
  /**
   * Turns off the webhooks of these deliveries whose makers have ended by `now` (Unix milliseconds), with this reason. Returns
   * their ids.
   */
  endWebhooks(refs: readonly number[], reason: string, now: number): Promise<string[]>
  /** Leases those deliveries that are still due and free; returns their references. */
  claim(refs: readonly number[], lease: { lease: string; now: number; until: number }): Promise<number[]>
  /** Returns leases without an attempt. */
  release(leases: readonly Lease[]): Promise<void>
  /**
   * Records an attempt. Returns the webhook's previous state; undefined when the delivery was deleted or the lease
   * was lost.
   */
  record(attempt: AttemptRecord): Promise<WebhookHealth | undefined>
  setFailing(webhook: number, since: number | null): Promise<void>
  disable(webhook: number, reason: string, at: number): Promise<void>
  /**
   * Shifts all waits after the clock went back by `back`. No delivery then waits longer than `longest` allows for its
   * attempts, and no lease lasts longer than `lease`.
   */
  reschedule(clock: { now: number; back: number; longest: readonly number[]; lease: number }): Promise<void>
  /**
   * Examines `limit` deliveries after the position `after`, in the order of their last attempts, and deletes those
   * that ended before `before` (Unix seconds), with events that have no other delivery. Pending ones stay at any age.
   * Returns the position to continue after; undefined when no older ones remain.
   */
  prune(which: { before: number; after: number; limit: number }): Promise<number | undefined>
  /**
   * Deletes at most `limit` deliveries of removed webhooks, with unreferenced events and webhooks. False when there
   * was nothing to delete.
   */
  pruneRemoved(limit: number): Promise<boolean>
}
