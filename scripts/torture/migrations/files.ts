// Files of every age, and whether one is as it should be once it has been brought up to date.
import { Database } from "bun:sqlite"
import { MIGRATIONS, migrate } from "../../../src/store/sqlite/file/migrations.ts"
import { findDamage } from "../load/sound.ts"

/** Leads in a file that is not new. */
const LEADS = 3

/** A file with the first so many migrations, and something in it when there are any. */
export function makeFile(file: string, version: number): void {
  if (version === 0) return
  const db = new Database(file, { create: true, readwrite: true, strict: true })
  db.run("PRAGMA journal_mode = WAL")
  migrate(db, MIGRATIONS.slice(0, version), 1_000)
  db.run(
    "INSERT INTO accounts (key, id, name, plan, lead_count, created_at) VALUES (1, 'acc_1', 'a', 'free', ?, 1)",
    [LEADS],
  )
  for (let i = 1; i <= LEADS; i++) {
    db.run(
      `INSERT INTO leads (rid, account_id, id, name, source, status, created_at, updated_at, last_interaction_at)
       VALUES (?, 1, ?, ?, 'torture', 'new', 1, 1, 1)`,
      [i, `cl_${i}`, `lead ${i}`],
    )
    db.run("INSERT INTO lead_documents (rid, account_id, data) VALUES (?, 1, ?)", [i, documentOf(i)])
    db.run("INSERT INTO lead_scores (rid, account_id, score, version) VALUES (?, 1, 0, 1)", [i])
  }
  db.close()
}

function documentOf(i: number): string {
  const empty = [
    ...["email", "phone", "website", "address", "city", "state", "country", "postal_code", "latitude"],
    ...["longitude", "category", "description", "logo_url", "rating", "review_count", "source_id"],
  ]
  return JSON.stringify({
    id: `cl_${i}`,
    name: `Lead ${i}`,
    source: "torture",
    ...Object.fromEntries(empty.map((field) => [field, null])),
    tags: [],
    status: "new",
    created_at: 1,
    updated_at: 1,
    last_interaction_at: 1,
    attributes: [],
  })
}

/** A file of a leaddb that knows one migration more. */
export function makeNewer(file: string): void {
  makeFile(file, MIGRATIONS.length)
  const db = new Database(file)
  const version = MIGRATIONS.length + 1
  db.run("CREATE TABLE what_comes_next (x)")
  db.run("INSERT INTO migrations VALUES (?, 'next', 'x', 1)", [version])
  db.run(`PRAGMA user_version = ${version}`)
  db.close()
}

/** What is wrong with a file that was brought up to date; `before` is the version it had. */
export function findFlaws(file: string, before: number): string[] {
  const flaws = findDamage(file)
  using db = new Database(file, { readonly: true })
  const { user_version: version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!
  if (version !== MIGRATIONS.length) flaws.push(`it has ${version} of ${MIGRATIONS.length} migrations`)
  if (schemaText(db) !== expectedSchema()) flaws.push("its tables are not those of a new file")
  const noted = db.query<{ n: number }, []>("SELECT count(*) AS n FROM migrations").get()!.n
  if (noted !== MIGRATIONS.length) flaws.push(`${noted} migrations are noted`)
  const leads = db.query<{ n: number }, []>("SELECT count(*) AS n FROM lead_documents").get()!.n
  if (before > 0 && leads !== LEADS) flaws.push(`${leads} of ${LEADS} leads are left`)
  return flaws
}

function schemaText(db: Database): string {
  const rows = db.query<{ sql: string }, []>(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name",
  )
  return rows
    .all()
    .map(({ sql }) => sql)
    .join("\n")
}

let expected: string | undefined
function expectedSchema(): string {
  if (expected === undefined) {
    using db = new Database(":memory:", { strict: true })
    migrate(db)
    expected = schemaText(db)
  }
  return expected
}
