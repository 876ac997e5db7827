// Databases of seeded leads, kept between runs: a million leads take minutes to push.
import { Database } from "bun:sqlite"
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { issueKey } from "../../src/domain/access/api-keys.ts"
import { createLead } from "../../src/domain/leads/lead-operations.ts"
import { listLeads } from "../../src/domain/leads/list-leads.ts"
import { pushLead } from "../../src/domain/leads/write/push.ts"
import { type Context, execute } from "../../src/domain/operation.ts"
import { createScoringRule } from "../../src/domain/scoring/scoring-rules.ts"
import { LeadInput } from "../../src/lead/fields.ts"
import { parse } from "../../src/lead/parse.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { MIGRATIONS } from "../../src/store/sqlite/file/migrations.ts"
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import { SHAPE } from "../../src/store/tables/leads/shape.ts"
import { localServices } from "../../src/surfaces/cli/database.ts"
import type { JsonText } from "../../src/text/json-text.ts"
import { makeAttributes } from "../seed/details.ts"
import { makeLead } from "../seed/fresh.ts"
import { generateLeads } from "../seed/leads.ts"
import { createRandom } from "../seed/random.ts"
import { scrapedLeads, scrapedLike } from "../seed/scraped.ts"
import { ROUNDS, timed } from "./harness.ts"
import { outputOf } from "./programs.ts"

// Ten scoring rules of all kinds; the seeded accounts have them.
const EXPRESSIONS = [
  "rating >= 4.5 ? 20 : rating >= 4 ? 10 : 0",
  "review_count > 100 ? 15 : review_count / 10",
  "min(rating * 2, 8)",
  "latitude > 50 && longitude < 15 ? 5 : 0",
  "attr_employees > 20 ? 10 : 0",
  "days_since(created_at) < 30 ? 5 : 0",
  "(rating - 3) * 4",
  "sqrt(review_count)",
  "attr_chain ? -5 : 2",
  'status == "new" ? 3 : 0',
]

const SEED = 1
/** Leads of one transaction while a database is filled. */
const GROUP = 1_000

/** A data folder whose one account has this many leads. */
export interface Dataset {
  folder: string
  /** Where it is kept from run to run, which is `folder` unless that is a copy. */
  base: string
  file: string
  count: number
  /** An owner key of the account. */
  key: string
  /** Ids of a thousand of the leads, evenly spread. */
  ids: string[]
}

/** What the leads are like: of everything, or of eight trades in ten cities. */
export type Kind = "leads" | "scraped"

/** Where databases are kept from run to run. */
export const CACHE = process.env.LEADDB_BENCH_CACHE || join(import.meta.dir, "../../dist/bench")

/** This file and those that make up leads. */
const FILLERS = [import.meta.path, ...new Bun.Glob(join(import.meta.dir, "../seed/*.ts")).scanSync()].sort()

/** Changes with what fills a database, with the form of documents, and with each of the first `migrations`. */
function cacheKey(migrations: number): string {
  const hash = new Bun.CryptoHasher("sha256").update(String(SHAPE))
  for (const file of FILLERS) hash.update(readFileSync(file))
  for (const { sql } of MIGRATIONS.slice(0, migrations)) hash.update(sql)
  return hash.digest("hex").slice(0, 8)
}

/**
 * A database with `count` leads, made at its first use, or brought up to date from an older schema as an upgrade
 * does it. It is shared by all runs: nothing may write leads to it.
 */
export async function dataset(count: number, kind: Kind = "leads"): Promise<Dataset> {
  const folderOf = (migrations: number) => join(CACHE, `${kind}-${count}-${cacheKey(migrations)}`)
  const folder = folderOf(MIGRATIONS.length)
  if (!existsSync(folder)) {
    const making = `${folder}.${process.pid}`
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making, { recursive: true })
    const older = MIGRATIONS.map((_, version) => folderOf(version)).findLast((old) => existsSync(old))
    if (older) await upgrade(older, making)
    else await Bun.write(join(making, "about.json"), JSON.stringify(await fill(making, count, kind)))
    renameSync(making, folder)
  }
  const about = JSON.parse(readFileSync(join(folder, "about.json"), "utf8"))
  return { ...about, folder, base: folder, file: join(folder, "leads.db"), count }
}

/** Makes the same in a process of its own, so that two are made at a time. */
export async function fillBeside(count: number, kind: Kind): Promise<void> {
  const { out, problem, code } = await outputOf([process.execPath, import.meta.path, String(count), kind])
  if (code !== 0) throw new Error(`no database of ${count} ${kind} was made: ${problem}`)
  if (out) console.log(out.trimEnd())
}

async function upgrade(from: string, to: string): Promise<void> {
  for (const name of ["about.json", "leads.db"]) copyFileSync(join(from, name), join(to, name))
  const { store, close } = await openDataset(join(to, "leads.db"))
  await store.indexAll()
  await close()
  gather(join(to, "leads.db"))
}

/** Leaves nothing in the log beside the file: a copy is a copy of the one file. */
function gather(file: string): void {
  const db = new Database(file)
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}

