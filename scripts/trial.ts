// The main job, tried on the built executable: it takes in leads 16 at a time, and everything it answers is held
// against the independent model of test/support. Exits with 1 on any difference.
//   node scripts/run.js scripts/trial.ts --bin dist/leaddb --count 20000 --seed 1 --in-flight 16
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import {
  createModel,
  type ListQuery,
  type Model,
  type ModelLead,
  type PushResult,
} from "../test/support/model.ts"
import { freePorts } from "./free-ports.ts"
import { type Answered, pushComparably } from "./seed/comparable.ts"
import { criterionOf, type Target } from "./seed/push.ts"
import { generateLeads, type LeadInput } from "./seed.ts"
import { compareExports } from "./trial/exports.ts"
import { compareScores } from "./trial/scores.ts"

interface Options {
  bin: string
  count: number
  seed: number
  inFlight: number
  /** Keeps the folder with the database and the server's log. */
  keep: boolean
}

const LIMIT = 200
const LOG = "server.log"
const differences: string[] = []

function differ(what: string): void {
  differences.push(what)
  if (differences.length <= 20) console.error(`difference: ${what}`)
}

function line(what: string, value: string | number): void {
  console.log(`${what.padEnd(24)}${value}`)
}

// --- The server ---------------------------------------------------------------------------------------------------

interface Server {
  process: Bun.Subprocess
  env: Record<string, string>
  url: string
}

