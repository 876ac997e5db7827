// Rows 28 and 29: a lead by its id and a page by name over HTTP, against the statement that each of them comes to.
import { join } from "node:path"
import { parseSort } from "../../../src/domain/leads/list/list.ts"
import { NO_FILTER } from "../../../src/filters/lead-query.ts"
import { lookupsAlone } from "../../../src/store/postgres/connection/lookups.ts"
import { connect, dbOf, sendQuery } from "../../../src/store/postgres/connection/query.ts"
import { sessionSettings } from "../../../src/store/postgres/connection/session.ts"
import { leadReads } from "../../../src/store/postgres/leads/leads.ts"
import { NO_CANDIDATES } from "../../../src/store/postgres/search/text-index.ts"
import { LISTED_DOCUMENT } from "../../../src/store/postgres/statements/documents.ts"
import type { Params } from "../../../src/store/sql/db.ts"
import { emptyDatabase, runOnce } from "../../../test/support/postgres.ts"
import { postgresProgram } from "../../../test/support/postgres-server.ts"
import { copyOf, dataset } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { type Check, check, note, ratios, skipped, spread, takeTurns } from "../harness.ts"
import { outputOf } from "../programs.ts"
import { getRequests } from "../requests.ts"
import { BASE_PATH } from "../service.ts"
import { hasWrk, NO_WRK, type Sent, wrk } from "../wrk.ts"
import { forgetCompared, serveOn } from "./cluster.ts"

// Statements that are sent by pgbench, which does nothing else.
const PROGRAM = postgresProgram("pgbench")

const hasPgbench = PROGRAM !== undefined

/** What to tell people when there is no pgbench. */
const NO_PGBENCH =
  "pgbench is not installed: `apt-get install postgresql-contrib` (or postgresql, which has it)"

interface Script {
  /** Lines of a script of pgbench. */
  text: string
  /** Its variables, with values that need not be numbers. */
  variables: Readonly<Record<string, string>>
  /** What connections set when they begin. */
  settings: Readonly<Record<string, string>>
}

