import { Database } from "bun:sqlite"
import { SQL } from "bun"
import { EVENTS } from "../../src/domain/events.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { databaseOf, openBeside } from "./database.ts"

interface SentEvent {
  event: string
  timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: data of any event
  data: any
}

/**
 * Subscribes the first account of a running service to every event, made from outside on its file. Returns what reads
 * the events that are in the outbox since, in order.
 */
export async function watchOutbox(file: string): Promise<() => Promise<SentEvent[]>> {
  const store = await openBeside(file, createIds(systemClock))
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
      made_by: null,
      ends_at: null,
      created_at: 0,
      updated_at: 0,
    })
  })
  await store.close()
  return async () => {
    const bodies = await bodiesIn(file)
    return bodies.map(({ body }) => JSON.parse(body))
  }
}

async function bodiesIn(file: string): Promise<{ body: string }[]> {
  const sql = "SELECT body FROM events ORDER BY rid"
  const database = await databaseOf(file)
  if (database !== undefined) {
    await using db = new SQL(database, { max: 1 })
    return await db.unsafe(sql)
  }
  using db = new Database(file, { readonly: true })
  return db.query<{ body: string }, []>(sql).all()
}