async function startServer(bin: string, folder: string): Promise<Server> {
  const [rest, mcp] = freePorts()
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("LEADDB_"))
  const env: Record<string, string> = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    LEADDB_DATA: join(folder, "data"),
    LEADDB_HOST: "127.0.0.1",
    LEADDB_PORT: String(rest),
    LEADDB_MCP_PORT: String(mcp),
    LEADDB_BOOTSTRAP: "0",
  }
  const log = join(folder, LOG)
  const out = openSync(log, "w")
  const child = Bun.spawn([bin, "serve"], { env, cwd: folder, stdin: "ignore", stdout: out, stderr: out })
  closeSync(out)
  const server = { process: child, env, url: `http://127.0.0.1:${rest}/api/v1` }
  const started = performance.now()
  while (!(await answers(server.url))) {
    if (child.exitCode !== null || performance.now() - started > 15_000) {
      child.kill("SIGKILL")
      throw new Error(`the server did not start; it exited with ${child.exitCode}`)
    }
    await Bun.sleep(20)
  }
  line("ready after", `${Math.round(performance.now() - started)} ms`)
  return server
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/leads`).then(
    (response) => response.body?.cancel().then(() => true) ?? true,
    () => false,
  )
}

/** An API key of a new enterprise account, made by the executable beside the running server. */
function createAccount(bin: string, { env }: Server): string {
  const argv = [bin, "accounts", "create", "--name", "trial", "--plan", "enterprise", "--json"]
  const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { env })
  if (exitCode !== 0) throw new Error(`accounts create exited with ${exitCode}: ${stderr}`)
  const made = JSON.parse(stdout.toString()) as { account?: { plan?: string }; api_key?: string }
  if (made.account?.plan !== "enterprise" || !made.api_key)
    throw new Error(`accounts create printed ${stdout}`)
  return made.api_key
}

/** Megabytes that the process holds now and held at most (proc(5), Linux). */
function memory(pid: number): string {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return "unknown here"
  const status = readFileSync(file, "utf8")
  const [now, peak] = ["VmRSS", "VmHWM"].map(
    (field) => Number(status.match(`${field}:\\s+(\\d+)`)?.[1]) / 1024,
  )
  return `${now?.toFixed(0)} MB, peak ${peak?.toFixed(0)} MB`
}

async function stopServer({ process: child }: Server): Promise<void> {
  const start = performance.now()
  child.kill("SIGTERM")
  const code = await Promise.race([child.exited, Bun.sleep(10_000).then(() => "still running after 10 s")])
  if (code !== 0) differ(`SIGTERM: expected exit code 0, got ${code}`)
  if (child.exitCode === null) child.kill("SIGKILL")
  line("stopped after", `${Math.round(performance.now() - start)} ms with ${code}`)
}

// --- The load -----------------------------------------------------------------------------------------------------

/** The leads, and now and then one with the email of one earlier lead and the source_id of another: a conflict. */
function* withConflicts(leads: Iterable<LeadInput>): Generator<LeadInput> {
  let email: string | undefined
  let index = 0
  for (const lead of leads) {
    yield lead
    if (++index % 300 === 0 && email && lead.source_id) {
      yield { name: `Conflict ${index}`, source: "webform", email, source_id: lead.source_id }
    }
    if (index % 7 === 0 && lead.email) email = lead.email
  }
}

// --- The comparison -----------------------------------------------------------------------------------------------

function kindOf({ status, body }: Answered): PushResult["kind"] | `${number}` {
  if (status === 200 && body.duplicate === true) return "merged"
  if (status === 201) return body.potential_duplicate_id ? "potential" : "created"
  return status === 409 ? "conflict" : `${status}`
}

/** Pushes into the model what the server was pushed; gives the results by kind, and each merged lead's criteria. */
function replay(model: Model, answered: readonly Answered[]) {
  const kinds = new Map<string, number>()
  const merges = new Map<string, string[]>()
  for (const answer of answered) {
    const { lead, body } = answer
    const kind = kindOf(answer)
    const isNew = kind === "created" || kind === "potential"
    const expected = model.push(lead, timeOf(answer), isNew ? body.id : undefined)
    compareAnswer(answer, kind, expected)
    const label = expected.kind === "merged" ? `merged by ${expected.criterion}` : expected.kind
    kinds.set(label, (kinds.get(label) ?? 0) + 1)
    if (expected.kind !== "merged") continue
    const { id } = expected.lead
    merges.set(id, [`dedup:${expected.criterion}`, ...(merges.get(id) ?? [])])
  }
  return { kinds, merges }
}

/** The second in which the server took the lead: it says so, and it must lie between sending and receiving. */
function timeOf({ status, body, sent, received }: Answered): number {
  const [earliest, latest] = [sent, received].map((time) => Math.floor(time / 1_000))
  if (status !== 200 && status !== 201) return latest!
  const now = Number(body.last_interaction_at ?? Number.NaN)
  if (now >= earliest! && now <= latest!) return now
  differ(`${body.id}: last_interaction_at is ${now}, the request ran from ${earliest} to ${latest}`)
  return latest!
}

function compareAnswer({ lead, status, body }: Answered, kind: string, expected: PushResult): void {
  const what = `push of ${JSON.stringify(lead)}`
  if (kind !== expected.kind) {
    const wanted = `${expected.kind} ${expected.criterion ?? ""} ${expected.lead.id}`
    differ(`${what}\n  expected ${wanted}\n  got ${kind}: ${JSON.stringify(body)}`)
    return
  }
  if (kind === "conflict") return
  const criterion = criterionOf(body.message)
  if (kind === "merged" && criterion && criterion !== expected.criterion) {
    differ(`${what}: expected a merge by ${expected.criterion}, got "${body.message}"`)
  }
  if (body.potential_duplicate_id !== expected.potential_duplicate_id) {
    const { potential_duplicate_id } = expected
    differ(
      `${what}: expected potential_duplicate_id ${potential_duplicate_id}, got ${body.potential_duplicate_id}`,
    )
  }
  compareLead(`${status} of ${what}`, expected.lead, body)
}

/** Every field of a lead as it was answered; attributes in any order and without their ids. */
function compareLead(what: string, expected: ModelLead, got: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(expected)) {
    const [wanted, given] = field === "attributes" ? [byName(value), byName(got[field])] : [value, got[field]]
    if (Bun.deepEquals(wanted, given)) continue
    differ(`${what}: ${field} should be ${JSON.stringify(wanted)}, is ${JSON.stringify(given)}`)
  }
}

function byName(attributes: unknown): unknown {
  if (!Array.isArray(attributes)) return attributes
  const named = (attributes as Record<string, unknown>[]).map(({ name, type, value }) => ({
    name,
    type,
    value,
  }))
  return named.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
}

async function get(target: Target, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${target.url}${path}`, { headers: { "x-api-key": target.key } })
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (response.status !== 200) differ(`GET ${path}: ${response.status} ${JSON.stringify(body)}`)
  return body
}