/** Scripts a second. Throws an Error when pgbench fails. */
async function pgbench(
  database: string,
  { text, variables, settings }: Script,
  { connections, seconds, folder }: { connections: number; seconds: number; folder: string },
): Promise<number> {
  const file = join(folder, `pgbench-${process.pid}.sql`)
  await Bun.write(file, text)
  const command = [
    ...[PROGRAM!, "--no-vacuum", "--protocol=prepared", "--jobs=1", `--file=${file}`],
    ...[`--client=${connections}`, `--time=${seconds}`],
    ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
    database,
  ]
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, "\\$&")}`,
  )
  const { out, problem, code } = await outputOf(command, { PGOPTIONS: options.join(" ") })
  const rate = Number(/^tps = ([\d.]+)/m.exec(out)?.[1])
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(out)?.[1] ?? 0)
  if (code !== 0 || !(rate > 0) || failed > 0) throw new Error(`pgbench failed (${code}): ${problem || out}`)
  return rate
}

const LEADS = 100_000
const CONNECTIONS = 16
const SECONDS = 3
const PAGE = 50
/**
 * Leads that are asked for, of all over the account. pgbench has their ids in its statement: a thousand there, a statement for
 * each or looking for one in a table would cost it more than the lead.
 */
const IDS = 20
const WORKS = {
  get: "get one of 100 k by id on PostgreSQL",
  list: "list 50 of 100 k by name on PostgreSQL",
} as const
const ROWS = { get: 28, list: 29 } as const

export async function reads(bench: Bench): Promise<Check[]> {
  const missing = [...(hasWrk ? [] : [NO_WRK]), ...(hasPgbench ? [] : [NO_PGBENCH])].join("; ")
  if (missing) return (["get", "list"] as const).map((name) => skipped(ROWS[name], WORKS[name], missing))
  const { database, ids, key } = await moved(bench)
  const service = await serveOn(bench, database, key)
  try {
    await forgetCompared(database, service)
    const { headers } = service
    const requests: Record<keyof typeof WORKS, Sent[]> = {
      get: getRequests(service, ids),
      list: [{ path: `${BASE_PATH}/leads?sort_by=name&limit=${PAGE}`, headers }],
    }
    const scripts = await scriptsOf(database, ids)
    const checks: Check[] = []
    for (const name of ["get", "list"] as const) {
      const load = { origin: service.origin, requests: requests[name], unbound: true }
      const most = { connections: CONNECTIONS, seconds: SECONDS }
      const ours = async () => (await wrk({ ...load, ...most }, bench.scratch)).perSecond
      const sql = () => pgbench(database, scripts[name], { ...most, folder: bench.scratch })
      // What comes before the first round warms both up.
      await ours()
      await sql()
      const taken = await takeTurns({ ours, sql })
      checks.push(
        check(
          ROWS[name],
          `${WORKS[name]}: ours / the same SQL by pgbench`,
          ratios(taken.ours, taken.sql),
          ">= 0.5",
          "x",
        ),
        note(`${WORKS[name]}: ours`, spread(taken.ours), "requests/s"),
        note(`${WORKS[name]}: pgbench`, spread(taken.sql), "requests/s"),
      )
    }
    return checks
  } finally {
    await service.stop()
  }
}

/** A new database with the leads of a dataset, carried there as people do it. */
async function moved(bench: Bench): Promise<{ database: string; ids: string[]; key: string }> {
  const data = copyOf(await dataset(LEADS), join(bench.scratch, "moved"))
  const database = await emptyDatabase()
  const env = { PATH: process.env.PATH ?? "", LEADDB_DATA: data.folder, LEADDB_MOVE_TO: database }
  const child = Bun.spawn([bench.program, "move", "--json"], { env, stdout: "ignore", stderr: "pipe" })
  const [problem, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`leaddb move failed: ${problem}`)
  // No lead of a dataset has been compared, and nothing is read here of what that would find: it would take minutes.
  await runOnce(database, "TRUNCATE duplicate_queue, duplicate_due")
  await runOnce(database, "VACUUM ANALYZE")
  const ids = data.ids.filter((_, i) => i % Math.ceil(data.ids.length / IDS) === 0)
  return { database, ids, key: data.key }
}

/** What the store sends for one lead and for one page, as pgbench is to send it. */
async function scriptsOf(
  database: string,
  ids: readonly string[],
): Promise<Record<keyof typeof WORKS, Script>> {
  const [row] = await runOnce(database, "SELECT key FROM accounts WHERE id = 'acc_bench'")
  const account = Number(row!.key)
  const get = await sent(database, (reads) => reads.find(account, ids[0]!))
  const list = await sent(database, (reads) =>
    reads.list(account, {
      ...{ filter: NO_FILTER, sort: parseSort({ sort_by: "name" }), after: undefined, limit: PAGE },
    }),
  )
  const literals = ids.map((id) => `"{${id}}"`).join(",")
  const id = `(('{${literals}}'::text[])[:i])`
  return {
    get: {
      text: `\\set i random(1, ${ids.length})\n${oneLine(get.text, [":account", id])}`,
      variables: { account: `{${get.params[0]}}` },
      settings: sessionSettings("keys"),
    },
    list: {
      // pgbench takes everything as text, and of bytes that would be twice as much.
      text: oneLine(list.text.replace(LISTED_DOCUMENT, "l.data"), [":account"]),
      variables: { account: String(list.params[0]) },
      settings: sessionSettings("reads"),
    },
  }
}

type Statement = { text: string; params: Params }

/** The one statement that a read is. Throws an Error when it is not one. */
async function sent(
  database: string,
  read: (reads: ReturnType<typeof leadReads>) => Promise<unknown>,
): Promise<Statement> {
  const sql = connect(database, 1)
  const all: Statement[] = []
  const db = dbOf((text, params = []) => {
    all.push({ text, params })
    return sendQuery(sql, text, params)
  })
  try {
    const found = await read(leadReads(db, NO_CANDIDATES, lookupsAlone(db)))
    if (all.length !== 1 || found === undefined) throw new Error(`a read took ${all.length} statements`)
    return all[0]!
  } finally {
    await sql.close()
  }
}

/** A statement in one line of a script, with what stands for its parameters. Throws an Error when there are others. */
function oneLine(text: string, values: readonly string[]): string {
  if (/(?<!:):\w/.test(text)) throw new Error(`pgbench would take a part of this for a variable: ${text}`)
  const whole = text.replaceAll(/\$(\d+)/g, (_, n) => {
    const value = values[Number(n) - 1]
    if (value === undefined) throw new Error(`a statement has a parameter more: ${text}`)
    return value
  })
  return `${whole.replaceAll(/\s+/g, " ")};\n`
}
