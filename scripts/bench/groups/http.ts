import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { dataset } from "../dataset.ts"
import type { Bench, Group } from "../group.ts"
import { type Check, check, note, ratios, skipped, spread, takeTurns } from "../harness.ts"
import { rawDatabase, serveRaw } from "../raw.ts"
import { createRequests, fullCities, getRequests, listRequests, newLeadBodies } from "../requests.ts"
import { restingCopy, serve } from "../service.ts"
import { hasWrk, type Load, NO_WRK, type Sent, wrk } from "../wrk.ts"

const LEADS = 100_000
const CONNECTIONS = 16
const SECONDS = 2
/** Apart far enough that no two loads create the same lead. */
const STEP = 500_000

/** Rows 1 to 3: one request at a time over HTTP, against the raw server. Both are bound to one core, wrk to the other. */
export const http: Group = {
  name: "http",
  about: "list, get and create over HTTP against the raw limit",
  async run(bench) {
    if (!hasWrk) return [1, 2, 3].map((row) => skipped(row, "list, get, create over HTTP", NO_WRK))
    const base = await dataset(LEADS)
    const data = await restingCopy(bench.program, LEADS, join(bench.scratch, "http"))
    const rawFile = join(bench.scratch, "raw.db")
    copyFileSync(await rawDatabase(base), rawFile)
    const ours = await serve(bench.program, data, "bound")
    const raw = await serveRaw(rawFile)
    try {
      const cities = await fullCities(ours)
      const list = await against(bench, {
        ours: { origin: ours.origin, requests: listRequests(ours, cities) },
        raw: {
          origin: raw.origin,
          requests: cities.map((city) => ({ path: `/cities/${encodeURIComponent(city)}` })),
        },
      })
      const get = await against(bench, {
        ours: { origin: ours.origin, requests: getRequests(ours, data.ids) },
        raw: { origin: raw.origin, requests: data.ids.map((id) => ({ path: `/leads/${id}` })) },
      })
      const headers = { "Content-Type": "application/json" }
      const bodies = newLeadBodies(500)
      const create = await against(bench, {
        ours: { origin: ours.origin, requests: createRequests(ours), number: 0 },
        raw: {
          origin: raw.origin,
          requests: bodies.map((body) => ({ method: "POST", path: "/leads", headers, body })),
          number: 0,
        },
      })
      return [
        ...checks(1, "list 50 of 100 k, filter city, sort rating desc", list, ">= 1"),
        ...checks(2, "get one by id", get, ">= 0.7"),
        ...checks(3, "create, 16 connections, each durable", create, ">= 1.1"),
      ]
    } finally {
      await Promise.all([ours.stop(), raw.stop()])
    }
  },
}

type Side = { origin: string; requests: Sent[]; number?: number }
type Rates = Record<"ours" | "raw", number[]>

function against({ scratch }: Bench, { ours, raw }: Record<"ours" | "raw", Side>): Promise<Rates> {
  const rate = ({ number, ...side }: Side, round: number) => {
    const load: Load = { ...side, connections: CONNECTIONS, seconds: SECONDS }
    if (number !== undefined) load.number = number + (round + 1) * STEP
    return wrk(load, scratch).then(({ perSecond }) => perSecond)
  }
  // What comes before the first round warms both up.
  return rate(ours, -1)
    .then(() => rate(raw, -1))
    .then(() => takeTurns({ ours: (round) => rate(ours, round), raw: (round) => rate(raw, round) }))
}

function checks(row: number, work: string, { ours, raw }: Rates, goal: `>= ${number}`): Check[] {
  return [
    check(row, `${work}: ours / raw`, ratios(ours, raw), goal, "x"),
    note(`${work}: ours`, spread(ours), "requests/s"),
    note(`${work}: raw`, spread(raw), "requests/s"),
  ]
}
