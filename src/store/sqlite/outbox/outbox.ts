import type { Database } from "bun:sqlite"
import type { AttemptLine, OutboxReads, OutboxWrites, Outgoing, WebhookHealth } from "../../contract/store.ts"
import { webhookPlace } from "../../sealing.ts"
import { prepare } from "../file/database.ts"
import type { Secrets } from "../file/secrets.ts"
import { outboxPruning } from "./pruning.ts"

/** Steps from webhook to webhook through the index, past however many deliveries each has. */
const WAITING = `WITH RECURSIVE step (webhook) AS (
    SELECT min(webhook_rid) FROM deliveries WHERE status = 'pending'
    UNION ALL
    SELECT (SELECT min(webhook_rid) FROM deliveries WHERE status = 'pending' AND webhook_rid > webhook)
    FROM step WHERE webhook IS NOT NULL)
  SELECT webhook,
    (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND webhook_rid = webhook) AS due_at
  FROM step CROSS JOIN webhooks w ON w.rid = webhook WHERE w.active = 1`

/** Due at ?1 and nobody's. */
const FREE = "status = 'pending' AND due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1)"

export function outboxReads(db: Database, secrets: Secrets): OutboxReads {
  const waiting = prepare<{ webhook: number; due_at: number }, []>(db, WAITING)
  const due = prepare<{ rid: number }>(
    db,
    `SELECT rid FROM deliveries WHERE webhook_rid = ?2 AND ${FREE} ORDER BY due_at, rid LIMIT ?3`,
  )
  const load = prepare<Omit<Outgoing, "active"> & { active: number; account: number; webhook: string }>(
    db,
    `SELECT v.id, e.event, e.body, v.attempts, w.url, w.secret, w.previous_secret, w.previous_until, w.active,
       w.account_id AS account, w.id AS webhook FROM deliveries v
       JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid
     WHERE v.rid = ? AND v.lease = ?`,
  )
  return {
    waiting: async () => waiting.all(),
    due: async (webhook, now, limit) => due.all(now, webhook, limit).map(({ rid }) => rid),
    async load({ ref, lease }) {
      const found = load.get(ref, lease)
      if (!found) return undefined
      const { account, webhook, secret, previous_secret, ...outgoing } = found
      const place = webhookPlace(account, webhook)
      return {
        ...outgoing,
        secret: secrets.read(secret, place),
        previous_secret: secrets.read(previous_secret ?? null, place),
        active: outgoing.active === 1,
      }
    },
    ...attemptReads(db),
  }
}

function attemptReads(db: Database): Pick<OutboxReads, "attempts" | "lastTurn"> {
  const last = prepare<{ turn: number }, []>(
    db,
    "SELECT coalesce(max(turn), 0) AS turn FROM deliveries WHERE turn IS NOT NULL",
  )
  const lines = prepare<AttemptLine>(
    db,
    `SELECT v.turn, v.id, a.id AS account, w.id AS webhook_id, e.event, w.url, v.status, v.attempts, v.code, v.error,
       v.milliseconds, v.updated_at AS at,
       CASE WHEN v.status = 'pending' AND w.active THEN v.due_at / 1000 END AS next_attempt_at
     FROM deliveries v CROSS JOIN events e ON e.rid = v.event_rid CROSS JOIN webhooks w ON w.rid = v.webhook_rid
       CROSS JOIN accounts a ON a.key = v.account_id
     WHERE v.turn > ?1 AND (?2 IS NULL OR v.account_id = ?2) ORDER BY v.turn LIMIT ?3`,
  )
  return {
    lastTurn: async () => last.get()!.turn,
    attempts: async (after, limit, account) => lines.all(after, account ?? null, limit),
  }
}

export function outboxWrites(db: Database): OutboxWrites {
  const claim = prepare(db, `UPDATE deliveries SET lease = ?2, leased_until = ?3 WHERE rid = ?4 AND ${FREE}`)
  const release = prepare(
    db,
    "UPDATE deliveries SET lease = NULL, leased_until = NULL WHERE rid = ? AND lease = ?",
  )
  const reschedule = prepare(
    db,
    `UPDATE deliveries SET leased_until = min(leased_until - ?2, ?1 + ?4),
       due_at = min(due_at - ?2, ?1 + coalesce(json_extract(?3, '$[' || attempts || ']'), 0))
     WHERE status = 'pending' AND (?2 > 0 OR leased_until > ?1 + ?4
         OR due_at > ?1 + coalesce(json_extract(?3, '$[' || attempts || ']'), 0))
       AND (due_at > ?1 OR leased_until > ?1)`,
  )
  return {
    async claim(refs, { lease, now, until }) {
      return refs.filter((ref) => claim.run(now, lease, until, ref).changes > 0)
    },
    async release(leases) {
      for (const { ref, lease } of leases) release.run(ref, lease)
    },
    async reschedule({ now, back, longest, lease }) {
      reschedule.run(now, back, JSON.stringify(longest), lease)
    },
    ...attemptWrites(db),
    ...outboxPruning(db),
  }
}

function attemptWrites(db: Database): Pick<OutboxWrites, "record" | "setFailing" | "disable"> {
  const record = prepare(
    db,
    `UPDATE deliveries SET status = ?3, due_at = ?4, code = ?5, error = ?6, milliseconds = ?7, answer = ?8,
       updated_at = ?9, attempts = attempts + 1, lease = NULL, leased_until = NULL,
       turn = (SELECT coalesce(max(turn), 0) + 1 FROM deliveries WHERE turn IS NOT NULL)
     WHERE rid = ?1 AND lease = ?2`,
  )
  const health = prepare<Omit<WebhookHealth, "active"> & { active: number }>(
    db,
    `SELECT rid AS ref, id, url, active, failing_since FROM webhooks
     WHERE rid = (SELECT webhook_rid FROM deliveries WHERE rid = ?)`,
  )
  const setFailing = prepare(db, "UPDATE webhooks SET failing_since = ?2 WHERE rid = ?1")
  const disable = prepare(
    db,
    "UPDATE webhooks SET active = 0, disabled_reason = ?2, updated_at = ?3 WHERE rid = ?1 AND active = 1",
  )
  return {
    async record({ ref, lease, status, due_at, code, error, milliseconds, answer, at }) {
      const seconds = Math.floor(at / 1000)
      const { changes } = record.run(ref, lease, status, due_at, code, error, milliseconds, answer, seconds)
      if (changes === 0) return undefined
      const webhook = health.get(ref)!
      return { ...webhook, active: webhook.active === 1 }
    },
    async setFailing(webhook, since) {
      setFailing.run(webhook, since)
    },
    async disable(webhook, reason, at) {
      disable.run(webhook, reason, Math.floor(at / 1000))
    },
  }
}
