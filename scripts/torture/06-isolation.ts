// Row 6: an account learns nothing of another one. Answers about foreign ids are those about missing ones, and every
// statement that the engine prepares is bound to one account, or listed with the reason why not.
import { Database } from "bun:sqlite"
import { compileRules } from "../../src/expression/index.ts"
import { openScoringStore } from "../../src/store/sqlite/index.ts"
import { forgetOldChanges } from "../../src/worker/upkeep.ts"
import { median } from "./abuse/gauge.ts"
import { ask, restRequest } from "./ask.ts"
import { fuzzAccount } from "./fuzz/inside.ts"
import { newTally } from "./fuzz/loop.ts"
import { type Inside, openInside } from "./in-process.ts"
import { audit, SHARED, unexplained } from "./isolation/audit.ts"
import { type Estate, inventory, openEstate } from "./isolation/estates.ts"
import { EXCEPTIONS } from "./isolation/exceptions.ts"
import { CASES, compareForeign, compareResource } from "./isolation/foreign.ts"
import { exerciseNouns } from "./isolation/nouns.ts"
import { grouped, type Row, type RowOptions, type RowResult, resultOf } from "./row.ts"

// Every SQL text that the engine prepares while something is done.
type Method = "prepare" | "query" | "run" | "exec"
const METHODS: readonly Method[] = ["prepare", "query", "run", "exec"]

/** Does the work and gives back the SQL that was prepared or run meanwhile, each text once. */
async function collectStatements(work: () => Promise<void>): Promise<string[]> {
  const seen = new Set<string>()
  const prototype = Database.prototype as unknown as Record<
    Method,
    (sql: string, ...more: unknown[]) => unknown
  >
  const originals = METHODS.map((method) => [method, prototype[method]] as const)
  for (const [method, original] of originals) {
    prototype[method] = function (this: Database, sql: string, ...more: unknown[]) {
      seen.add(sql)
      return original.call(this, sql, ...more)
    }
  }
  try {
    await work()
  } finally {
    for (const [method, original] of originals) prototype[method] = original
  }
  return [...seen]
}

const LONG = { compared: 40_000, fuzzed: 20_000, timed: 20_000 }
const SHORT = { compared: 300, fuzzed: 600, timed: 0 }
/** How far the median times may be apart: what a shared machine makes of equal ones. */
const TIME_RATIO = 0.1

export const isolation: Row = {
  number: 6,
  name: "isolation",
  must: "foreign ids answered byte for byte as missing ones on every route and tool; every statement bound to an account",
  seconds: 600,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const { short, seed, folder } = options
  const goal = short ? SHORT : LONG
  const failures: string[] = []
  let ratio = 1
  const all = await collectStatements(async () => {
    await using service = await openInside(folder)
    const [own, other] = [await openEstate(service), await openEstate(service)]
    const before = await inventory(service, other)
    const { differences } = await compareForeign(service, own, other, { seed, count: goal.compared })
    failures.push(...differences, ...(await compareResource(service, own, other)))
    failures.push(...(await meddle(service, own, other)))
    if ((await inventory(service, other)) !== before)
      failures.push("something of the other account has changed")
    if (goal.timed > 0) ratio = await timeForeign(service, own, other, goal.timed)
    options.progress(`${goal.compared} requests compared`)
    await exercise(service, seed, goal.fuzzed)
    // The service does so by itself after five seconds, which a short run may not take.
    await forgetOldChanges(service.parts.services.store, 0, 0)
    failures.push(...service.defects)
  })
  const tables = await tenantTables(folder)
  const { findings, stale } = unexplained(audit(all, tables), EXCEPTIONS)
  failures.push(...findings.map(({ table, sql }) => `${table} is bound to no account in: ${sql}`))
  failures.push(...stale.map(({ sql }) => `no statement needs the exception for: ${sql}`))
  if (Math.abs(ratio - 1) > TIME_RATIO)
    failures.push(`a foreign id takes ${ratio.toFixed(3)} of the time of a missing one`)
  const seen =
    `${grouped(goal.compared)} pairs of requests over ${CASES.length} operations byte-identical` +
    `${goal.timed > 0 ? `, median time ${ratio.toFixed(3)} of a missing id's` : ""}; ${all.length} statements on ` +
    `${tables.size} tables bound to an account but ${EXCEPTIONS.length} named ones`
  const { compared } = goal
  return resultOf(failures, seen, { compared, statements: all.length, exceptions: EXCEPTIONS.length, ratio })
}

