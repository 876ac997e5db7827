import type { AttemptLine, OutboxReads, OutboxWrites, Outgoing, WebhookHealth } from "../contract/store.ts"
import { webhookPlace } from "../shared/sealing.ts"
import type { Salt, Secrets } from "../shared/secrets.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { Dialect } from "../sql/dialect.ts"
import { type OriginRow, originColumns, originJoins } from "./api-keys.ts"
import { SALT } from "./secrets.ts"
import { endOf } from "./webhooks.ts"

interface Row {
  rid: number
  event_rid: number
}

/** A delivery that was never tried has no turn, and is not even read. */
const TRIED = `SELECT rid, event_rid, turn, status, updated_at AS at FROM deliveries
  WHERE turn IS NOT NULL AND turn > $1 ORDER BY turn LIMIT $2`
const ofRemoved = ({ loopJoin, isTrue }: Dialect) =>
  `SELECT v.rid, v.event_rid FROM webhooks w ${loopJoin} deliveries v ON v.webhook_rid = w.rid
   WHERE ${isTrue("w.removed")} LIMIT $1`
const DELETE_DELIVERIES = "DELETE FROM deliveries WHERE rid = ANY ($1::bigint[])"
const DELETE_EVENTS = `DELETE FROM events WHERE rid = ANY ($1::bigint[])
  AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.event_rid = events.rid)`
const deleteWebhooks = ({ isTrue }: Dialect) =>
  `DELETE FROM webhooks WHERE ${isTrue("removed")}
     AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.webhook_rid = webhooks.rid)`

/** Deletes what is over and old, or of webhooks that were removed, a little at a time. */
function outboxPruning(db: WriteDb): Pick<OutboxWrites, "prune" | "pruneRemoved"> {
  const OF_REMOVED = ofRemoved(db.dialect)
  const DELETE_WEBHOOKS = deleteWebhooks(db.dialect)

  function remove(deliveries: readonly Row[]): void {
    if (deliveries.length === 0) return
    db.later(DELETE_DELIVERIES, [deliveries.map(({ rid }) => rid)])
    db.later(DELETE_EVENTS, [deliveries.map(({ event_rid }) => event_rid)])
  }

  return {
    async prune({ before, after, limit }) {
      const page = await db.all<Row & { turn: number; status: string; at: number }>(TRIED, [after, limit])
      const over = page.filter(({ status }) => status !== "pending")
      const old = over.filter(({ at }) => at < before)
      remove(old)
      // Later turns ended later: the first that is young ends the search.
      return page.length < limit || old.length < over.length ? undefined : page.at(-1)!.turn
    },
    async pruneRemoved(limit) {
      const rows = await db.all<Row>(OF_REMOVED, [limit])
      remove(rows)
      return (await db.run(DELETE_WEBHOOKS)) > 0 || rows.length > 0
    },
  }
}

/** Steps from webhook to webhook through the index, past however many deliveries each has. */
const waiting = ({ loopJoin }: Dialect) => `WITH RECURSIVE step (webhook) AS (
    SELECT min(webhook_rid) FROM deliveries WHERE status = 'pending'
    UNION ALL
    SELECT (SELECT min(webhook_rid) FROM deliveries WHERE status = 'pending' AND webhook_rid > webhook)
    FROM step WHERE webhook IS NOT NULL)
  SELECT webhook,
    (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND webhook_rid = webhook) AS due_at
  FROM step ${loopJoin} webhooks w ON w.rid = webhook WHERE w.active ORDER BY webhook`

/** Due at $1, and not leased. */
const FREE = "v.status = 'pending' AND v.due_at <= $1 AND (v.leased_until IS NULL OR v.leased_until <= $1)"
const DUE = `SELECT rid FROM deliveries v WHERE webhook_rid = $2 AND ${FREE} ORDER BY due_at, rid LIMIT $3`
const LOAD = `SELECT v.id, e.event, e.body, v.attempts, w.url, w.secret, w.previous_secret, w.previous_until, w.active,
    v.account_id, w.id AS webhook, ${SALT} AS salt
  FROM deliveries v JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid
  WHERE v.rid = $1 AND v.lease = $2`
