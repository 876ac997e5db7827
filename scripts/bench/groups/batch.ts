import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { batchCreateLeads } from "../../../src/domain/leads/bulk/batch.ts"
import { execute } from "../../../src/domain/operation.ts"
import { createWebhook } from "../../../src/domain/webhooks/webhooks.ts"
import { openReader, openWriter } from "../../../src/store/sqlite/file/connections.ts"
import { copyOf, type Dataset, freshLeads, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { check, note, ratios, skipped, spread, takeTurns, timed } from "../harness.ts"
import { rawInserter, rowsOf } from "../raw-rows.ts"
import { openReceivers } from "../receivers.ts"
import { createRequests } from "../requests.ts"
import { restingCopy, type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, wrk } from "../wrk.ts"

const LEADS = 100_000
const BATCH = 500
/** Batches of a round. */
const BATCHES = 10
const IN_FLIGHT = 2
/** Of leads: what the raw side inserts, what ours is sent. */
const SERIES = { raw: 1, ours: 100 }
const WORK = "batch create of 500 with 2 attributes each"

/** Row 4. A webhook is subscribed, so that there is an outbox to write. */
export const batch: Group = {
  name: "batch",
  about: "batch create over HTTP against single creates and against the same rows inserted raw",
  async run({ program, scratch }) {
    if (!hasWrk) return [skipped(4, WORK, NO_WRK)]
    const receivers = await openReceivers(1)
    const data = await restingCopy(program, LEADS, join(scratch, "ours"))
    await subscribe(data, receivers.urls[0]!)
    const raw = await rawSide(data, join(scratch, "raw"))
    const service = await serve(program, data, "bound")
    try {
      const leads = BATCH * BATCHES
      let pushed = 0
      const ours = async () => (leads * 1_000) / (await pushBatches(service, pushed++))
      await ours()
      const single = async (round: number) => {
        const load = { origin: service.origin, requests: createRequests(service), number: round * 500_000 }
        return (await wrk({ ...load, connections: 16, seconds: 2 }, scratch)).perSecond
      }
      const inserted = async (round: number) => (leads * 1_000) / (await raw.insert(round))
      const rates = await takeTurns({ ours, single, inserted })
      return [
        check(4, WORK, spread(rates.ours), ">= 12000", "leads/s"),
        check(4, `${WORK}: batch / single creates`, ratios(rates.ours, rates.single), ">= 2.5", "x"),
        check(4, `${WORK}: batch / same rows raw`, ratios(rates.ours, rates.inserted), ">= 0.8", "x"),
        note(`${WORK}: single creates`, spread(rates.single), "leads/s"),
        note(`${WORK}: same rows raw`, spread(rates.inserted), "leads/s"),
      ]
    } finally {
      await Promise.all([service.stop(), receivers.stop(), raw.close()])
    }
  },
}

async function subscribe(data: Dataset, url: string): Promise<void> {
  const { ctx, close } = await openDataset(data.file)
  await execute(ctx, createWebhook, ctx.caller, { url })
  await close()
}

/** The batches of a round, their bodies made before the clock runs. Gives milliseconds. */
async function pushBatches(service: Service, round: number): Promise<number> {
  const leads = freshLeads(BATCH * BATCHES, SERIES.ours + round)
  const bodies = slices(leads).map((leads) => JSON.stringify({ leads }))
  const send = async (): Promise<void> => {
    for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
      const { failed, created } = await service.call("POST", "/leads/batch", body)
      if (failed > 0 || created.length !== BATCH) throw new Error(`${failed} leads of a batch failed`)
    }
  }
  return timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, send)))
}

/** A file to insert the rows of batches into, and one to make them in. */
async function rawSide(data: Dataset, folder: string) {
  const source = copyOf(data, folder)
  const target = join(folder, "target.db")
  copyFileSync(source.file, target)
  const { ctx, close } = await openDataset(source.file)
  const reader = openReader(source.file)
  const db = openWriter(target)
  const insert = rawInserter(db)
  return {
    /** Makes the rows of a round, then inserts them. Gives the milliseconds of the latter. */
    async insert(round: number) {
      const leads = freshLeads(BATCH * BATCHES, SERIES.raw + round)
      const batches = await rowsOf(reader, BATCHES, async () => {
        for (const part of slices(leads)) await execute(ctx, batchCreateLeads, ctx.caller, { leads: part })
      })
      return timed(() => insert(batches))
    },
    async close() {
      reader.close()
      db.close()
      await close()
    },
  }
}

function slices<T>(items: readonly T[]): T[][] {
  return Array.from({ length: items.length / BATCH }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH))
}