/** A stranger pushes the other's lead, uses its cursor, and listens to everything. */
async function meddle(service: Inside, own: Estate, other: Estate): Promise<string[]> {
  const wrong: string[] = []
  const stranger = await service.addTenant()
  const ask1 = (name: string, args: Record<string, unknown>) => ask(service, stranger.key, "rest", name, args)
  const { body: lead } = await ask(service, other.key, "rest", "get_lead", { id: other.ids.leads })
  const hook = await ask1("create_webhook", { url: "http://127.0.0.1:1/hook" })
  const { email, source_id, phone, name, city } = lead
  for (const same of [{ email }, { source_id }, { phone, name }, { name, city }]) {
    const { status, body } = await ask1("create_lead", { name: "x", source: "web", ...same })
    const told = body.duplicate ?? body.potential_duplicate_id
    if (status !== 201 || told)
      wrong.push(`a push of another account's ${Object.keys(same)} answers ${JSON.stringify(body)}`)
    await ask1("delete_lead", { id: body.id })
  }
  const events = async () =>
    (await ask1("list_webhook_deliveries", { id: hook.body.id, limit: 100 })).body.deliveries.length
  const heard = await events()
  await ask(service, own.key, "rest", "update_lead", { id: own.ids.leads, city: "Köln" })
  await ask(service, own.key, "rest", "create_note", { lead_id: own.ids.leads, content: "x" })
  if ((await events()) !== heard) wrong.push("a webhook heard of another account's lead")
  await ask(service, own.key, "rest", "create_lead", { name: "Second", source: "web" })
  const page = await ask(service, own.key, "rest", "list_leads", { limit: 1 })
  const { status } = await ask1("list_leads", { limit: 1, cursor: page.body.next_cursor })
  if (status !== 400) wrong.push(`another account's cursor is answered with ${status}`)
  return wrong
}

/** Everything that makes statements of its own: all operations, the worker's reads, sign-in, deliveries, indexing. */
async function exercise(service: Inside, seed: number, requests: number): Promise<void> {
  await fuzzAccount(service, seed, 0, requests, newTally())
  const { store } = service.parts
  // The SQLite statements of a noun are prepared when it is asked for: these are those that nothing below comes to.
  await store.writeAcross(async (tx) => void [Object.values(tx), Object.values(store.read)])
  await store.indexAll()
  const estate = await openEstate(service)
  for (const filter of ["and.contains.name.Weber", "or.ends_with.email.example"]) {
    await ask(service, estate.key, "rest", "list_leads", { filter: [filter, "and.contains.attr:size.xyz"] })
    await ask(service, estate.key, "rest", "export_leads", { format: "json", filter: [filter] })
  }
  await ask(service, estate.key, "rest", "update_all_scores", {})
  const scoring = openScoringStore(service.file)
  const rules = [{ id: "r", name: "r", expression: "rating + attr_size", weight: 1 }]
  const name = "exercise"
  await store.write(estate.account, (tx) => tx.rules.lease(estate.account, { name, now: 0, until: 1 }))
  for await (const leads of scoring.pages(estate.account, compileRules(rules), { size: 10, ids: false })) {
    await scoring.write(
      estate.account,
      leads.map(({ ref, version }) => ({ ref, version, score: 1 })),
      name,
    )
  }
  scoring.close()
  await exerciseNouns(store, estate)
}

/** The tables of an empty file that are some account's; those of an index count as the index. */
async function tenantTables(folder: string): Promise<ReadonlySet<string>> {
  await using service = await openInside(folder)
  using db = new Database(service.file, { readonly: true })
  const found = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const all = found.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_"))
  const own = all.filter((name) => !all.some((other) => name !== other && isShadow(name, other)))
  return new Set(own.filter((name) => !SHARED.has(name)))
}

/** FTS5 and R-Tree keep their index in tables of their own. */
function isShadow(name: string, of: string): boolean {
  return /_(data|idx|content|docsize|config|node|rowid|parent)$/.test(name) && name.startsWith(`${of}_`)
}

// Whether the time that an answer takes tells a foreign id from one that nothing has.

/** The median times of `GET /leads/{id}`, foreign over missing; asked in turns. 1 when they are the same. */
async function timeForeign(service: Inside, own: Estate, other: Estate, times: number): Promise<number> {
  const ids = [other.ids.leads, `${other.ids.leads.slice(0, -6)}000000`] as const
  const taken: [number[], number[]] = [[], []]
  for (let i = 0; i < times; i++) {
    // Which of them comes first changes, too.
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const request = restRequest(own.key, "get_lead", { id: ids[which] })
      const began = performance.now()
      await (await service.fetch(request)).text()
      taken[which].push(performance.now() - began)
    }
  }
  return median(taken[0]) / median(taken[1])
}
