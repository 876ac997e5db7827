// The outbox as the sender sees it: deliveries of all accounts. Every time is in Unix milliseconds.
import type { DeliveryStatus } from "./webhooks.ts"

/** What an attempt is made of: the event as it was frozen, the webhook as it is now. */
export interface Outgoing {
  id: string
  event: string
  body: string
  /** Attempts made so far. */
  attempts: number
  url: string
  secret: string | null
  /** The secret before, and until when it signs, too: Unix seconds. */
  previous_secret?: string | null
  previous_until?: number | null
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
  /** Where it went. */
  url: string
  at: number
}
/** How a webhook has been doing; `ref` is its row. */
export interface WebhookHealth {
  ref: number
  id: string
  url: string
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
   * Looks at `limit` deliveries in the order of their last attempts, those after the turn `after`, and deletes what
   * was over before `before` (Unix seconds), with events that no other delivery has. What is pending stays, however old
   * it is. Returns the turn to go on after; undefined when nothing beyond is old enough.
   */
  prune(which: { before: number; after: number; limit: number }): Promise<number | undefined>
  /**
   * Deletes at most `limit` deliveries of removed webhooks, with events and removed webhooks that nothing points to
   * any longer. False when there was nothing to delete.
   */
  pruneRemoved(limit: number): Promise<boolean>
}
