import type { Webhook, WebhookReads, WebhookWrites } from "../../contract/store.ts"
import { webhookPlace } from "../../sealing.ts"
import type { Salt, Secrets } from "../../shared/secrets.ts"
import type { Db } from "../../sql/db.ts"
import { hearing } from "../leads/segment-hearing.ts"
import { SALT, saltOf } from "../secrets/salt.ts"
import type { Tx } from "../writes/transaction.ts"

type Stored = Omit<Webhook, "events"> & { events: string; salt: Salt }

const SHOWN = "id, url, events, secret, active, disabled_reason, created_at, updated_at"
/** What stands in the list of a webhook that takes every event. */
const ANY_EVENT = "*"

export function webhookReads(db: Db, secrets: Secrets): WebhookReads {
  function asWebhook(account: number, { salt, ...row }: Stored): Webhook {
    const events: string[] = JSON.parse(row.events)
    const secret = secrets.read(row.secret, webhookPlace(account, row.id), salt)
    return { ...row, secret, events: events.includes(ANY_EVENT) ? "all" : events }
  }
  return {
    async find(account, id) {
      const sql = `SELECT ${SHOWN}, ${SALT} AS salt FROM webhooks WHERE account_id = $1 AND id = $2 AND NOT removed`
      const row = await db.get<Stored>(sql, [account, id])
      return row && asWebhook(account, row)
    },
    async list(account) {
      const sql = `SELECT ${SHOWN}, ${SALT} AS salt FROM webhooks WHERE account_id = $1 AND NOT removed ORDER BY rid`
      return (await db.all<Stored>(sql, [account])).map((row) => asWebhook(account, row))
    },
    subscribed: (account, event) => subscribed(db, account, event),
  }
}

const subscribed = (db: Db, account: number, event: string) =>
  db.all<{ id: string }>(
    `SELECT id FROM webhooks WHERE account_id = $1 AND active AND EXISTS (
       SELECT 1 FROM json_array_elements_text(events::json) AS e (name) WHERE e.name IN ($2, '*')) ORDER BY rid`,
    [account, event],
  )

/** Within a transaction: those that were read with the account's lock, until one is changed. */
export function webhooksHeard(tx: Tx): Pick<WebhookReads, "subscribed"> {
  return {
    async subscribed(account, event) {
      const { webhooks } = await tx.account(account)
      if (!webhooks) return subscribed(tx, account, event)
      return webhooks.flatMap(({ id, events }) => (hears(events, event) ? { id } : []))
    },
  }
}

const lists = new Map<string, readonly string[]>()

function hears(events: string, event: string): boolean {
  const list = lists.get(events) ?? (JSON.parse(events) as string[])
  if (lists.size < 1_000) lists.set(events, list)
  return list.includes(ANY_EVENT) || list.includes(event)
}

function listed(events: Webhook["events"]): string {
  return JSON.stringify(events === "all" ? [ANY_EVENT] : events)
}

/** `changed` is told of what may make deliveries due. */
export function webhookWrites(tx: Tx, secrets: Secrets, changed: () => void): WebhookWrites {
  const count = hearing(tx)
  const revise = async (account: number) => {
    await count(account)
    const state = await tx.account(account)
    state.webhooks = undefined
  }
  async function kept(account: number, { id, secret, previous_secret }: Webhook) {
    const [place, salt] = [webhookPlace(account, id), await saltOf(tx)]
    return {
      secret: secrets.keep(secret, place, salt),
      previous_secret: secrets.keep(previous_secret, place, salt),
    }
  }
  return {
    async insert(account, webhook) {
      const { id, url, events, active, disabled_reason, created_at, updated_at } = webhook
      const { secret, previous_secret } = await kept(account, webhook)
      tx.later(
        `INSERT INTO webhooks (account_id, ${SHOWN}, previous_secret, previous_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          ...[account, id, url, listed(events), secret, active, disabled_reason, created_at, updated_at],
          ...[previous_secret, webhook.previous_until],
        ],
      )
      await revise(account)
    },
    async update(account, webhook) {
      const { id, url, events, active, disabled_reason, updated_at, previous_until } = webhook
      const { secret, previous_secret } = await kept(account, webhook)
      tx.later(
        `UPDATE webhooks SET failing_since = CASE WHEN active AND url = $3 THEN failing_since END, url = $3,
           events = $4, secret = $5, active = $6, disabled_reason = $7, updated_at = $8,
           previous_secret = CASE WHEN $9 THEN $10 ELSE previous_secret END,
           previous_until = CASE WHEN $9 THEN $11 ELSE previous_until END
         WHERE account_id = $1 AND id = $2 AND NOT removed`,
        [
          ...[account, id, url, listed(events), secret, active, disabled_reason, updated_at],
          ...[previous_secret !== undefined, previous_secret, previous_until],
        ],
      )
      await revise(account)
      changed()
    },
    async remove(account, id) {
      const removed = await tx.run(
        `UPDATE webhooks SET active = false, removed = true, secret = NULL, previous_secret = NULL
         WHERE account_id = $1 AND id = $2 AND NOT removed`,
        [account, id],
      )
      await revise(account)
      return removed > 0
    },
  }
}
