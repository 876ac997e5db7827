// Rows 30 and 31: creates of one account by one instance against a bare service, and by four instances against one.
import { newDatabase, runOnce } from "../../../test/support/postgres.ts"
import { busyOf, busyWithChildren } from "../../torture/abuse/gauge.ts"
import type { Bench } from "../group.ts"
import { type Check, check, note, ratios, skipped, spread, takeTurns } from "../harness.ts"
import type { Server } from "../programs.ts"
import { createRequests, newLeadBodies } from "../requests.ts"
import type { Service } from "../service.ts"
import { hasWrk, NO_WRK, type Sent, wrk } from "../wrk.ts"
import { BARE_TABLE, serveBare } from "./bare.ts"
import { accounts, forgetCompared, serveOn, serverOf } from "./cluster.ts"

const CONNECTIONS = 16
const INSTANCES = 4
/** Connections in all with which the instances are asked as well, and how often. */
const MANY = 64
const MANY_ROUNDS = 3
const SECONDS = 3
/** Leads of a turn, more than ours creates in it, so that none is like another but for its number. */
const BODIES = 8_000
const WORK = "create on PostgreSQL"
const SHARED = "creates of one account"

export async function creates(bench: Bench): Promise<Check[]> {
  if (!hasWrk) return [skipped(30, WORK, NO_WRK), skipped(31, SHARED, NO_WRK)]
  const [database, bareDatabase] = [await newDatabase(), await newDatabase()]
  const [key = ""] = await accounts(database, 1)
  await accounts(bareDatabase, 1)
  await runOnce(bareDatabase, BARE_TABLE)
  const services = [await serveOn(bench, database, key)]
  try {
    const bare = await serveBare(bareDatabase)
    const server = await serverOf(database)
    const against = await againstBare(bench, { database, ours: services[0]!, bare, server }).finally(
      bare.stop,
    )
    while (services.length < INSTANCES) services.push(await serveOn(bench, database, key))
    return [...against, ...(await together(bench, database, services))]
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}

interface Sides {
  database: string
  ours: Service
  bare: Server
  server: number
}

async function againstBare(bench: Bench, { database, ours, bare, server }: Sides): Promise<Check[]> {
  /** Milliseconds of processor for a create: of the service, and of the database. */
  const cpu = {
    ours: [] as number[],
    oursDatabase: [] as number[],
    bare: [] as number[],
    bareDatabase: [] as number[],
  }
  const turn = async (
    side: "ours" | "bare",
    { origin, pid }: { origin: string; pid: number },
    sent: Sent[],
  ) => {
    const before = [busyOf(pid), busyWithChildren(server)] as const
    const load = { origin, requests: sent, connections: CONNECTIONS, seconds: SECONDS }
    const { perSecond, requests } = await wrk({ ...load, number: nextNumber(), unbound: true }, bench.scratch)
    cpu[side].push(((busyOf(pid) - before[0]) * 1_000) / requests)
    cpu[`${side}Database`].push(((busyWithChildren(server) - before[1]) * 1_000) / requests)
    return perSecond
  }
  const works = {
    ours: async () => {
      const rate = await turn("ours", ours, createRequests(ours, newLeadBodies(BODIES, nextSeries())))
      await forgetCompared(database, ours)
      return rate
    },
    bare: () => turn("bare", bare, bareRequests(newLeadBodies(BODIES, nextSeries()))),
  }
  // What comes before the first round warms both up.
  for (const work of Object.values(works)) await work()
  for (const values of Object.values(cpu)) values.length = 0
  const taken = await takeTurns(works)
  const paid = (of: string, values: number[]) => note(`${WORK}: CPU time of ${of}`, spread(values), "ms")
  return [
    check(
      30,
      `${WORK}, 16 connections, one account: ours / a bare service`,
      ratios(taken.ours, taken.bare),
      ">= 0.8",
      "x",
    ),
    note(`${WORK}: ours`, spread(taken.ours), "requests/s"),
    note(`${WORK}: bare`, spread(taken.bare), "requests/s"),
    paid("ours for each", cpu.ours),
    paid("the database for each of ours", cpu.oursDatabase),
    paid("the bare one for each", cpu.bare),
    paid("the database for each of the bare one", cpu.bareDatabase),
  ]
}

async function together(bench: Bench, database: string, services: readonly Service[]): Promise<Check[]> {
  /** Always by as many programs, each with its part of the connections: only whom they ask differs. */
  const rate = (to: (i: number) => Service, connections: number) => async () => {
    const loads = Array.from({ length: INSTANCES }, (_, i) => {
      const bodies = newLeadBodies(BODIES / INSTANCES, nextSeries())
      return { origin: to(i).origin, requests: createRequests(to(i), bodies), number: nextNumber() }
    })
    const most = { connections: connections / INSTANCES, seconds: SECONDS, unbound: true }
    const loaded = await Promise.all(loads.map((load) => wrk({ ...load, ...most }, bench.scratch)))
    await forgetCompared(database, services[0]!)
    return loaded.reduce((sum, { perSecond }) => sum + perSecond, 0)
  }
  const works = (connections: number) => ({
    one: rate(() => services[0]!, connections),
    all: rate((i) => services[i]!, connections),
  })
  for (const work of Object.values(works(CONNECTIONS))) await work()
  const taken = await takeTurns(works(CONNECTIONS))
  const many = await takeTurns(works(MANY), MANY_ROUNDS)
  const name = `${SHARED}, ${INSTANCES} instances / 1`
  return [
    check(31, `${name}, 16 connections in all`, ratios(taken.all, taken.one), ">= 0.85", "x"),
    note(`${SHARED}: ${INSTANCES} instances`, spread(taken.all), "requests/s"),
    note(`${SHARED}: 1 instance`, spread(taken.one), "requests/s"),
    note(`${name}, ${MANY} connections in all`, ratios(many.all, many.one), "x"),
    note(`${SHARED}: ${INSTANCES} instances, ${MANY} connections`, spread(many.all), "requests/s"),
    note(`${SHARED}: 1 instance, ${MANY} connections`, spread(many.one), "requests/s"),
  ]
}

function bareRequests(bodies: readonly string[]): Sent[] {
  const headers = { "Content-Type": "application/json" }
  return bodies.map((body) => ({ method: "POST", path: "/leads", headers, body }))
}

let [series, number] = [200, 0]
/** No two turns have leads of the same series. */
const nextSeries = () => series++
/** Where a load begins to count, apart far enough that no two create the same lead. */
const nextNumber = () => (number += 100_000)
