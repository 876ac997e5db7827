import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { MIGRATIONS, migrate, migratedSchema } from "../../src/store/sqlite/file/migrations.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { activityOf } from "../../src/store/tables/leads/stored-lead.ts"
import { temporaryFolder } from "../support/folder.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFile(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return join(folder, "leads.db")
}

/** A file that another test or program has written, closed again. */
function fileWith(write: (db: Database) => unknown): string {
  const file = newFile()
  const db = new Database(file)
  write(db)
  db.close()
  return file
}

const memory = () => new Database(":memory:", { strict: true })
const open = (file: string) => openSqliteStore(file, createIds(systemClock))
const pragma = (db: Database, name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0]
const tables = (db: Database) =>
  db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)
/** Everything there is in a database. */
const contents = (db: Database) => [
  db.query("SELECT * FROM sqlite_schema").all(),
  tables(db).map((name) => db.query(`SELECT * FROM "${name}"`).all()),
  pragma(db, "user_version"),
]

const BEFORE_2 = "before-2.0.sql"
const NEW_FILE = join(import.meta.dir, "../../src/store/sqlite/file/new-file.sql")
/** Every table and index there is, those of SQLite itself too. */
const objects = (db: Database) =>
  db.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all()

/** SQL that makes what a migrated file without leads holds, but for the table of its migrations. */
function scriptOf(db: Database): string {
  const made = db
    .query<{ type: string; name: string; sql: string }, []>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'view' AND name NOT LIKE 'sqlite%'
         AND name <> 'migrations' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
       ORDER BY rowid`,
    )
    .all()
  const rows = made.flatMap(({ type, name, sql }) =>
    type === "table" && !sql.startsWith("CREATE VIRTUAL") ? insertsOf(db, name) : [],
  )
  return [...made.map(({ sql }) => `${sql};`), ...rows].join("\n")
}

function insertsOf(db: Database, table: string): string[] {
  return db
    .query<Record<string, unknown>, []>(`SELECT * FROM ${table}`)
    .all()
    .map((row) => {
      // Each file has an epoch of its own.
      const values = Object.values(row).map((value) =>
        value instanceof Uint8Array
          ? `randomblob(${value.length})`
          : typeof value === "string"
            ? `'${value}'`
            : value,
      )
      return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")});`
    })
}

const ONE = { name: "0001_one", sql: "CREATE TABLE one (x INTEGER); INSERT INTO one VALUES (1);" }
const TWO = { name: "0002_two", sql: "CREATE TABLE two (y TEXT) STRICT; UPDATE one SET x = 2;" }

