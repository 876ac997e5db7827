// The two sides of the core bench with the same leads, each on the core of servers, and the requests they are asked.
import { join } from "node:path"
import { freshLeads } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { onCore } from "../machine.ts"
import { startedServer } from "../programs.ts"
import { allLeads } from "../raw.ts"
import { createRequests, listRequests, newLeadBodies } from "../requests.ts"
import { BASE_PATH, restingCopy, serve } from "../service.ts"
import { NUMBER, type Sent } from "../wrk.ts"

const LEADS = 100_000
const BATCH = 100
/** Leads of which requests ask one after another. */
const ASKED = 500
/** Apart far enough that no two loads create the same lead. */
const STEP = 1_000_000
const CITIES = ["Berlin", "Madrid", "Paris", "London"]

export interface Side {
  origin: string
  headers: { "X-API-Key": string }
  pid: number
  folder: string
  ids: readonly string[]
  /** Leads of the data, as they were pushed. */
  leads: readonly Record<string, unknown>[]
  /** How many leads it has. */
  count(): number
  stop(): Promise<void>
}

/** Both sides, filled. */
export async function bound({ program, scratch }: Bench): Promise<Record<"floor" | "ours", Side>> {
  const data = await restingCopy(program, LEADS, join(scratch, "core"))
  const key = data.key
  const floorFile = join(scratch, "floor.db")
  const script = join(import.meta.dir, "floor.ts")
  const floor = await startedServer("floor", onCore("server", [process.execPath, script, floorFile, key]))
  const ids: string[] = []
  const asked: Record<string, unknown>[] = []
  for await (const page of allLeads(data)) {
    const leads = page.map(({ id: _, score: __, attributes: ___, ...lead }) => lead)
    const answer = await fetch(`${floor.origin}${BASE_PATH}/leads/batch`, {
      method: "POST",
      headers: { "X-API-Key": key },
      body: JSON.stringify({ leads }),
    })
    const made = (await answer.json()) as { id: string }[]
    if (ids.length < ASKED) {
      ids.push(...made.slice(0, 50).map(({ id }) => id))
      asked.push(...leads.slice(0, 50))
    }
  }
  const service = await serve(program, data, "bound")
  const common = { headers: service.headers, leads: asked, count: () => LEADS }
  return {
    floor: { ...common, ...floor, folder: scratch, ids },
    ours: { ...common, ...service, folder: data.folder, ids: data.ids },
  }
}

interface CoreLoad {
  requests(side: Side): { requests: Sent[]; number?: number }
  /** Leads of a request. */
  per?: number
  /** Counts derived work, too, on all threads until the server rests. */
  isDerived?: true
}

let series = 0
const number = () => ++series * STEP

export const coreLoads: Readonly<Record<string, CoreLoad>> = {
  get: {
    requests: ({ headers, ids }) => ({
      requests: ids.slice(0, ASKED).map((id) => ({ path: `${BASE_PATH}/leads/${id}`, headers })),
    }),
  },
  list: { requests: (side) => ({ requests: listRequests(side, CITIES) }) },
  create: {
    isDerived: true,
    requests: (side) => ({ requests: createRequests(side, newLeadBodies(ASKED)), number: number() }),
  },
  merge: {
    isDerived: true,
    requests: (side) => ({
      requests: createRequests(
        side,
        side.leads.filter(({ email }) => email).map((lead) => JSON.stringify(withoutNulls(lead))),
      ),
    }),
  },
  batch: {
    per: BATCH,
    requests: ({ headers }) => ({
      number: number(),
      requests: [0, 1, 2, 3].map((n) => ({
        method: "POST",
        path: `${BASE_PATH}/leads/batch`,
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({
          leads: freshLeads(BATCH, n).map((lead, i) => ({
            ...lead,
            name: `${lead.name} ${NUMBER}`,
            email: `${i}-${NUMBER}@batch.example`,
            phone: `+49 ${String(i).padStart(2, "0")} ${NUMBER}`,
            source_id: `batch/${i}/${NUMBER}`,
          })),
        }),
      })),
    }),
  },
}

function withoutNulls(lead: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lead).filter(([, value]) => value !== null))
}
