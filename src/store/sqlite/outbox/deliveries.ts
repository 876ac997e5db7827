import type { Database } from "bun:sqlite"
import {
  DELIVERY_STATUSES,
  type DeliveryReads,
  type DeliveryRow,
  type DeliveryWrites,
} from "../../contract/store.ts"
import { prepare } from "../file/database.ts"

const SHOWN = `v.rid AS ref, v.id, e.event, v.status, v.attempts, v.code, v.error, v.milliseconds, v.answer,
  CASE WHEN v.status = 'pending' AND w.active THEN v.due_at / 1000 END AS next_attempt_at,
  v.created_at, v.updated_at`
/** How long one look for bodies may take. */
const LOOK_MS = 3
const WEBHOOK = "(SELECT rid FROM webhooks WHERE account_id = ?1 AND id = ?2 AND removed = 0)"

/** The newest of one status come straight out of the index; with no status asked for, out of three places in it. */
const NEWEST = DELIVERY_STATUSES.map(
  (
    status,
  ) => `SELECT * FROM (SELECT rid FROM deliveries WHERE webhook_rid = ${WEBHOOK} AND status = '${status}'
    AND (?3 IS NULL OR ?3 = '${status}') AND rid < ?4 ORDER BY rid DESC LIMIT ?5)`,
).join(" UNION ALL ")

export function deliveryReads(db: Database): DeliveryReads {
  const one = prepare<DeliveryRow>(
    db,
    `SELECT ${SHOWN} FROM deliveries v JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid
     WHERE v.account_id = ?1 AND v.id = ?3 AND w.rid = ${WEBHOOK}`,
  )
  const list = prepare<DeliveryRow>(
    db,
    `WITH newest (rid) AS (${NEWEST}) SELECT ${SHOWN} FROM newest n CROSS JOIN deliveries v ON v.rid = n.rid
     CROSS JOIN events e ON e.rid = v.event_rid CROSS JOIN webhooks w ON w.rid = v.webhook_rid
     ORDER BY n.rid DESC LIMIT ?5`,
  )
  const bodies = prepare<{ ref: number; body: string | null }>(
    db,
    `SELECT rid AS ref, CASE WHEN account_id = ?2 AND instr(body, ?3) > 0 THEN body END AS body
     FROM events WHERE rid > ?1 ORDER BY rid`,
  )
  return {
    async mentioning(account, text, after) {
      const ends = performance.now() + LOOK_MS
      const events: { ref: number; body: string }[] = []
      for (const { ref, body } of bodies.iterate(Number(after ?? 0), account, text)) {
        if (body !== null) events.push({ ref, body })
        if (performance.now() > ends) return { events, next: String(ref) }
      }
      return { events, next: undefined }
    },
    find: async (account, webhookId, id) => one.get(account, webhookId, id) ?? undefined,
    async list(account, webhookId, { status, after, limit }) {
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
      const found = list.all(account, webhookId, status ?? null, before, limit + 1)
      const rows = found.slice(0, limit)
      return { rows, next: found.length > limit ? String(rows.at(-1)!.ref) : undefined }
    },
  }
}

/** `changed` is told of what makes deliveries due, and for which webhook if that is known. */
export function deliveryWrites(
  db: Database,
  newId: (prefix?: string) => string,
  changed: (webhook?: number) => void,
): DeliveryWrites {
  // Without RETURNING, which makes either insert take twice as long.
  const insertEvent = prepare(
    db,
    "INSERT INTO events (account_id, id, event, body, created_at) VALUES (?, ?, ?, ?, ?)",
  )
  const webhook = prepare<{ rid: number }>(db, "SELECT rid FROM webhooks WHERE account_id = ? AND id = ?")
  const insertDelivery = prepare(
    db,
    `INSERT INTO deliveries (account_id, id, webhook_rid, event_rid, status, due_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'pending', ?, ?, ?)`,
  )
  const setBody = prepare(db, "UPDATE events SET body = ? WHERE account_id = ? AND rid = ?")
  const forgetAnswers = prepare(
    db,
    "UPDATE deliveries SET answer = NULL WHERE account_id = ? AND event_rid = ? AND answer <> ''",
  )
  return {
    async rewrite(account, ref, body) {
      setBody.run(body, account, ref)
      forgetAnswers.run(account, ref)
    },
    async publish(account, { id, event, body, created_at }, webhookIds, at) {
      const eventRid = Number(insertEvent.run(account, id, event, body, created_at).lastInsertRowid)
      return webhookIds.map((webhookId) => {
        const delivery = newId("dlv_")
        const found = webhook.get(account, webhookId)
        if (found) {
          insertDelivery.run(account, delivery, found.rid, eventRid, at, created_at, created_at)
          changed(found.rid)
        }
        return delivery
      })
    },
    ...retries(db, changed),
  }
}

/** What is over starts its schedule again; what waits keeps its place in it. */
const AGAIN = `UPDATE deliveries SET status = 'pending', due_at = ?1, lease = NULL, leased_until = NULL,
  updated_at = CAST(?1 / 1000 AS INTEGER), attempts = iif(status = 'pending', attempts, 0)`
const WAITS = "status = 'pending' AND due_at > ?1 AND (leased_until IS NULL OR leased_until <= ?1)"

function retries(db: Database, changed: () => void): Pick<DeliveryWrites, "retry" | "retryFailed"> {
  const retryOne = prepare(db, `${AGAIN} WHERE rid = ?2 AND (status <> 'pending' OR (${WAITS}))`)
  const which = (where: string) =>
    prepare(
      db,
      `${AGAIN} WHERE rid IN (SELECT rid FROM deliveries
         WHERE webhook_rid = (SELECT rid FROM webhooks WHERE account_id = ?2 AND id = ?3 AND removed = 0)
           AND created_at >= ?4 AND ${where} LIMIT ?5)`,
    )
  const retryOver = which("status IN ('failed', 'expired')")
  const retryWaiting = which(`attempts > 0 AND ${WAITS}`)
  return {
    async retry(ref, at) {
      changed()
      return retryOne.run(at, ref).changes > 0
    },
    async retryFailed(account, webhookId, { since, at, limit }) {
      changed()
      const over = retryOver.run(at, account, webhookId, since, limit).changes
      return over + retryWaiting.run(at, account, webhookId, since, limit - over).changes
    },
  }
}
