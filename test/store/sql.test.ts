// Statements in PostgreSQL's words on SQLite: what its adapter makes of them, and when they run.
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { bulk } from "../../src/store/sql/bulk.ts"
import { asSqlite, sqliteDb } from "../../src/store/sqlite/connection/database.ts"

describe("a statement for SQLite", () => {
  test.each([
    ["SELECT $1::bigint, $2::float8[], $3::double precision", "SELECT ?1, ?2, ?3"],
    ["SELECT 1 FROM t ORDER BY a LIMIT 4 FOR UPDATE SKIP LOCKED", "SELECT 1 FROM t ORDER BY a LIMIT 4"],
    ["SELECT 1 FROM t FOR UPDATE OF t", "SELECT 1 FROM t"],
    [
      "DELETE FROM t WHERE a = ANY ($2::bigint[])",
      "DELETE FROM t WHERE a IN (SELECT value FROM json_each(?2))",
    ],
    ["SELECT a FROM t LIMIT ALL OFFSET $11", "SELECT a FROM t LIMIT -1 OFFSET ?11"],
  ])("%s", (postgres, sqlite) => {
    expect(asSqlite(postgres)).toBe(sqlite)
  })
})

describe("SQLite's statements", () => {
  const seen = bulk(
    { id: "text", at: "bigint" },
    (rows) => `INSERT INTO seen (id, at) SELECT r.id, r.at FROM ${rows} WHERE true
      ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
  )

  function open() {
    const database = new Database(":memory:", { strict: true })
    database.run("CREATE TABLE seen (id TEXT PRIMARY KEY, at INTEGER) STRICT")
    return { database, db: sqliteDb(database) }
  }

  test("have run when the function returns, before anybody awaits them", async () => {
    const { database, db } = open()
    database.run("BEGIN")
    const written = db.run("INSERT INTO seen (id, at) VALUES ($1, $2)", ["a", 1])
    db.later("UPDATE seen SET at = at + $2 WHERE id = $1", ["a", 1])
    db.put(seen, ["b", 5])
    db.put(seen, ["a", 7])
    const read = db.all("SELECT id, at FROM seen ORDER BY id")
    database.run("ROLLBACK")
    expect(await written).toBe(1)
    expect(await read).toEqual([
      { id: "a", at: 7 },
      { id: "b", at: 5 },
    ])
    expect(await db.all("SELECT id FROM seen")).toEqual([])
  })

  test("take lists, and what is undefined as null", async () => {
    const { db } = open()
    for (const [i, id] of ["a", "b", "c"].entries()) db.put(seen, [id, i])
    const some = "SELECT id FROM seen WHERE id = ANY ($1::text[]) ORDER BY id"
    expect(await db.all(some, [["c", "a", "none"]])).toEqual([{ id: "a" }, { id: "c" }])
    expect(await db.get("SELECT $1::text IS NULL AS empty", [undefined])).toEqual({ empty: 1 })
    expect(await db.get("SELECT id FROM seen WHERE id = $1", ["none"])).toBeUndefined()
  })

  test("reject with what SQLite threw", async () => {
    const { db } = open()
    await expect(db.run("INSERT INTO nowhere VALUES ($1)", [1])).rejects.toThrow("nowhere")
    expect(() => db.later("INSERT INTO nowhere VALUES ($1)", [1])).toThrow("nowhere")
  })
})
