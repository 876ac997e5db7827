import type { Database } from "bun:sqlite"
import { and, asc, eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { WebhookReads, WebhookWrites } from "../store.ts"
import { prepare } from "./database.ts"
import { webhooks } from "./tables.ts"

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

export function webhookReads(db: Database): WebhookReads {
  const orm = drizzle({ client: db })
  // On the path of every write.
  const subscribed = prepare<{ id: string }, [number, string]>(
    db,
    `SELECT id FROM webhooks WHERE account_id = ? AND active = 1
       AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = ?) ORDER BY rid`,
  )
  return {
    async find(account, id) {
      const where = and(eq(webhooks.account_id, account), eq(webhooks.id, id))
      return orm.select(SHOWN).from(webhooks).where(where).get()
    },
    async list(account) {
      return orm
        .select(SHOWN)
        .from(webhooks)
        .where(eq(webhooks.account_id, account))
        .orderBy(asc(webhooks.rid))
        .all()
    },
    subscribed: async (account, event) => subscribed.all(account, event),
  }
}

export function webhookWrites(db: Database): WebhookWrites {
  const orm = drizzle({ client: db })
  return {
    async insert(account, webhook) {
      orm
        .insert(webhooks)
        .values({ account_id: account, ...webhook })
        .run()
    },
    async update(account, { id, created_at: _, ...changes }) {
      const restarted = changes.active ? { failing_since: null } : {}
      orm
        .update(webhooks)
        .set({ ...changes, ...restarted })
        .where(and(eq(webhooks.account_id, account), eq(webhooks.id, id)))
        .run()
    },
    async remove(account, id) {
      const where = and(eq(webhooks.account_id, account), eq(webhooks.id, id))
      return orm.delete(webhooks).where(where).returning({ id: webhooks.id }).all().length > 0
    },
  }
}
