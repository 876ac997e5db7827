// The sender on a database of its own, in this thread, with time in the test's hands.
import { afterEach } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { EVENTS } from "../../src/domain/events.ts"
import { createIds } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import type { Delivery, Webhook } from "../../src/store/contract/store.ts"
import { openSqliteReads, openSqliteStore } from "../../src/store/sqlite/index.ts"
import {
  createDeliveries,
  type Deliveries,
  type DeliveriesParts,
} from "../../src/worker/deliveries/deliveries.ts"
import { createNewsWriter } from "../../src/worker/deliveries/outbox.ts"
import { type HeldClock, heldClock } from "../support/clock.ts"
import { writeEmptyDatabase } from "../support/empty-database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { until } from "../support/until.ts"

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An account's outbox in a file of its own, without anybody who sends from it. */
export async function openOutbox(clock: HeldClock = heldClock()) {
  const folder = temporaryFolder()
  const file = writeEmptyDatabase(join(folder, "leads.db"))
  const store = openSqliteStore(file, createIds(clock))
  ends.push(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const account = await store.writeAcross((tx) =>
    tx.accounts.insert({ id: "acc_1", name: "one", plan: "enterprise", created_at: clock.seconds() }),
  )

  async function addWebhook(url: string, fields: Partial<Webhook> = {}): Promise<string> {
    const now = { created_at: clock.seconds(), updated_at: clock.seconds() }
    const webhook = {
      url,
      events: [...EVENTS],
      secret: null,
      active: true,
      disabled_reason: null,
      made_by: null,
      ends_at: null,
      ...now,
      ...fields,
    }
    return store.writeAcross(async (tx) => {
      const id = tx.newId("wh_")
      await tx.webhooks.insert(account, { ...webhook, id })
      return id
    })
  }

  /** Queues an event for one webhook. */
  async function publish(webhook: string, body = '{"event":"lead.created"}'): Promise<string> {
    const ids = await store.writeAcross((tx) => {
      const event = { id: tx.newId("evt_"), event: "lead.created", body, created_at: clock.seconds() }
      return tx.deliveries.publish(account, event, [webhook], clock.now())
    })
    return ids[0]!
  }

  const delivery = async (webhook: string, id: string): Promise<Delivery> =>
    (await store.read.deliveries.find(account, webhook, id))!
  const webhook = async (id: string): Promise<Webhook> => (await store.read.webhooks.find(account, id))!
  return { clock, file, store, account, addWebhook, publish, delivery, webhook }
}
export type Outbox = Awaited<ReturnType<typeof openOutbox>>

/** Somebody who sends from it; it is woken by the test. */
export function openSender(
  { file, store, clock }: Pick<Outbox, "file" | "store" | "clock">,
  changes: Partial<DeliveriesParts> = {},
): Deliveries {
  const reads = openSqliteReads(file)
  const sender = createDeliveries({
    read: reads.read.outbox,
    tell: createNewsWriter(
      store,
      createLog("off", () => {}),
    ),
    clock,
    policy: { allowPrivate: true, allowCidrs: [], ownPorts: [] },
    random: () => 0.5,
    defect: (error) => {
      throw error
    },
    ...changes,
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= sender.stop().then(() => reads.close())
    return stopped
  }
  ends.push(stop)
  return { wake: sender.wake, stop }
}

/** Wakes the sender and waits until an attempt, counted from 1, has been recorded. */
export async function attempted(
  { delivery }: Outbox,
  sender: Deliveries,
  webhook: string,
  id: string,
  nth: number,
): Promise<Delivery> {
  sender.wake()
  return until(`attempt ${nth} recorded`, async () => {
    const found = await delivery(webhook, id)
    return found.attempts === nth && found
  })
}
