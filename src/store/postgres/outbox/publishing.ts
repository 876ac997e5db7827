// The part of the outbox that nearly every write goes through: which webhooks take an event, and keeping it for them.
import type { DeliveryWrites, WebhookReads } from "../../contract/store.ts"
import { ANY_EVENT } from "../../tables/webhooks.ts"
import type { Sink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"

/** `stored` answers once a webhook was changed; until then the account's row, as it was locked, knows them. */
export function subscribedWithin(tx: Tx, stored: WebhookReads): Pick<WebhookReads, "subscribed"> {
  return {
    async subscribed(account, event) {
      const { webhooks } = await tx.account(account)
      if (!webhooks) return stored.subscribed(account, event)
      return webhooks.flatMap(({ id, events }) => (takes(events, event) ? { id } : []))
    },
  }
}

const lists = new Map<string, readonly string[]>()

function takes(events: string, event: string): boolean {
  const list = lists.get(events) ?? (JSON.parse(events) as string[])
  if (lists.size < 1_000) lists.set(events, list)
  return list.includes(ANY_EVENT) || list.includes(event)
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

export function publishing(
  tx: Tx,
  newId: (prefix?: string) => string,
  nowDue: () => void,
): DeliveryWrites["publish"] {
  return async (account_id, { id: event_id, event, body, created_at }, webhookIds, at) => {
    const ids = webhookIds.map(() => newId("dlv_"))
    tx.defer(published, { account_id, event_id, event, body, created_at, at, ids, webhooks: [...webhookIds] })
    if (ids.length > 0) nowDue()
    return ids
  }
}
