// Rows 38 to 41: what a lead takes on PostgreSQL, how much four updates add to that, and the log of both.
import { newDatabase, runOnce } from "../../../test/support/postgres.ts"
import { generateLeads } from "../../seed/leads.ts"
import { freshLeads } from "../dataset.ts"
import { allCompared } from "../duplicates/compared.ts"
import type { Bench } from "../group.ts"
import { type Check, check, note } from "../harness.ts"
import type { Service } from "../service.ts"
import { accounts, serveOn } from "./cluster.ts"

/** Leads that are pushed, half of them in batches; some 5 % are merged. */
const PUSHED = 13_000
const BATCH = 250
const CONNECTIONS = 16
const CREATES = 500
const UPDATES = 4
/** Tables that are told of by themselves, the largest. */
const TOLD = 8
/** The server's counts come a moment later. */
const COUNTED_MS = 1_500

export async function sizes(bench: Bench): Promise<Check[]> {
  const database = await newDatabase()
  const [key = ""] = await accounts(database, 1)
  const empty = sumOf(await tableSizes(database))
  const service = await serveOn(bench, database, key)
  try {
    await push(service)
    await runOnce(database, "VACUUM ANALYZE")
    const [counted] = await runOnce(database, "SELECT count(*) AS n FROM leads")
    const leads = counted!.n as number
    const fresh = await tableSizes(database)
    const kilobytes = (bytes: number) => bytes / leads / 1_000
    const largest = [...fresh].sort(([, a], [, b]) => b - a).slice(0, TOLD)
    return [
      check(38, `a lead of ${leads.toLocaleString("en-US")}`, kilobytes(sumOf(fresh) - empty), "<= 4", "KB"),
      ...largest.map(([name, bytes]) => note(`a lead in ${name}`, kilobytes(bytes), "KB")),
      ...(await logged(database, service)),
      ...(await updated(database, service)),
    ]
  } finally {
    await service.stop()
  }
}

async function push(service: Service): Promise<void> {
  const all = [...generateLeads(PUSHED)]
  for (let at = 0; at < PUSHED / 2; at += BATCH)
    await service.call("POST", "/leads/batch", { leads: all.slice(at, at + BATCH) })
  await byAll(all.slice(PUSHED / 2), (lead) => service.call("POST", "/leads", lead))
  await allCompared(service.call)
}

/** Log of creates right behind a checkpoint, when each page that changes first goes along whole, and of more of them. */
async function logged(database: string, service: Service): Promise<Check[]> {
  await runOnce(database, "CHECKPOINT")
  const creates = async (series: number) => {
    const from = await logPlace(database)
    await byAll(freshLeads(CREATES, series), (lead) => service.call("POST", "/leads", lead))
    await allCompared(service.call)
    return ((await logPlace(database)) - from) / CREATES / 1_000
  }
  return [
    check(41, `log of each of ${CREATES} creates behind a checkpoint`, await creates(300), "<= 8", "KB"),
    note(`log of each of ${CREATES} more`, await creates(301), "KB"),
  ]
}

/** Changes each lead's description, a searched text, one lead after the other. */
async function updated(database: string, service: Service): Promise<Check[]> {
  const ids = await runOnce(database, "SELECT id FROM leads ORDER BY rid")
  await runOnce(database, "VACUUM ANALYZE")
  await runOnce(database, "SELECT pg_stat_reset()")
  const before = sumOf(await tableSizes(database))
  const from = await logPlace(database)
  for (let round = 0; round < UPDATES; round++) {
    await byAll(ids, ({ id }) =>
      service.call("PUT", `/leads/${id}`, {
        description: `In round ${round} said ${String(id).slice(-5)} that all is well.`,
      }),
    )
    await allCompared(service.call)
  }
  const log = (await logPlace(database)) - from
  const after = sumOf(await tableSizes(database))
  await Bun.sleep(COUNTED_MS)
  const [hot] = await runOnce(
    database,
    "SELECT (100.0 * n_tup_hot_upd / n_tup_upd)::float8 AS hot FROM pg_stat_user_tables WHERE relname = 'leads'",
  )
  const work = `${UPDATES} updates of each lead's description`
  return [
    check(39, `${work}: size afterwards`, after / before, "<= 1.3", "x"),
    check(40, `${work}: HOT ones of the table of leads`, hot!.hot as number, ">= 80", "%"),
    note(`${work}: log of each`, log / ids.length / UPDATES / 1_000, "KB"),
  ]
}

async function byAll<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  let at = 0
  const one = async () => {
    while (at < all.length) await work(all[at++]!)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
}

/** Bytes of each table with its indexes and what is kept apart from its rows. */
async function tableSizes(database: string): Promise<Map<string, number>> {
  const rows = await runOnce(
    database,
    `SELECT relname::text AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  return new Map(rows.map(({ name, bytes }) => [name as string, Number(bytes)]))
}

const sumOf = (sizes: ReadonlyMap<string, number>) => [...sizes.values()].reduce((sum, one) => sum + one, 0)

/** Bytes of log that the server has written so far. */
async function logPlace(database: string): Promise<number> {
  const text = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS place"
  return Number((await runOnce(database, text))[0]!.place)
}