/** The audit trail of leads that were merged into: which criterion, newest first, and the creation at the end. */
async function compareTrails(target: Target, merges: ReadonlyMap<string, string[]>): Promise<number> {
  const some = [...merges].slice(0, 1_000)
  for (const [id, criteria] of some) {
    const { changes = [] } = await get(target, `/leads/${id}/changes?limit=100`)
    const trail = (changes as { action: string; reason?: string }[]).map(({ action, reason }) =>
      action === "merged" ? reason : action,
    )
    const expected = [...criteria, "created"].slice(0, 100)
    if (!Bun.deepEquals(trail, expected)) differ(`changes of ${id}: should be ${expected}, are ${trail}`)
  }
  return some.length
}

// --- The lists ----------------------------------------------------------------------------------------------------

/** Filters and sort orders that fit the data: the biggest city, a common tag, the surroundings of a lead. */
function chooseWalks(model: Model): ListQuery[] {
  const leads = model.list()
  const most = (values: readonly string[], rank: number) => {
    const counts = Map.groupBy(values, (value) => value)
    return [...counts].sort((a, b) => b[1].length - a[1].length)[rank]?.[0] ?? "none"
  }
  const cities = leads.flatMap(({ city }) => city ?? [])
  const tag = most(
    leads.flatMap(({ tags }) => tags),
    10,
  )
  const center = leads.find(({ city, latitude }) => city === most(cities, 2) && latitude !== null)
  const place = `${center?.latitude ?? 0},${center?.longitude ?? 0},50`
  return [
    { filter: [`and.eq.city.${most(cities, 0)}`], sort_by: "rating", sort_order: "DESC" },
    { filter: [`or.array_contains.tags.${tag}`, "or.gte.rating.4.5"], sort_by: "name", sort_order: "ASC" },
    { filter: [`and.within_radius.location.${place}`], sort_by: "created_at", sort_order: "DESC" },
    { filter: ["and.is_not_empty.attr:employees"], sort_by: "attr:employees", sort_order: "DESC" },
    {},
  ]
}

/** All pages of a list, each page checked for itself. */
async function walk(target: Target, query: ListQuery, expected: number) {
  const params = new URLSearchParams({ limit: String(LIMIT) })
  for (const filter of query.filter ?? []) params.append("filter", filter)
  if (query.sort_by) params.set("sort_by", query.sort_by)
  if (query.sort_order) params.set("sort_order", query.sort_order)
  const leads: Record<string, unknown>[] = []
  const most = Math.ceil(expected / LIMIT) + 5
  for (let pages = 1; ; pages++) {
    const page = await get(target, `/leads?${params}`)
    const got = Array.isArray(page.leads) ? (page.leads as Record<string, unknown>[]) : []
    leads.push(...got)
    const where = `page ${pages} of ${params}`
    if (page.count !== got.length) differ(`${where}: count is ${page.count} for ${got.length} leads`)
    const cursor = page.next_cursor
    if (page.has_more !== (typeof cursor === "string")) differ(`${where}: has_more is ${page.has_more}`)
    if (typeof cursor === "string" && got.length !== LIMIT)
      differ(`${where}: only ${got.length} leads, but more follow`)
    if (typeof cursor !== "string" || pages >= most) return { leads, pages }
    params.set("cursor", cursor)
  }
}