describe("migrate", () => {
  test("brings an empty file to the newest schema and notes what it did", () => {
    const db = memory()
    migrate(db, [ONE, TWO], 1_767_225_600_999)
    expect(migratedSchema(db, [ONE, TWO])).toBe(2)
    expect(pragma(db, "user_version")).toBe(2)
    expect(pragma(db, "application_id")).toBe(Buffer.from("LEAD").readUInt32BE())
    expect(tables(db)).toEqual(["migrations", "one", "two"])
    expect(db.query("SELECT x FROM one").all()).toEqual([{ x: 2 }])
    const hash = (sql: string) => new Bun.CryptoHasher("sha256").update(sql).digest("hex")
    expect(db.query("SELECT * FROM migrations").all()).toEqual([
      { version: 1, name: "0001_one", sha256: hash(ONE.sql), applied_at: 1_767_225_600 },
      { version: 2, name: "0002_two", sha256: hash(TWO.sql), applied_at: 1_767_225_600 },
    ])
  })

  test("done again changes nothing", () => {
    const db = memory()
    migrate(db, [ONE, TWO], 1_000)
    const before = contents(db)
    migrate(db, [ONE, TWO], 9_000_000)
    expect(contents(db)).toEqual(before)
  })

  test("adds what a file of an older executable lacks", () => {
    const db = memory()
    migrate(db, [ONE], 1_000)
    db.run("INSERT INTO one VALUES (7)")
    expect(migratedSchema(db, [ONE, TWO])).toBe(1)
    migrate(db, [ONE, TWO], 2_000)
    expect(db.query("SELECT version, applied_at FROM migrations").all()).toEqual([
      { version: 1, applied_at: 1 },
      { version: 2, applied_at: 2 },
    ])
    expect(db.query("SELECT x FROM one").all()).toEqual([{ x: 2 }, { x: 2 }])
  })

  test("that fails leaves nothing of itself, says which one it was, and can be tried again", () => {
    const db = memory()
    const bad = {
      name: "0002_bad",
      sql: "CREATE TABLE half (x); UPDATE one SET x = 9; INSERT INTO nowhere VALUES (1);",
    }
    migrate(db, [ONE])
    expect(() => migrate(db, [ONE, bad])).toThrow(/migration 0002_bad failed: .*nowhere/)
    expect(db.inTransaction).toBe(false)
    expect(pragma(db, "user_version")).toBe(1)
    expect(tables(db)).toEqual(["migrations", "one"])
    expect(db.query("SELECT x FROM one").all()).toEqual([{ x: 1 }])
    migrate(db, [ONE, TWO])
    expect(pragma(db, "user_version")).toBe(2)
  })

  test.each([[[]], [[ONE]]])("that fails leaves a new file empty, whichever it is: behind %j", (before) => {
    const db = memory()
    const bad = { name: "0009_bad", sql: "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);" }
    expect(() => migrate(db, [...before, bad])).toThrow(/migration 0009_bad failed: .*nowhere/)
    expect([db.inTransaction, tables(db)]).toEqual([false, []])
    expect([pragma(db, "user_version"), pragma(db, "application_id")]).toEqual([0, 0])
    migrate(db, [ONE, TWO])
    expect(pragma(db, "user_version")).toBe(2)
  })

  test("refuses a file that was migrated by other SQL, changing nothing", () => {
    const db = memory()
    migrate(db, [ONE])
    const before = contents(db)
    const other = { ...ONE, sql: `${ONE.sql} ` }
    expect(() => migrate(db, [other, TWO])).toThrow(/migration 0001_one in the database differs/)
    expect(contents(db)).toEqual(before)
    db.run("DELETE FROM migrations")
    expect(() => migrate(db, [ONE, TWO])).toThrow(/differs/)
  })

  test("refuses a file of a newer executable, changing nothing", () => {
    const db = memory()
    migrate(db, [ONE, TWO])
    const before = contents(db)
    expect(() => migrate(db, [ONE])).toThrow(/newer leaddb \(schema 2, this executable knows 1\)/)
    expect(contents(db)).toEqual(before)
  })
})

describe("the product's own migrations", () => {
  test("are the first file of drizzle/ and those behind it, in order", () => {
    const folder = join(import.meta.dir, "../../drizzle")
    const [first, ...files] = [...new Bun.Glob("*.sql").scanSync(folder)].toSorted((a, b) =>
      a === BEFORE_2 ? -1 : b === BEFORE_2 ? 1 : a.localeCompare(b),
    )
    expect(first).toBe(BEFORE_2)
    const later = files.map((file) => ({
      name: file.slice(0, -".sql".length),
      sql: readFileSync(join(folder, file), "utf8"),
    }))
    const before = MIGRATIONS.slice(0, MIGRATIONS.length - later.length)
    const texts = before.map(({ name, sql }) => `-- migration ${name}\n${sql}`)
    expect(readFileSync(join(folder, BEFORE_2), "utf8")).toEndWith(`\n${texts.join("")}`)
    expect(MIGRATIONS.slice(before.length)).toMatchObject(later)
    expect(MIGRATIONS.map(({ name }) => Number(name.slice(0, 4)))).toEqual(MIGRATIONS.map((_, i) => i + 1))
  })

  test("of before 2.0 are to the byte those that files were migrated by", () => {
    const hash = new Bun.CryptoHasher("sha256")
    for (const { name, sql } of MIGRATIONS.slice(0, 55)) hash.update(`${name}\0${sql}\0`)
    expect(hash.digest("hex")).toBe("a6b220bb17f6f07d34836a2103981279056faa4cefd3ba1183e5524049a8edcb")
  })

  test("come to what a new file is made of in one go", () => {
    const replayed = memory()
    migrate(replayed, MIGRATIONS, 1_000, true)
    const script = `${scriptOf(replayed)}\n`
    // A script that is written now is read when the next process begins.
    if (process.env.UPDATE_GOLDEN && readFileSync(NEW_FILE, "utf8") !== script)
      return writeFileSync(NEW_FILE, script)
    expect(readFileSync(NEW_FILE, "utf8")).toBe(script)
    const made = memory()
    migrate(made, MIGRATIONS, 1_000)
    expect(scriptOf(made)).toBe(scriptOf(replayed))
    expect(objects(made)).toEqual(objects(replayed))
    expect(migratedSchema(made)).toBe(MIGRATIONS.length)
    for (const name of ["application_id", "user_version"])
      expect(pragma(made, name)).toBe(pragma(replayed, name))
    const noted = "SELECT * FROM migrations"
    expect(made.query(noted).all()).toEqual(replayed.query(noted).all())
  })

  test("make only STRICT tables, which refuse values of another type", () => {
    const db = memory()
    migrate(db)
    const loose = db
      .query<{ name: string }, []>(
        `SELECT t.name FROM pragma_table_list t JOIN sqlite_schema s ON s.name = t.name
         WHERE t.schema = 'main' AND t.type = 'table' AND NOT t.strict AND t.name NOT LIKE 'sqlite_%'`,
      )
      .all()
    expect(loose).toEqual([])
  })
})