const LAST_TURN = "SELECT coalesce(max(turn), 0) AS turn FROM deliveries WHERE turn IS NOT NULL"
const attempts = ({
  loopJoin,
}: Dialect) => `SELECT v.turn, v.id, a.id AS account, w.id AS webhook_id, e.event, w.url,
    v.status, v.attempts, v.code, v.error, v.milliseconds, v.updated_at AS at,
    CASE WHEN v.status = 'pending' AND w.active THEN v.due_at / 1000 END AS next_attempt_at
  FROM deliveries v ${loopJoin} events e ON e.rid = v.event_rid ${loopJoin} webhooks w ON w.rid = v.webhook_rid
    ${loopJoin} accounts a ON a.key = v.account_id
  WHERE v.turn > $1 AND ($3::bigint IS NULL OR v.account_id = $3) ORDER BY v.turn LIMIT $2`

interface Loaded extends Omit<Outgoing, "active"> {
  active: boolean | number
  account_id: number
  webhook: string
  salt: Salt
}

export function outboxReads(db: Db, secrets: Secrets): OutboxReads {
  const WAITING = waiting(db.dialect)
  const ATTEMPTS = attempts(db.dialect)
  return {
    waiting: () => db.all<{ webhook: number; due_at: number }>(WAITING),
    due: async (webhook, now, limit) =>
      (await db.all<{ rid: number }>(DUE, [now, webhook, limit])).map(({ rid }) => rid),
    async load({ ref, lease }) {
      const row = await db.get<Loaded>(LOAD, [ref, lease])
      if (!row) return undefined
      const { account_id, webhook, salt, active, secret, previous_secret, ...outgoing } = row
      const place = webhookPlace(account_id, webhook)
      return {
        ...outgoing,
        active: Boolean(active),
        secret: secrets.read(secret, place, salt),
        previous_secret: secrets.read(previous_secret ?? null, place, salt),
      }
    },
    lastTurn: async () => (await db.get<{ turn: number }>(LAST_TURN))!.turn,
    attempts: (after, limit, account) => db.all<AttemptLine>(ATTEMPTS, [after, limit, account]),
  }
}

/**
 * Processes share a PostgreSQL database: a webhook is one process's for as long as that has leases of it, so that its
 * attempts in flight are counted once. Of a file one process is the sender.
 */
const claim = ({ engine }: Dialect) => {
  const others = `AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.webhook_rid = v.webhook_rid AND o.lease IS NOT NULL
    AND o.leased_until > $1 AND split_part(o.lease, '/', 1) <> split_part($2, '/', 1))`
  return `UPDATE deliveries SET lease = $2, leased_until = $3 WHERE rid IN (
      SELECT v.rid FROM deliveries v WHERE v.rid = ANY ($4::bigint[]) AND ${FREE} ${engine === "postgres" ? others : ""}
      FOR UPDATE SKIP LOCKED)
    RETURNING rid`
}

/** Who made the webhooks of deliveries. */
const MAKERS = `SELECT w.rid, w.id, ${originColumns("w.made_by")} FROM webhooks w ${originJoins("w.made_by")}
  WHERE w.rid IN (SELECT webhook_rid FROM deliveries WHERE rid = ANY ($1::bigint[])) AND w.active
    AND w.made_by IS NOT NULL`

const released = bulk(
  { ref: "bigint", lease: "text" },
  (rows) => `UPDATE deliveries SET lease = NULL, leased_until = NULL
    FROM ${rows} WHERE deliveries.rid = r.ref AND deliveries.lease = r.lease`,
)