/** The same in a folder of its own, to be written to. */
export function copyOf(dataset: Dataset, folder: string): Dataset {
  mkdirSync(folder, { recursive: true })
  for (const name of ["leads.db", "leads.index.db"]) {
    const source = join(dataset.folder, name)
    if (existsSync(source)) copyFileSync(source, join(folder, name), constants.COPYFILE_FICLONE)
  }
  return { ...dataset, folder, file: join(folder, "leads.db") }
}

/** Pushes generated leads as the service does until there are `count`; about 8 % of them are merged. */
async function fill(folder: string, count: number, kind: Kind): Promise<{ key: string; ids: string[] }> {
  const { store, ctx, close } = await openDataset(join(folder, "leads.db"))
  const began = performance.now()
  for (const [i, expression] of EXPRESSIONS.entries()) {
    await execute(ctx, createScoringRule, ctx.caller, { name: `rule ${i}`, expression })
  }
  const ids: string[] = []
  const leads = kind === "scraped" ? scrapedLeads(SEED) : generateLeads(Number.MAX_SAFE_INTEGER, SEED)
  let created = 0
  while (created < count) {
    await store.writeAcross(async (tx) => {
      for (let i = 0; i < GROUP && created < count; i++) {
        // Times spread as if one lead came every ten seconds.
        const at = { ...ctx, now: ctx.now - (count - created) * 10 }
        const pushed = await pushLead(at, tx, parse(LeadInput, leads.next().value))
        if (pushed.merged) continue
        if (created % Math.ceil(count / 1_000) === 0) ids.push(pushed.id)
        created++
      }
    })
  }
  const { key } = await store.writeAcross((tx) =>
    issueKey(tx, ctx.caller.account.key, { name: "bench", role: "owner", expires_at: null }, ctx.now),
  )
  await store.indexAll()
  await store.indexAll()
  await close()
  gather(join(folder, "leads.db"))
  const rate = Math.round(count / ((performance.now() - began) / 1_000))
  console.log(`Filled a database with ${count.toLocaleString("en-US")} leads, ${rate} a second`)
  return { key, ids }
}

/** An open database and a caller on its one account, to run operations in this process. */
export interface Opened {
  store: SqliteStore
  ctx: Context
  close(): Promise<void>
}

/** Opens a dataset's file; a new one gets its account. */
export async function openDataset(file: string): Promise<Opened> {
  const ids = createIds(systemClock)
  const onIndexFailure = (error: unknown) => console.error(error)
  const store = openSqliteStore(file, ids, { onIndexFailure })
  const now = Math.floor(Date.now() / 1_000)
  const id = "acc_bench"
  if (!(await store.read.accounts.find(id))) {
    await store.writeAcross((tx) =>
      tx.accounts.insert({ id, name: "bench", plan: "enterprise", created_at: now }),
    )
  }
  const account = (await store.read.accounts.find(id))!
  const ctx: Context = {
    ...localServices(store, ids),
    readers: {
      take: () => Promise.reject(new Error("there are no readers in this process")),
      close: () => undefined,
    },
    webhooks: { refuse: async () => undefined },
    caller: { account, keyId: "key_bench", role: "owner", actorId: "key_bench" },
    now,
  }
  return { store, ctx, close: () => store.close() }
}

/**
 * Milliseconds of creates in several databases, lead by lead in turns: of each database a list for each round. `series` are
 * those of the leads, one for each round and one for a round before, which counts for nothing.
 */
export async function createInTurns<K extends string>(
  databases: Record<K, Opened>,
  creates: number,
  series: number,
): Promise<Record<K, number[][]>> {
  const names = Object.keys(databases) as K[]
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[][]>
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of names) taken[name].push([])
    for (const lead of freshLeads(creates, series + round)) {
      for (const name of names) {
        const { ctx } = databases[name]
        taken[name].at(-1)!.push(await timed(() => execute(ctx, createLead, ctx.caller, lead)))
      }
    }
  }
  for (const name of names) taken[name].shift()
  return taken
}

/**
 * Leads that no dataset has yet, repeating none and each other neither, with two attributes each. `series` keeps
 * those of several measurements apart.
 */
export function freshLeads(count: number, series: number, kind: Kind = "leads"): LeadInput[] {
  const random = createRandom(SEED + 1 + series)
  return Array.from({ length: count }, (_, i) => {
    const fresh = makeLead(random, 2_000_000 + series * 10_000 + i)
    const lead = kind === "scraped" ? scrapedLike(random, fresh) : fresh
    lead.name = `${lead.name} ${series.toString(36)}-${i.toString(36)}`
    const attributes = makeAttributes(random).slice(0, 2)
    while (attributes.length < 2) {
      const more = makeAttributes(random).find(({ name }) => name !== attributes[0]?.name)
      if (more) attributes.push(more)
    }
    return { ...lead, attributes }
  })
}

/** Every lead of a dataset as the API gives it, a thousand at a time. */
export async function* allLeads(data: Dataset): AsyncGenerator<Record<string, unknown>[]> {
  const { ctx, close } = await openDataset(data.file)
  let cursor: string | undefined
  do {
    const answer = await execute(ctx, listLeads, ctx.caller, { limit: 1_000, ...(cursor && { cursor }) })
    const page = JSON.parse((answer as JsonText).text)
    yield page.leads
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  await close()
}

if (import.meta.main) await dataset(Number(process.argv[2]), process.argv[3] as Kind)
