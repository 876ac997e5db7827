import type { Database } from "bun:sqlite"
import { and, asc, eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Webhook, WebhookReads, WebhookWrites } from "../../contract/store.ts"
import { webhookPlace } from "../../sealing.ts"
import { prepare } from "../file/database.ts"
import type { Secrets } from "../file/secrets.ts"
import { webhooks } from "../tables.ts"
import { hearing } from "./segment-moves.ts"

const SHOWN = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  secret: webhooks.secret,
  active: webhooks.active,
  disabled_reason: webhooks.disabled_reason,
  created_at: webhooks.created_at,
  updated_at: webhooks.updated_at,
}

/** One that was removed is not there any more, whatever of it is still to be cleared away. */
const ofAccount = (account: number) => and(eq(webhooks.account_id, account), eq(webhooks.removed, false))
const one = (account: number, id: string) => and(ofAccount(account), eq(webhooks.id, id))

export function webhookReads(db: Database, secrets: Secrets): WebhookReads {
  const orm = drizzle({ client: db })
  // On the path of every write.
  const subscribed = prepare<{ id: string }, [number, string]>(
    db,
    `SELECT id FROM webhooks WHERE account_id = ? AND active = 1
       AND EXISTS (SELECT 1 FROM json_each(events) WHERE value IN (?, '*')) ORDER BY rid`,
  )
  function asWebhook(account: number, row: Webhook & { events: string[] }): Webhook {
    const secret = secrets.read(row.secret, webhookPlace(account, row.id))
    return { ...row, secret, events: row.events.includes(ANY_EVENT) ? "all" : row.events }
  }
  return {
    async find(account, id) {
      const row = orm.select(SHOWN).from(webhooks).where(one(account, id)).get()
      return row && asWebhook(account, row)
    },
    list: async (account) =>
      orm
        .select(SHOWN)
        .from(webhooks)
        .where(ofAccount(account))
        .orderBy(asc(webhooks.rid))
        .all()
        .map((row) => asWebhook(account, row)),
    subscribed: async (account, event) => subscribed.all(account, event),
  }
}

/** What stands in the list of a webhook that takes every event. */
const ANY_EVENT = "*"

function listed(events: Webhook["events"]): string[] {
  return events === "all" ? [ANY_EVENT] : events
}

/** `changed` is told of what may make deliveries due. */
export function webhookWrites(db: Database, secrets: Secrets, changed: () => void): WebhookWrites {
  const orm = drizzle({ client: db })
  const revise = hearing(db)
  function kept(account: number, { id, secret, previous_secret }: Webhook) {
    const place = webhookPlace(account, id)
    return { secret: secrets.keep(secret, place), previous_secret: secrets.keep(previous_secret, place) }
  }
  return {
    async insert(account, webhook) {
      orm
        .insert(webhooks)
        .values({
          account_id: account,
          ...webhook,
          ...kept(account, webhook),
          events: listed(webhook.events),
        })
        .run()
      revise(account)
    },
    async update(account, webhook) {
      const { id, created_at: _, ...changes } = webhook
      const isSame = and(eq(webhooks.active, true), eq(webhooks.url, changes.url))
      orm
        .update(webhooks)
        .set({
          ...changes,
          ...kept(account, webhook),
          events: listed(changes.events),
          failing_since: sql`iif(${isSame}, ${webhooks.failing_since}, NULL)`,
        })
        .where(one(account, id))
        .run()
      revise(account)
      changed()
    },
    async remove(account, id) {
      const gone = { active: false, removed: true, secret: null, previous_secret: null }
      const removed = orm
        .update(webhooks)
        .set(gone)
        .where(one(account, id))
        .returning({ id: webhooks.id })
        .all()
      revise(account)
      return removed.length > 0
    },
  }
}