/** $1 is now, $2 how far the clock went back, $3 the longest waits by attempts, $4 the longest lease. */
const reschedule = ({ least, item }: Dialect) => {
  const longest = `$1::bigint + coalesce(${item("$3::bigint[]", "attempts")}, 0)`
  return `UPDATE deliveries SET
      leased_until = CASE WHEN leased_until IS NOT NULL THEN ${least("leased_until - $2::bigint", "$1::bigint + $4::bigint")} END,
      due_at = ${least("due_at - $2::bigint", longest)}
    WHERE status = 'pending' AND ($2::bigint > 0 OR leased_until > $1::bigint + $4::bigint OR due_at > ${longest})
      AND (due_at > $1::bigint OR leased_until > $1::bigint)`
}

export function outboxWrites(db: WriteDb): OutboxWrites {
  const CLAIM = claim(db.dialect)
  const RESCHEDULE = reschedule(db.dialect)
  return {
    async endWebhooks(refs, reason, now) {
      const seconds = Math.floor(now / 1000)
      const made = await db.all<OriginRow & { rid: number; id: string }>(MAKERS, [refs])
      const ended = made.filter((row) => (endOf(row) ?? Number.POSITIVE_INFINITY) <= seconds)
      for (const { rid } of ended) db.later(DISABLE, [rid, reason, seconds])
      return ended.map(({ id }) => id)
    },
    async claim(refs, { lease, now, until }) {
      const rows = await db.all<{ rid: number }>(CLAIM, [now, lease, until, refs])
      const claimed = new Set(rows.map(({ rid }) => rid))
      return refs.filter((ref) => claimed.has(ref))
    },
    async release(leases) {
      for (const { ref, lease } of leases) db.put(released, [ref, lease])
    },
    async reschedule({ now, back, longest, lease }) {
      db.later(RESCHEDULE, [now, back, longest, lease])
    },
    ...attemptWrites(db),
    ...outboxPruning(db),
  }
}

const NOTE_ATTEMPT = `UPDATE deliveries SET status = $3, due_at = $4, code = $5, error = $6, milliseconds = $7, answer = $8,
    updated_at = $9, attempts = attempts + 1, lease = NULL, leased_until = NULL,
    turn = (SELECT coalesce(max(turn), 0) + 1 FROM deliveries WHERE turn IS NOT NULL)
  WHERE rid = $1 AND lease = $2`
const HEALTH = "id, url, active, failing_since"
/** One statement saves PostgreSQL a round trip; in SQLite two statements cost less than one with RETURNING. */
const RECORD = `WITH noted AS (${NOTE_ATTEMPT} RETURNING webhook_rid)
  SELECT rid AS ref, ${HEALTH} FROM webhooks WHERE rid = (SELECT webhook_rid FROM noted)`
const HEALTH_OF = `SELECT rid AS ref, ${HEALTH} FROM webhooks
  WHERE rid = (SELECT webhook_rid FROM deliveries WHERE rid = $1)`

const SET_FAILING = "UPDATE webhooks SET failing_since = $2 WHERE rid = $1"
const DISABLE =
  "UPDATE webhooks SET active = false, disabled_reason = $2, updated_at = $3 WHERE rid = $1 AND active"

function attemptWrites(db: WriteDb): Pick<OutboxWrites, "record" | "setFailing" | "disable"> {
  return {
    async record({ ref, lease, status, due_at, code, error, milliseconds, answer, at }) {
      type Health = Omit<WebhookHealth, "active"> & { active: boolean | number }
      const seconds = Math.floor(at / 1000)
      const values = [ref, lease, status, due_at, code, error, milliseconds, answer, seconds]
      const health =
        db.dialect.engine === "postgres"
          ? await db.get<Health>(RECORD, values)
          : (await db.run(NOTE_ATTEMPT, values)) > 0 && (await db.get<Health>(HEALTH_OF, [ref]))
      return health ? { ...health, active: Boolean(health.active) } : undefined
    },
    async setFailing(webhook, since) {
      db.later(SET_FAILING, [webhook, since])
    },
    async disable(webhook, reason, at) {
      db.later(DISABLE, [webhook, reason, Math.floor(at / 1000)])
    },
  }
}
