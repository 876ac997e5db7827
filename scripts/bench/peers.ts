// Rows 1 to 3 and 27 against Directus: the same leads, the same requests, the same list in the browser, in turns, in
// one run.
//   npm run bench:peers [-- requests] [app] [--json FILE] [--write FILE]
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { compareApps } from "./apps.ts"
import { CACHE, type Dataset, dataset } from "./dataset.ts"
import { directusDatabase, installDirectus, type Peer, serveDirectus, uuidOf, VERSIONS } from "./directus.ts"
import { type Check, check, note, ratios, spread, takeTurns } from "./harness.ts"
import { machine, machineText } from "./machine.ts"
import { createRequests, fullCities, getRequests, listRequests, newLeadBodies } from "./requests.ts"
import { buildProgram, restingCopy, type Service, serve } from "./service.ts"
import { printTable, writeTable } from "./table.ts"
import { hasWrk, NO_WRK, type Sent, wrk } from "./wrk.ts"

const LEADS = 100_000
const CONNECTIONS = 16
const SECONDS = 3

/** What is asked of both, and how many times as many we want to answer. */
interface Work {
  row: number
  name: string
  goal: `>= ${number}`
  ours: Sent[]
  directus: Sent[]
}

function works(ours: Service, directus: Peer, data: Dataset, cities: string[]): Work[] {
  const { headers } = directus
  const json = { ...headers, "Content-Type": "application/json" }
  return [
    {
      row: 1,
      name: "list 50 of 100 k, filter city, sort rating desc",
      goal: ">= 30",
      ours: listRequests(ours, cities),
      directus: cities.map((city) => {
        const query = new URLSearchParams({ "filter[city][_eq]": city, sort: "-rating", limit: "50" })
        return { path: `/items/leads?${query}`, headers }
      }),
    },
    {
      row: 2,
      name: "get one by id",
      goal: ">= 100",
      ours: getRequests(ours, data.ids),
      directus: data.ids.map((id) => ({ path: `/items/leads/${uuidOf(id)}`, headers })),
    },
    {
      row: 3,
      name: "create, 16 connections",
      goal: ">= 40",
      ours: createRequests(ours),
      directus: newLeadBodies(500).map((body) => ({
        method: "POST",
        path: "/items/leads",
        headers: json,
        body,
      })),
    },
  ]
}

const PARTS = ["requests", "app"] as const

async function compare(scratch: string, parts: readonly string[]): Promise<Check[]> {
  const folder = installDirectus()
  const program = await buildProgram(CACHE)
  const data = await restingCopy(program, LEADS, join(scratch, "ours"))
  const file = join(scratch, "directus.db")
  copyFileSync(await directusDatabase(folder, await dataset(LEADS)), file)
  const ours = await serve(program, data, "bound")
  const directus = await serveDirectus(folder, file)
  try {
    return [
      ...(parts.includes("requests")
        ? await compareRequests(works(ours, directus, data, await fullCities(ours)), ours, directus, scratch)
        : []),
      ...(parts.includes("app") ? await compareApps(ours, directus) : []),
    ]
  } finally {
    await Promise.all([ours.stop(), directus.stop()])
  }
}

async function compareRequests(
  works: readonly Work[],
  ours: Service,
  directus: Peer,
  scratch: string,
): Promise<Check[]> {
  const found: Check[] = []
  for (const work of works) {
    await expectSameCount(work, ours.origin, directus.origin)
    const rate = (origin: string, requests: Sent[]) => async (round: number) => {
      const number = (round + 1) * 500_000
      return (await wrk({ origin, requests, number, connections: CONNECTIONS, seconds: SECONDS }, scratch))
        .perSecond
    }
    const sides = { ours: rate(ours.origin, work.ours), directus: rate(directus.origin, work.directus) }
    await sides.ours(-1)
    await sides.directus(-1)
    const rates = await takeTurns(sides)
    found.push(
      check(work.row, `${work.name}: ours / Directus`, ratios(rates.ours, rates.directus), work.goal, "x"),
      note(`${work.name}: ours`, spread(rates.ours), "requests/s"),
      note(`${work.name}: Directus`, spread(rates.directus), "requests/s"),
    )
  }
  return found
}

/** Throws an Error when a list is of another length there than here: then it would be other work. */
async function expectSameCount({ row, ours, directus }: Work, here: string, there: string): Promise<void> {
  if (row !== 1) return
  const ask = async (origin: string, { path, headers = {} }: Sent) =>
    (await fetch(origin + path, { headers })).json() as Promise<{ leads?: unknown[]; data?: unknown[] }>
  const [a, b] = [(await ask(here, ours[0]!)).leads?.length, (await ask(there, directus[0]!)).data?.length]
  if (a !== 50 || b !== 50) throw new Error(`a page is ${a} leads here and ${b} there`)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "string", default: "dist/bench-peers.json" }, write: { type: "string" } },
  })
  const parts = positionals.length > 0 ? positionals : PARTS
  const unknown = parts.find((part) => !(PARTS as readonly string[]).includes(part))
  if (unknown !== undefined) {
    console.error(`There is no part "${unknown}"; parts: ${PARTS.join(", ")}`)
    return 2
  }
  if (parts.includes("requests") && !hasWrk) {
    console.error(NO_WRK)
    return 3
  }
  const scratch = mkdtempSync(join(tmpdir(), "leaddb-bench-peers-"))
  try {
    const checks = await compare(scratch, parts)
    const taken = machine(VERSIONS)
    console.log(`\n${machineText(taken)}\n`)
    printTable(checks)
    mkdirSync(dirname(resolve(values.json)), { recursive: true })
    writeFileSync(values.json, `${JSON.stringify({ machine: taken, checks }, null, 2)}\n`)
    if (values.write) writeTable(values.write, "peers", machineText(taken), checks)
    return checks.some(({ ok }) => ok === false) ? 1 : 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exit(await main())
