import type { DeliveryReads, DeliveryRow, DeliveryWrites } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import type { Sink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"

const SHOWN = `v.rid AS ref, v.id, e.event, v.status, v.attempts, v.code, v.error, v.milliseconds, v.answer,
  CASE WHEN v.status = 'pending' AND w.active THEN v.due_at / 1000 END AS next_attempt_at, v.created_at, v.updated_at`
const JOINED = "deliveries v JOIN events e ON e.rid = v.event_rid JOIN webhooks w ON w.rid = v.webhook_rid"
const WEBHOOK = "(SELECT rid FROM webhooks WHERE account_id = $1 AND id = $2 AND NOT removed)"
/** Events whose bodies are looked into at once. */
const LOOKED_INTO = 500

export function deliveryReads(db: Db): DeliveryReads {
  return {
    async mentioning(account, text, after) {
      const rows = await db.all<{ ref: number; body: string | null }>(
        `SELECT rid AS ref, CASE WHEN strpos(body, $3) > 0 THEN body END AS body
         FROM events WHERE account_id = $1 AND rid > $2 ORDER BY rid LIMIT ${LOOKED_INTO}`,
        [account, after ?? 0, text],
      )
      const events = rows.flatMap(({ ref, body }) => (body === null ? [] : [{ ref, body }]))
      return { events, next: rows.length < LOOKED_INTO ? undefined : String(rows.at(-1)!.ref) }
    },
    find: (account, webhookId, id) =>
      db.get<DeliveryRow>(
        `SELECT ${SHOWN} FROM ${JOINED} WHERE v.account_id = $1 AND v.id = $3 AND w.rid = ${WEBHOOK}`,
        [account, webhookId, id],
      ),
    async list(account, webhookId, { status, after, limit }) {
      const found = await db.all<DeliveryRow>(
        `SELECT ${SHOWN} FROM ${JOINED} WHERE v.webhook_rid = ${WEBHOOK} AND ($3::text IS NULL OR v.status = $3)
           AND v.rid < $4 ORDER BY v.rid DESC LIMIT $5`,
        [account, webhookId, status, after ?? Number.MAX_SAFE_INTEGER, limit + 1],
      )
      const rows = found.slice(0, limit)
      return { rows, next: found.length > limit ? String(rows.at(-1)!.ref) : undefined }
    },
  }
}

interface Published {
  account_id: number
  event_id: string
  event: string
  body: string
  created_at: number
  at: number
  /** Ids of deliveries, and of the webhooks that they go to. */
  ids: string[]
  webhooks: string[]
}

/** Events with their deliveries, many at a time. */
const published: Sink<Published> = {
  write(rows, send) {
    send(
      `WITH r AS (
         SELECT * FROM ROWS FROM (json_to_recordset($1::text::json) AS (account_id bigint, event_id text, event text,
           body text, created_at bigint, at bigint, ids json, webhooks json))
           WITH ORDINALITY AS r (account_id, event_id, event, body, created_at, at, ids, webhooks, nth)
       ), e AS (
         INSERT INTO events (account_id, id, event, body, created_at)
         SELECT account_id, event_id, event, body, created_at FROM r ORDER BY nth RETURNING rid, account_id, id
       )
       INSERT INTO deliveries (account_id, id, webhook_rid, event_rid, status, due_at, created_at, updated_at)
       SELECT r.account_id, d.id, w.rid, e.rid, 'pending', r.at, r.created_at, r.created_at
       FROM r JOIN e ON e.account_id = r.account_id AND e.id = r.event_id
         CROSS JOIN json_array_elements_text(r.ids) WITH ORDINALITY AS d (id, place)
         JOIN webhooks w ON w.account_id = r.account_id AND w.id = r.webhooks ->> (d.place - 1)::int
       ORDER BY r.nth, d.place`,
      [JSON.stringify(rows)],
    )
  },
}

/** `changed` is told of what makes deliveries due, and for which webhook if that is known. */
export function deliveryWrites(
  tx: Tx,
  newId: (prefix?: string) => string,
  changed: (webhook?: number) => void,
): DeliveryWrites {
  return {
    async rewrite(account, ref, body) {
      tx.later("UPDATE events SET body = $3 WHERE account_id = $1 AND rid = $2", [account, ref, body])
      tx.later(
        "UPDATE deliveries SET answer = NULL WHERE account_id = $1 AND event_rid = $2 AND answer <> ''",
        [account, ref],
      )
    },
    async publish(account, { id, event, body, created_at }, webhooks, at) {
      const ids = webhooks.map(() => newId("dlv_"))
      const row = {
        account_id: account,
        event_id: id,
        event,
        body,
        created_at,
        at,
        ids,
        webhooks: [...webhooks],
      }
      tx.defer(published, row)
      if (ids.length > 0) changed()
      return ids
    },
    ...retries(tx, changed),
  }
}

/** What is over starts its schedule again; what waits keeps its place in it. */
const AGAIN = `UPDATE deliveries SET status = 'pending', due_at = $1, lease = NULL, leased_until = NULL,
  updated_at = $1::bigint / 1000, attempts = CASE WHEN status = 'pending' THEN attempts ELSE 0 END`
const WAITS = "status = 'pending' AND due_at > $1 AND (leased_until IS NULL OR leased_until <= $1)"

function retries(tx: Tx, changed: () => void): Pick<DeliveryWrites, "retry" | "retryFailed"> {
  const which = (where: string) =>
    `${AGAIN} WHERE rid IN (SELECT rid FROM deliveries
       WHERE webhook_rid = (SELECT rid FROM webhooks WHERE account_id = $2 AND id = $3 AND NOT removed)
         AND created_at >= $4 AND ${where} ORDER BY rid LIMIT $5)`
  return {
    async retry(ref, at) {
      changed()
      return (await tx.run(`${AGAIN} WHERE rid = $2 AND (status <> 'pending' OR (${WAITS}))`, [at, ref])) > 0
    },
    async retryFailed(account, webhookId, { since, at, limit }) {
      changed()
      const ours = [at, account, webhookId, since]
      const over = await tx.run(which("status IN ('failed', 'expired')"), [...ours, limit])
      return over + (await tx.run(which(`attempts > 0 AND ${WAITS}`), [...ours, limit - over]))
    },
  }
}
