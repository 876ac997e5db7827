import { Database } from "bun:sqlite"
import { systemClock } from "../../src/core/clock.ts"
import { createIds } from "../../src/core/ids.ts"
import { EVENTS } from "../../src/domain/webhooks/events.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"

export interface SentEvent {
  event: string
  timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: data of any event
  data: any
}

/**
 * Subscribes the first account of a running service to every event, made from outside on its file. Returns what reads
 * the events that are in the outbox since, in order.
 */
export async function watchOutbox(file: string): Promise<() => SentEvent[]> {
  const store = openSqliteStore(file, createIds(systemClock))
  await store.writeAcross(async (tx) => {
    const [account] = await tx.accounts.list()
    await tx.webhooks.insert(account!.key, {
      id: tx.newId("wh_"),
      // Nobody listens at the discard port: what is sent there comes to nothing.
      url: "http://127.0.0.1:9/",
      events: [...EVENTS],
      secret: null,
      active: true,
      disabled_reason: null,
      created_at: 0,
      updated_at: 0,
    })
  })
  await store.close()
  return () => {
    const db = new Database(file, { readonly: true })
    try {
      return db
        .query<{ body: string }, []>("SELECT body FROM events ORDER BY rid")
        .all()
        .map(({ body }) => JSON.parse(body))
    } finally {
      db.close()
    }
  }
}
