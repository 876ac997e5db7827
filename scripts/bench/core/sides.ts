// The sides of the core bench, each on the core of servers, and the requests they are asked.
import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { allLeads, type Dataset, fillBeside, freshLeads, type Kind } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { onCore } from "../machine.ts"
import { startedServer } from "../programs.ts"
import { createRequests, listRequests, newLeadBodies } from "../requests.ts"
import { BASE_PATH, restingCopy, serve } from "../service.ts"
import { NUMBER, type Sent } from "../wrk.ts"

const LEADS = 100_000
const BATCH = 100
/** Leads of which requests ask one after another. */
const ASKED = 500
/** Requests of a round. */
const CREATES = 400
const BATCHES = 8
/** The first series of made-up leads of batches, behind those of single ones: no two requests bring the same lead. */
const SERIES = 100
const CITIES = ["Berlin", "Madrid", "Paris", "London"]

export interface Side {
  origin: string
  headers: { "X-API-Key": string }
  pid: number
  folder: string
  ids: readonly string[]
  /** Leads of the data, as they were pushed. */
  leads: readonly Record<string, unknown>[]
  stop(): Promise<void>
}

/** The floor, ours with the same leads, and ours with leads of eight trades in ten cities. */
export async function bound({
  program,
  scratch,
}: Bench): Promise<Record<"floor" | "ours" | "scraped", Side>> {
  const filling = fillBeside(LEADS, "scraped")
  const data = await restingCopy(program, LEADS, join(scratch, "core"))
  const file = join(scratch, "floor.db")
  copyFileSync(await floorDatabase(data), file)
  const { ids, leads } = someOf(file)
  const floor = await startFloor(file, data.key)
  const ours = async (own: Dataset) => {
    const { headers, origin, pid, stop } = await serve(program, own, "bound")
    return { headers, origin, pid, stop, leads, folder: own.folder, ids: own.ids }
  }
  await filling
  const others = await restingCopy(program, LEADS, join(scratch, "scraped"), "scraped")
  return {
    floor: { ...floor, headers: { "X-API-Key": data.key }, folder: scratch, ids, leads },
    ours: await ours(data),
    scraped: await ours(others),
  }
}

const startFloor = (file: string, key: string) =>
  startedServer("floor", onCore("server", [process.execPath, join(import.meta.dir, "floor.ts"), file, key]))

/** The floor's file with the leads of a dataset, kept beside it. */
async function floorDatabase(data: Dataset): Promise<string> {
  const file = join(data.base, "floor.db")
  if (existsSync(file)) return file
  const making = join(data.folder, "floor.db")
  rmSync(making, { force: true })
  const { origin, stop } = await startFloor(making, data.key)
  for await (const page of allLeads(data)) {
    const leads = page.map(({ id: _, score: __, attributes: ___, ...lead }) => withoutNulls(lead))
    await fetch(`${origin}${BASE_PATH}/leads/batch`, {
      method: "POST",
      headers: { "X-API-Key": data.key },
      body: JSON.stringify({ leads }),
    })
  }
  await stop()
  const db = new Database(making)
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
  renameSync(making, file)
  return file
}

function someOf(file: string) {
  const db = new Database(file, { readonly: true })
  const step = Math.floor(LEADS / ASKED)
  const rows = db
    .query<{ id: string; doc: string }, [number]>(
      "SELECT id, doc FROM leads WHERE email IS NOT NULL AND rid % ? = 1",
    )
    .all(step)
  db.close()
  const leads = rows.map(({ doc }) => {
    const { id: _, score: __, ...lead } = JSON.parse(doc)
    return lead as Record<string, unknown>
  })
  return { ids: rows.map(({ id }) => id), leads }
}

export interface CoreLoad {
  /** The side that is compared with the floor. */
  side: "ours" | "scraped"
  /** Requests of a round; without it as many as come in its time. */
  count?: number
  requests(side: Side, round: number): Sent[]
  /** Leads of a request. */
  per?: number
  /** Counts all threads until the server rests, derived work as well; else the main thread alone. */
  isWhole?: true
}

export const coreLoads: Readonly<Record<string, CoreLoad>> = {
  get: {
    side: "ours",
    requests: ({ headers, ids }) => ids.map((id) => ({ path: `${BASE_PATH}/leads/${id}`, headers })),
  },
  list: { side: "ours", requests: (side) => listRequests(side, CITIES) },
  create: creates("ours", "leads"),
  "create, eight trades in ten cities": creates("scraped", "scraped"),
  "push that changes nothing": {
    side: "ours",
    count: 500,
    isWhole: true,
    requests: (side) =>
      createRequests(
        side,
        side.leads.map((lead) => JSON.stringify(lead)),
      ),
  },
  "batch of 100, a lead": {
    side: "ours",
    count: BATCHES,
    per: BATCH,
    requests: ({ headers }, round) =>
      Array.from({ length: BATCHES }, (_, n) => ({
        method: "POST",
        path: `${BASE_PATH}/leads/batch`,
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({
          leads: freshLeads(BATCH, SERIES + BATCHES * round + n).map((lead, i) => ({
            ...lead,
            name: `${lead.name} ${NUMBER}`,
            email: `${i}-${NUMBER}@batch.example`,
            phone: `+49 ${String(i).padStart(2, "0")} ${NUMBER}`,
            source_id: `batch/${i}/${NUMBER}`,
          })),
        }),
      })),
  },
}

function creates(side: CoreLoad["side"], kind: Kind): CoreLoad {
  return {
    side,
    count: CREATES,
    isWhole: true,
    requests: (one, round) => createRequests(one, newLeadBodies(CREATES, round, kind)),
  }
}

function withoutNulls(lead: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lead).filter(([, value]) => value !== null))
}