test("leads that have notes know how many, and when they were noted and contacted last", () => {
  const db = memory()
  const at = MIGRATIONS.findIndex(({ name }) => name.endsWith("_activity"))
  migrate(db, MIGRATIONS.slice(0, at))
  for (const rid of [1, 2]) {
    db.run(
      `INSERT INTO leads (rid, account_id, id, name, source, status, created_at, updated_at, last_interaction_at)
       VALUES (?, 1, ?, 'a', 'b', 'new', 1, 1, 1)`,
      [rid, `cl_${rid}`],
    )
    db.run("INSERT INTO lead_scores (rid, account_id, score, version) VALUES (?, 1, 0, 1)", [rid])
  }
  for (const created of [20, 30, 10]) {
    db.run(
      `INSERT INTO notes (account_id, lead_rid, id, lead_id, content, created_at, updated_at)
       VALUES (1, 1, ?, 'cl_1', 'x', ?, 99)`,
      [`note_${created}`, created],
    )
  }
  migrate(db)
  const columns = "SELECT last_note_at, note_count, last_contacted_at FROM leads ORDER BY rid"
  const noted = { last_note_at: 30, note_count: 3, last_contacted_at: 30 }
  const nothing = { last_note_at: null, note_count: 0, last_contacted_at: null }
  expect(db.query(columns).all()).toEqual([noted, nothing])
  const shown = db
    .query<{ activity: string | null }, []>("SELECT activity FROM lead_scores ORDER BY rid")
    .all()
  expect(shown.map(({ activity }) => activityOf(activity))).toEqual([noted, nothing])
})

describe("opening a file", () => {
  test("takes an empty one", async () => {
    const file = newFile()
    writeFileSync(file, "")
    const store = open(file)
    expect(await store.read.accounts.list()).toEqual([])
    await store.close()
  })

  const newer = `PRAGMA user_version = ${MIGRATIONS.length + 1}`
  const otherBuild = "UPDATE migrations SET sha256 = 'x' WHERE version = 1"
  const refused: [what: string, file: (db: Database) => unknown, message: RegExp][] = [
    ["another program's database", (db) => db.run("CREATE TABLE accounts (x)"), /another program/],
    ["another's without tables", (db) => db.run("PRAGMA user_version = 1"), /another program/],
    ["another's mark", (db) => db.run("PRAGMA application_id = 5; CREATE TABLE x (y)"), /another program/],
    ["a newer leaddb's database", (db) => [migrate(db), db.run(newer)], /newer leaddb/],
    [
      "that of another build",
      (db) => [migrate(db), db.run(otherBuild)],
      /0001_initial in the database differs/,
    ],
    [
      "a file that is no database",
      ({ filename }) => writeFileSync(filename, "a,b\n".repeat(500)),
      /not a database/,
    ],
  ]
  test.each(refused)("refuses %s, naming it and changing no byte of it", (_, write, message) => {
    const file = fileWith(write)
    const before = readFileSync(file)
    expect(() => open(file)).toThrow(message)
    expect(() => open(file)).toThrow(`cannot open ${file}: `)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test("says which path cannot be written", () => {
    const file = join("/proc", "leaddb", "leads.db")
    expect(() => open(file)).toThrow(`cannot open ${file}: `)
  })
})
