import type { AttemptLine, OutboxReads, OutboxWrites, Outgoing, WebhookHealth } from "../../contract/store.ts"
import { webhookPlace } from "../../sealing.ts"
import type { Salt, Secrets } from "../../shared/secrets.ts"
import type { Db } from "../../sql/db.ts"
import { SALT } from "../secrets/salt.ts"
import type { Tx } from "../writes/transaction.ts"
import { outboxPruning } from "./pruning.ts"

/** Steps from webhook to webhook through the index, past however many deliveries each has. */
const WAITING = `WITH RECURSIVE step (webhook) AS (
    SELECT min(webhook_rid) FROM deliveries WHERE status = 'pending'
    UNION ALL
    SELECT (SELECT min(webhook_rid) FROM deliveries WHERE status = 'pending' AND webhook_rid > webhook)
    FROM step WHERE webhook IS NOT NULL)
  SELECT webhook,
    (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND webhook_rid = webhook) AS due_at
  FROM step JOIN webhooks w ON w.rid = webhook WHERE w.active ORDER BY webhook`

/** Due at $1 and nobody's. */
const FREE = "v.status = 'pending' AND v.due_at <= $1 AND (v.leased_until IS NULL OR v.leased_until <= $1)"

export function outboxReads(db: Db, secrets: Secrets): OutboxReads {
  return {
    waiting: () => db.all<{ webhook: number; due_at: number }>(WAITING),
    async due(webhook, now, limit) {
      const rows = await db.all<{ rid: number }>(
        `SELECT rid FROM deliveries v WHERE webhook_rid = $2 AND ${FREE} ORDER BY due_at, rid LIMIT $3`,
        [now, webhook, limit],
      )
      return rows.map(({ rid }) => rid)
    },
    async load({ ref, lease }) {
      const row = await db.get<Outgoing & { account_id: number; webhook: string; salt: Salt }>(
        `SELECT v.id, e.event, e.body, v.attempts, w.url, w.secret, w.previous_secret, w.previous_until, w.active,
           v.account_id, w.id AS webhook, ${SALT} AS salt
         FROM deliveries v JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid
         WHERE v.rid = $1 AND v.lease = $2`,
        [ref, lease],
      )
      if (!row) return undefined
      const { account_id, webhook, salt, ...outgoing } = row
      const read = (kept: string | null | undefined) =>
        secrets.read(kept ?? null, webhookPlace(account_id, webhook), salt)
      return { ...outgoing, secret: read(row.secret), previous_secret: read(row.previous_secret) }
    },
    async lastTurn() {
      const row = await db.get<{ turn: number }>(
        "SELECT coalesce(max(turn), 0) AS turn FROM deliveries WHERE turn IS NOT NULL",
      )
      return row!.turn
    },
    attempts: (after, limit, account) =>
      db.all<AttemptLine>(
        `SELECT v.turn, v.id, a.id AS account, w.id AS webhook_id, e.event, w.url, v.status, v.attempts, v.code,
           v.error, v.milliseconds, v.updated_at AS at,
           CASE WHEN v.status = 'pending' AND w.active THEN v.due_at / 1000 END AS next_attempt_at
         FROM deliveries v JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid
           JOIN accounts a ON a.key = v.account_id
         WHERE v.turn > $1 AND ($2::bigint IS NULL OR v.account_id = $2) ORDER BY v.turn LIMIT $3`,
        [after, account, limit],
      ),
  }
}

export function outboxWrites(tx: Tx): OutboxWrites {
  return {
    // A webhook is one process's as long as that has leases of it, so that its attempts in flight are counted once.
    async claim(refs, { lease, now, until }) {
      const rows = await tx.all<{ rid: number }>(
        `UPDATE deliveries SET lease = $2, leased_until = $3 WHERE rid IN (
           SELECT v.rid FROM deliveries v WHERE v.rid = ANY ($4::bigint[]) AND ${FREE} AND NOT EXISTS (
             SELECT 1 FROM deliveries o WHERE o.webhook_rid = v.webhook_rid AND o.lease IS NOT NULL
               AND o.leased_until > $1 AND split_part(o.lease, '/', 1) <> split_part($2, '/', 1))
           FOR UPDATE SKIP LOCKED)
         RETURNING rid`,
        [now, lease, until, refs],
      )
      const claimed = new Set(rows.map(({ rid }) => rid))
      return refs.filter((ref) => claimed.has(ref))
    },
    async release(leases) {
      if (leases.length === 0) return
      tx.later(
        `UPDATE deliveries v SET lease = NULL, leased_until = NULL
         FROM unnest($1::bigint[], $2::text[]) AS l (ref, lease) WHERE v.rid = l.ref AND v.lease = l.lease`,
        [leases.map(({ ref }) => ref), leases.map(({ lease }) => lease)],
      )
    },
    async reschedule({ now, back, longest, lease }) {
      tx.later(
        `UPDATE deliveries SET leased_until = least(leased_until - $2::bigint, $1::bigint + $4::bigint),
           due_at = least(due_at - $2::bigint, $1::bigint + coalesce(($3::bigint[])[attempts + 1], 0))
         WHERE status = 'pending' AND ($2::bigint > 0 OR leased_until > $1::bigint + $4::bigint
             OR due_at > $1::bigint + coalesce(($3::bigint[])[attempts + 1], 0))
           AND (due_at > $1::bigint OR leased_until > $1::bigint)`,
        [now, back, longest, lease],
      )
    },
    ...attemptWrites(tx),
    ...outboxPruning(tx),
  }
}

function attemptWrites(tx: Tx): Pick<OutboxWrites, "record" | "setFailing" | "disable"> {
  return {
    async record({ ref, lease, status, due_at, code, error, milliseconds, answer, at }) {
      const [health] = await tx.all<WebhookHealth>(
        `WITH recorded AS (
           UPDATE deliveries SET status = $3, due_at = $4, code = $5, error = $6, milliseconds = $7, answer = $8,
             updated_at = $9, attempts = attempts + 1, lease = NULL, leased_until = NULL,
             turn = (SELECT coalesce(max(turn), 0) + 1 FROM deliveries WHERE turn IS NOT NULL)
           WHERE rid = $1 AND lease = $2 RETURNING webhook_rid)
         SELECT w.rid AS ref, w.id, w.url, w.active, w.failing_since
         FROM webhooks w JOIN recorded r ON r.webhook_rid = w.rid`,
        [ref, lease, status, due_at, code, error, milliseconds, answer, Math.floor(at / 1000)],
      )
      return health
    },
    async setFailing(webhook, since) {
      tx.later("UPDATE webhooks SET failing_since = $2 WHERE rid = $1", [webhook, since])
    },
    async disable(webhook, reason, at) {
      tx.later(
        "UPDATE webhooks SET active = false, disabled_reason = $2, updated_at = $3 WHERE rid = $1 AND active",
        [webhook, reason, Math.floor(at / 1000)],
      )
    },
  }
}