async function compareWalk(target: Target, model: Model, query: ListQuery): Promise<number> {
  const what = JSON.stringify(query)
  const expected = model.list(query)
  const start = performance.now()
  const { leads, pages } = await walk(target, query, expected.length)
  const milliseconds = (performance.now() - start) / pages
  if (leads.length !== expected.length)
    differ(`${what}: expected ${expected.length} leads, got ${leads.length}`)
  for (const [at, lead] of expected.entries()) {
    const got = leads[at]
    if (got && got.id === lead.id) compareLead(what, lead, got)
    else differ(`${what}: position ${at} should be ${lead.id} (${lead.name}), is ${got?.id} (${got?.name})`)
  }
  line(`  ${pages} pages`, `${leads.length} leads, ${milliseconds.toFixed(1)} ms a page: ${what}`)
  return pages
}

// --- The trial ----------------------------------------------------------------------------------------------------

async function examine(server: Server, { bin, count, seed, inFlight }: Options): Promise<void> {
  const target = { url: server.url, key: createAccount(bin, server) }
  const start = performance.now()
  const answered = await pushComparably(withConflicts(generateLeads(count, seed)), target, inFlight)
  const seconds = (performance.now() - start) / 1_000
  line("leads sent", answered.length)
  line(
    "requests/s",
    `${Math.round(answered.length / seconds)} (${inFlight} in flight, ${seconds.toFixed(1)} s)`,
  )
  line("server memory", memory(server.process.pid))

  const model = createModel()
  const { kinds, merges } = replay(model, answered)
  for (const [kind, n] of [...kinds].sort()) line(`  ${kind}`, n)
  line("leads held", model.size())
  line("audit trails compared", await compareTrails(target, merges))

  let pages = 0
  for (const query of chooseWalks(model)) pages += await compareWalk(target, model, query)
  line("pages walked", pages)
  const held = async () => (await walk(target, {}, model.size())).leads
  line("scores compared", await compareScores(target, held, differ))
  for (const taken of await compareExports(target, await held(), differ)) line("export compared", taken)
  line("server memory", `${memory(server.process.pid)} at the end`)
}

function parseOptions(): Options {
  const { values } = parseArgs({
    options: {
      bin: { type: "string", default: "dist/leaddb" },
      count: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
      "in-flight": { type: "string", default: "16" },
      keep: { type: "boolean", default: false },
    },
  })
  const bin = resolve(values.bin)
  if (!existsSync(bin))
    throw new Error(`there is no ${bin}: run npm run build first, or name another with --bin`)
  const [count, seed, inFlight] = [values.count, values.seed, values["in-flight"]].map(Number)
  if (!(count! > 0 && seed! >= 0 && inFlight! > 0))
    throw new Error("--count, --seed and --in-flight must be numbers")
  return { bin, count: count!, seed: seed!, inFlight: inFlight!, keep: values.keep }
}

async function main(): Promise<void> {
  const options = parseOptions()
  const folder = mkdtempSync(join(tmpdir(), "leaddb-trial-"))
  let server: Server | undefined
  const abandon = () => {
    server?.process.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
    process.exit(130)
  }
  process.on("SIGINT", abandon).on("SIGTERM", abandon)
  try {
    server = await startServer(options.bin, folder)
    await examine(server, options)
    await stopServer(server)
  } catch (problem) {
    const log = join(folder, LOG)
    throw new Error(
      `${(problem as Error).message}\n${existsSync(log) ? readFileSync(log, "utf8").slice(-2_000) : ""}`,
    )
  } finally {
    server?.process.kill("SIGKILL")
    if (options.keep) line("kept", folder)
    else rmSync(folder, { recursive: true, force: true })
  }
  line("differences", differences.length)
  process.exit(differences.length > 0 ? 1 : 0)
}

if (import.meta.main) {
  await main().catch((problem: Error) => {
    console.error(`The trial could not be run: ${problem.message}`)
    process.exit(1)
  })
}
