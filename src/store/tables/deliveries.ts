import {
  DELIVERY_STATUSES,
  type DeliveryReads,
  type DeliveryRow,
  type DeliveryWrites,
} from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { Dialect } from "../sql/dialect.ts"

const SHOWN = `v.rid AS ref, v.id, e.event, v.status, v.attempts, v.code, v.error, v.milliseconds, v.answer,
  CASE WHEN v.status = 'pending' AND w.active THEN v.due_at / 1000 END AS next_attempt_at, v.created_at, v.updated_at`
const WEBHOOK = "(SELECT rid FROM webhooks WHERE account_id = $1 AND id = $2 AND NOT removed)"
/** Events whose bodies are looked into at once: a millisecond or two. */
const LOOKED_INTO = 200

const FIND = `SELECT ${SHOWN}
  FROM deliveries v JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid
  WHERE v.account_id = $1 AND v.id = $3 AND w.rid = ${WEBHOOK}`

/** The newest of one status come straight out of the index; with no status asked for, out of four places in it. */
const NEWEST = DELIVERY_STATUSES.map(
  (
    status,
  ) => `SELECT * FROM (SELECT rid FROM deliveries WHERE webhook_rid = ${WEBHOOK} AND status = '${status}'
    AND ($3::text IS NULL OR $3 = '${status}') AND attempts >= $6 AND rid < $4 ORDER BY rid DESC LIMIT $5) AS ${status}`,
).join(" UNION ALL ")

const list = ({ loopJoin }: Dialect) => `WITH newest (rid) AS (${NEWEST}) SELECT ${SHOWN}
  FROM newest n ${loopJoin} deliveries v ON v.rid = n.rid ${loopJoin} events e ON e.rid = v.event_rid
    ${loopJoin} webhooks w ON w.rid = v.webhook_rid
  ORDER BY n.rid DESC LIMIT $5`

/** A file has no index of events by account, so that it steps over those of others. */
const mentioning = ({ engine, position, list }: Dialect) =>
  `SELECT rid AS ref, CASE WHEN account_id = $1 AND (event LIKE 'form.%'
     OR EXISTS (SELECT 1 FROM ${list("$3", "text", "sought")} WHERE ${position("body", "sought")} > 0)) THEN body END AS body
   FROM events WHERE ${engine === "postgres" ? "account_id = $1 AND " : ""}rid > $2 ORDER BY rid LIMIT ${LOOKED_INTO}`

export function deliveryReads(db: Db): DeliveryReads {
  const LIST = list(db.dialect)
  const MENTIONING = mentioning(db.dialect)
  return {
    async mentioning(account, texts, after) {
      const rows = await db.all<{ ref: number; body: string | null }>(MENTIONING, [
        account,
        Number(after ?? 0),
        texts,
      ])
      const events = rows.flatMap(({ ref, body }) => (body === null ? [] : [{ ref, body }]))
      const last = rows.length === 0 ? undefined : String(rows.at(-1)!.ref)
      return { events, last, next: rows.length < LOOKED_INTO ? undefined : last }
    },
    find: (account, webhookId, id) => db.get<DeliveryRow>(FIND, [account, webhookId, id]),
    async list(account, webhookId, { status, isFailing = false, after, limit }) {
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
      const page = await db.all<DeliveryRow>(LIST, [
        ...[account, webhookId, isFailing ? "pending" : status, before, limit + 1],
        isFailing ? 1 : 0,
      ])
      const rows = page.slice(0, limit)
      return { rows, next: page.length > limit ? String(rows.at(-1)!.ref) : undefined }
    },
  }
}

const REWRITE = "UPDATE events SET body = $3 WHERE account_id = $1 AND rid = $2"
const FORGET_ANSWERS =
  "UPDATE deliveries SET answer = NULL WHERE account_id = $1 AND event_rid = $2 AND answer <> ''"

/** Restarts the schedule of an ended delivery; a waiting one keeps its place. */
const AGAIN = `UPDATE deliveries SET status = 'pending', due_at = $1, lease = NULL, leased_until = NULL,
  updated_at = $2, attempts = CASE WHEN status = 'pending' THEN attempts ELSE 0 END`
const WAITS = "status = 'pending' AND due_at > $1 AND (leased_until IS NULL OR leased_until <= $1)"
const RETRY = `${AGAIN} WHERE rid = $3 AND (status <> 'pending' OR (${WAITS}))`
const again = (where: string) => `${AGAIN} WHERE rid IN (SELECT rid FROM deliveries
  WHERE webhook_rid = (SELECT rid FROM webhooks WHERE account_id = $3 AND id = $4 AND NOT removed)
    AND created_at >= $5 AND ${where} LIMIT $6)`
const RETRY_OVER = again("status IN ('failed', 'expired')")
const RETRY_WAITING = again(`attempts > 0 AND ${WAITS}`)

/** `publish` is the engine's own: it is part of every write that a webhook takes an event of. */
export function deliveryWrites(
  db: WriteDb,
  publish: DeliveryWrites["publish"],
  nowDue: () => void,
): DeliveryWrites {
  return {
    publish,
    async rewrite(account, ref, body) {
      db.later(REWRITE, [account, ref, body])
      db.later(FORGET_ANSWERS, [account, ref])
    },
    async retry(ref, at) {
      nowDue()
      return (await db.run(RETRY, [at, Math.floor(at / 1000), ref])) > 0
    },
    async retryFailed(account, webhookId, { since, at, limit }) {
      nowDue()
      const which = [at, Math.floor(at / 1000), account, webhookId, since]
      const over = await db.run(RETRY_OVER, [...which, limit])
      return over + (await db.run(RETRY_WAITING, [...which, limit - over]))
    },
  }
}
