import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { openTestApp } from "../support/app.ts"
import { openPlace } from "../support/service.ts"

/** How many rows of each table are an account's, of those that have any. */
function rowsOf(file: string, account: number): Record<string, number> {
  using db = new Database(file, { readonly: true })
  const tables = db
    .query<{ name: string }, []>(
      `SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND c.name = 'account_id'`,
    )
    .all()
  const counted = tables.map(({ name }): [string, number] => [
    name,
    db.query<{ n: number }, [number]>(`SELECT count(*) AS n FROM ${name} WHERE account_id = ?`).get(account)!
      .n,
  ])
  return Object.fromEntries(counted.filter(([, n]) => n > 0))
}

const count = (file: string, table: string) => {
  using db = new Database(file, { readonly: true })
  return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n
}

/** Rows of an account in every table that has any, whatever they say. */
function fill(file: string, account: number): void {
  using db = new Database(file)
  db.run("PRAGMA foreign_keys = OFF")
  const tables = db
    .query<{ name: string }, []>(
      `SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'account_id'`,
    )
    .all()
  for (const { name } of tables) {
    const columns = db
      .query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
      )
      .all(name)
      .filter(
        (one) =>
          one.name === "account_id" || one.pk === 0 || one.type !== "INTEGER" || columnsKeyed(db, name),
      )
    const value = (type: string) =>
      type === "BLOB"
        ? `randomblob(8)`
        : type === "TEXT"
          ? "hex(randomblob(8))"
          : "abs(random() % 1000000000)"
    const values = columns.map((one) => (one.name === "account_id" ? account : value(one.type)))
    db.run(
      `INSERT OR IGNORE INTO ${name} (${columns.map((one) => `"${one.name}"`).join(", ")}) VALUES (${values.join(", ")})`,
    )
  }
}

/** Whether a table is kept by its key alone, so that every part of it has to be there. */
function columnsKeyed(db: Database, table: string): boolean {
  return (
    db.query<{ wr: number }, [string]>("SELECT wr FROM pragma_table_list WHERE name = ?").get(table)!.wr === 1
  )
}

test("an account goes with everything in every table, and the log keeps that it was there", async () => {
  const { call, config } = await openTestApp()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const lead = {
      name: `Lead ${i}`,
      source: "web",
      latitude: 1,
      longitude: 2,
      tags: ["t"],
      email: `a${i}@b.example`,
    }
    ids.push((await call("POST", "/leads", lead)).body.id)
  }
  await call("POST", "/webhooks", { url: "http://127.0.0.1:9/" })
  await call("POST", `/leads/${ids[0]}/notes`, { content: "x" })
  await call("PUT", `/leads/${ids[0]}`, { city: "Köln" })
  await call("POST", "/scoring-rules", { name: "r", expression: "1", weight: 1, priority: 1 })
  await call("DELETE", `/leads/${ids[1]}`)
  // Nothing that works on leads may read the rows below, which say nothing.
  const file = join(config.data, "copy.db")
  {
    using db = new Database(config.file, { readonly: true })
    db.run("VACUUM INTO ?", [file])
  }
  const store = openSqliteStore(file, createIds(systemClock))
  const [account] = await store.read.accounts.list()
  const other = await store.writeAcross((tx) =>
    tx.accounts.insert({ id: "acc_other", name: "other", plan: "free", created_at: 1 }),
  )
  fill(file, account!.key)
  fill(file, other)
  const others = rowsOf(file, other)
  const filled = rowsOf(file, account!.key)
  expect(Object.keys(filled)).toEqual(Object.keys(others))

  let steps = 1
  while (await store.writeAcross((tx) => tx.accounts.remove(account!.key))) steps++
  expect(steps).toBeLessThan(100)
  expect(rowsOf(file, account!.key)).toEqual({})
  expect(rowsOf(file, other)).toEqual(others)
  expect(count(file, "lead_locations")).toBe(0)
  expect((await store.read.accounts.list()).map(({ id }) => id)).toEqual(["acc_other"])
  await store.close()
}, 120_000)

test("it asks to be confirmed, says what goes, and its key is gone at once; a later account is another one", async () => {
  await using place = openPlace()
  const made = (await place.run(["accounts", "create", "--name", "Acme", "--json"])).json.account
  await place.run(["accounts", "create", "--name", "Other"])
  const asked = await place.run(["accounts", "delete", "--name", "Acme"])
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("add --confirm") })
  const gone = await place.run(["accounts", "delete", "--name", "Acme", "--confirm", "--json"])
  expect(gone.json).toEqual({ deleted: { id: made.id, name: "Acme", leads: 0 } })
  const { accounts } = (await place.run(["accounts", "list", "--json"])).json
  expect(accounts.map(({ name }: { name: string }) => name)).toEqual(["Other"])

  await place.run(["accounts", "delete", "--account", accounts[0].id, "--confirm"])
  await place.run(["accounts", "create", "--name", "New"])
  const left = (await place.run(["log", "--deleted", "--json"])).json.entries
  expect(left).toMatchObject([
    { action: "account.deleted", target_id: accounts[0].id },
    { action: "account.deleted", target_id: made.id, key_id: null, details: { leads: 0 } },
  ])
  expect(rowsOf(join(place.folder, "data/leads.db"), 2)).toEqual({ admin_log: 1 })
}, 120_000)

test.each([
  ["no account named", ["accounts", "delete", "--confirm"], "--account ID or --name NAME"],
  [
    "an account that is not there",
    ["accounts", "delete", "--name", "Acne", "--confirm"],
    'did you mean "Acme"',
  ],
])(
  "%s is refused",
  async (_, line, message) => {
    await using place = openPlace()
    await place.run(["accounts", "create", "--name", "Acme"])
    const refused = await place.run(line)
    expect(refused.err).toContain(message)
    expect((await place.run(["accounts", "list", "--json"])).json.accounts).toHaveLength(1)
  },
  120_000,
)
