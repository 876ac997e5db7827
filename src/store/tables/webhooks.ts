import { rightsOf } from "../../access/rights.ts"
import type { Webhook, WebhookReads, WebhookWrites } from "../contract/store.ts"
import { webhookPlace } from "../shared/sealing.ts"
import { type Salt, type Secrets, UnreadableSecretError } from "../shared/secrets.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { Dialect } from "../sql/dialect.ts"
import { accountRows, rowAs } from "../sql/rows.ts"
import type { TableRow } from "../sql/schema/index.ts"
import { type OriginRow, originColumns, originJoins, originOf } from "./api-keys.ts"
import { SALT, saltOf } from "./secrets.ts"
import { updateSegmentWatch } from "./segment-watch.ts"
import type { Surroundings } from "./surroundings.ts"

type Columns = "id" | "url" | "events" | "secret" | "active" | "disabled_reason" | "created_at" | "updated_at"
type Stored = Pick<TableRow<"webhooks">, Columns> & OriginRow & { salt: Salt }

const ROWS = accountRows("webhooks", [
  ...(["id", "url", "events", "secret", "active", "disabled_reason", "made_by"] as const),
  ...(["created_at", "updated_at", "previous_secret", "previous_until"] as const),
])
/** In the list of events of a webhook that takes every event. */
export const ANY_EVENT = "*"

/** Hides removed webhooks whose deliveries are still being deleted. */
const FOUND = `SELECT w.id, w.url, w.events, w.secret, w.active, w.disabled_reason, w.created_at, w.updated_at,
  ${originColumns("w.made_by")}, ${SALT} AS salt FROM webhooks w ${originJoins("w.made_by")}
  WHERE w.account_id = $1 AND NOT w.removed`
const FIND = `${FOUND} AND w.id = $2`
const LIST = `${FOUND} ORDER BY w.rid`
const subscribed = ({ jsonItems }: Dialect) =>
  `SELECT id FROM webhooks WHERE account_id = $1 AND active
     AND EXISTS (SELECT 1 FROM ${jsonItems("events")} e WHERE e.value IN ($2, '${ANY_EVENT}')) ORDER BY rid`

/** When a webhook ends with its maker; null for never. */
export const endOf = (row: OriginRow): number | null =>
  rightsOf({ role: "editor", ends_at: null }, originOf(row)).ends_at

export function webhookReads(db: Db, secrets: Secrets): WebhookReads {
  const SUBSCRIBED = subscribed(db.dialect)

  function asWebhook(account: number, row: Stored): Webhook {
    const { id, url, active, disabled_reason, made_by, created_at, updated_at, salt } = row
    const events: string[] = JSON.parse(row.events)
    const ends_at = endOf(row)
    const webhook = {
      ...{ id, url, disabled_reason, made_by, ends_at, created_at, updated_at },
      active: Boolean(active),
      events: events.includes(ANY_EVENT) ? ("all" as const) : events,
    }
    try {
      return { ...webhook, secret: secrets.read(row.secret, webhookPlace(account, row.id), salt) }
    } catch (error) {
      // It fails for this webhook alone, where its secret is needed.
      if (!(error instanceof UnreadableSecretError) || row.secret === null) throw error
      return { ...webhook, secret: "", unreadable: row.secret }
    }
  }

  return {
    find: (account, id) => rowAs(db.get<Stored>(FIND, [account, id]), (row) => asWebhook(account, row)),
    list: async (account) => (await db.all<Stored>(LIST, [account])).map((row) => asWebhook(account, row)),
    subscribed: (account, event) => db.all<{ id: string }>(SUBSCRIBED, [account, event]),
  }
}

const UPDATE = `UPDATE webhooks SET failing_since = CASE WHEN active AND url = $3 THEN failing_since END, url = $3,
    events = $4, secret = $5, active = $6, disabled_reason = $7, updated_at = $8, made_by = $12,
    previous_secret = CASE WHEN $9 THEN $10 ELSE previous_secret END,
    previous_until = CASE WHEN $9 THEN $11 ELSE previous_until END
  WHERE account_id = $1 AND id = $2 AND NOT removed`
const REMOVE = `UPDATE webhooks SET active = false, removed = true, secret = NULL, previous_secret = NULL
  WHERE account_id = $1 AND id = $2 AND NOT removed`

export function webhookWrites(
  db: WriteDb,
  { secrets, columns, webhooksChanged, nowDue }: Surroundings,
): WebhookWrites {
  async function changed(account: number): Promise<void> {
    await updateSegmentWatch(db, columns, account)
    webhooksChanged(account)
  }
  async function sealed(account: number, { id, secret, previous_secret, unreadable }: Webhook) {
    const [place, salt] = [webhookPlace(account, id), await saltOf(db)]
    return [unreadable ?? secrets.keep(secret, place, salt), secrets.keep(previous_secret, place, salt)]
  }
  return {
    async insert(account, webhook) {
      const [secret, previous_secret] = await sealed(account, webhook)
      const { previous_until } = webhook
      const row = { ...webhook, events: listed(webhook.events), secret, previous_secret, previous_until }
      db.later(...ROWS.insert(account, row))
      await changed(account)
    },
    async update(account, webhook) {
      const { id, url, events, active, disabled_reason, updated_at, previous_until, made_by } = webhook
      const [secret, previous] = await sealed(account, webhook)
      db.later(UPDATE, [
        ...[account, id, url, listed(events), secret, active, disabled_reason, updated_at],
        ...[previous !== undefined, previous, previous_until, made_by],
      ])
      await changed(account)
      nowDue()
    },
    async remove(account, id) {
      const removed = await db.run(REMOVE, [account, id])
      await changed(account)
      return removed > 0
    },
  }
}

function listed(events: Webhook["events"]): string {
  return JSON.stringify(events === "all" ? [ANY_EVENT] : events)
}

/** Webhooks with due deliveries that nobody was told of yet. */
export interface DueWebhooks {
  /** Without a webhook: any may have some. */
  add(webhook?: number): void
  /** To be called after the commit. */
  tell(): void
}

export function dueWebhooks(onDue?: (webhooks: number[]) => void): DueWebhooks {
  const due = new Set<number | undefined>()
  return {
    add: (webhook) => void due.add(webhook),
    tell() {
      if (due.size === 0) return
      const webhooks = due.has(undefined) ? [] : [...due].filter((webhook) => webhook !== undefined)
      due.clear()
      onDue?.(webhooks)
    },
  }
}
