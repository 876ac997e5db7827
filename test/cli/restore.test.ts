import { Database } from "bun:sqlite"
import { beforeAll, describe, expect } from "bun:test"
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { createIds } from "../../src/runtime/clock.ts"
import { backUpDatabase } from "../../src/store/sqlite/file/copy.ts"
import { MIGRATIONS, migrate } from "../../src/store/sqlite/file/migrations.ts"
import { restoreDatabase } from "../../src/store/sqlite/file/restore.ts"
import { stepsToReplace, takeHold } from "../../src/store/sqlite/file/takeover.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { heldClock } from "../support/clock.ts"
import { openPlace, type Place } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(openPlace)

const TIME = "20260101T000000Z"

/** A backup of one account named "backup" with a key named "revoked", and the database it was made of. */
let backup: Uint8Array
let database: Uint8Array

beforeAll(async () => {
  await using place = openPlace()
  await place.run(["accounts", "create", "--name", "backup"])
  const key = (await place.run(["keys", "create", "--name", "revoked", "--json"])).json
  await place.run(["backup", "b.db"])
  backup = await Bun.file(join(place.folder, "b.db")).bytes()
  await place.run(["keys", "revoke", "--key", key.id])
  sql(dataOf(place), "UPDATE accounts SET name = 'live'", "PRAGMA wal_checkpoint(TRUNCATE)")
  database = await Bun.file(dataOf(place)).bytes()
})

const dataOf = ({ folder }: Place) => join(folder, "data/leads.db")

/** A place with the backup as b.db and, unless told, the database. */
async function prepared(place: Place, withDatabase = true): Promise<{ from: string; file: string }> {
  const from = join(place.folder, "b.db")
  await Bun.write(from, backup)
  if (withDatabase) await Bun.write(dataOf(place), database)
  return { from, file: dataOf(place) }
}

function sql(file: string, ...statements: string[]): void {
  const db = new Database(file, { readwrite: true })
  for (const statement of statements) db.run(statement)
  db.close()
}

/** The name of the account in a database that SQLite finds sound. */
function nameIn(file: string): string {
  const db = new Database(file, { readonly: true })
  try {
    expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }])
    return db.query<{ name: string }, []>("SELECT name FROM accounts").get()!.name
  } finally {
    db.close()
  }
}

describe("leaddb restore", () => {
  test("puts a backup in the database's place, keeps that one, and says what comes back", async (place) => {
    const { from, file } = await prepared(place)
    const { code, err, json } = await place.run(["restore", "b.db", "--json"])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(json.restore).toMatchObject({ file, from, accounts: 1, leads: 0, bytes: statSync(file).size })
    expect(json.restore.replaced).toMatch(/\/data\/leads-replaced-\d{8}T\d{6}Z\.db$/)
    expect(json.restore.revived).toMatchObject([{ name: "revoked", account: "backup" }])
    expect(json.warnings[0]).toStartWith(
      '1 API key that was revoked after the backup can be used again: "revoked" (ldb_',
    )
    expect([nameIn(file), nameIn(json.restore.replaced), nameIn(from)]).toEqual(["backup", "live", "backup"])
    const keys = (await place.run(["keys", "list", "--json"])).json
    expect(JSON.stringify(keys)).toContain('"revoked"')
  })

  test("brings back what was lost, into a service that starts again", async (place) => {
    const service = await place.serve()
    const { id } = (await service.call("POST", "/leads", { name: "Ada", source: "test" })).body
    expect((await place.run(["backup", "b.db"])).code).toBe(0)
    expect((await service.call("DELETE", `/leads/${id}`)).status).toBe(204)
    const refused = await place.run(["restore", "b.db"])
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("is in use: stop the leaddb that serves it"),
    })
    const beside = readdirSync(join(place.folder, "data")).filter(
      (name) => !/^leads\.(index\.)?db/.test(name),
    )
    expect(beside.toSorted()).toEqual(["uploads", "uploads.lock"])
    await service.kill()
    const done = await place.run(["restore", "b.db"])
    expect(done.out).toContain("It holds 1 lead of 1 account.\n")
    const again = await place.serve()
    expect((await again.call("GET", `/leads/${id}`)).status).toBe(200)
  })

  test("works into a folder that does not exist yet", async (place) => {
    await prepared(place, false)
    const { json } = await place.run(["restore", "b.db", "--data", "new/one", "--json"])
    expect(json.restore).toMatchObject({ replaced: null, revived: null })
    const folder = join(place.folder, "new/one")
    expect(readdirSync(folder)).toEqual(["leads.db"])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, "leads.db")).mode & 0o777).toBe(0o600)
    expect(nameIn(join(folder, "leads.db"))).toBe("backup")
  })

  test("takes an older backup and says that it will be brought up to date", async (place) => {
    const { from, file } = await prepared(place)
    rmSync(from)
    const older = new Database(from, { create: true })
    migrate(older, MIGRATIONS.slice(0, 2))
    older.run("INSERT INTO accounts (id, name, plan, created_at) VALUES ('acc_1', 'older', 'free', 0)")
    older.close()
    const { code, json } = await place.run(["restore", "b.db", "--json"])
    expect([code, json.restore.schema.has]).toEqual([0, 2])
    expect(json.warnings[0]).toContain("The backup is of an older leaddb (schema 2 of ")
    expect(await place.run(["accounts", "list"])).toMatchObject({ code: 0, err: "" })
    expect(nameIn(file)).toBe("older")
  })

  test("says which deliveries will be sent", async (place) => {
    const { from } = await prepared(place)
    sql(
      from,
      "INSERT INTO webhooks (rid, account_id, id, url, events, active, created_at, updated_at) VALUES (1, 1, 'w', 'http://x', '[]', 1, 0, 0)",
      "INSERT INTO events VALUES (1, 1, 'e', 'lead.created', '{}', 0)",
      "INSERT INTO deliveries (account_id, id, webhook_rid, event_rid, status, created_at, updated_at) VALUES (1, 'd', 1, 1, 'pending', 0, 0)",
    )
    expect((await place.run(["restore", "b.db"])).out).toContain(
      "1 webhook delivery waits in the backup: when the service starts",
    )
  })

  test.each<[string, (from: string) => unknown, RegExp]>([
    ["a newer leaddb's", (from) => sql(from, "PRAGMA user_version = 99"), /is of a newer leaddb \(schema 99/],
    [
      "another program's",
      (from) => sql(from, "PRAGMA application_id = 1"),
      /is an SQLite database of another program/,
    ],
    ["no database", (from) => Bun.write(from, "something ".repeat(1000)), /file is not a database/],
    ["an empty file", (from) => Bun.write(from, ""), /it is empty/],
    [
      "damaged",
      (from) => {
        const bytes = backup.slice()
        bytes.fill(0xa5, 8192, 8192 + 20 * 4096)
        return Bun.write(from, bytes)
      },
      /is malformed|it is damaged/,
    ],
  ])("refuses a backup that is %s, and changes nothing", async (_, spoil, message) => {
    await using place = openPlace()
    const { from, file } = await prepared(place)
    await spoil(from)
    const { code, err } = await place.run(["restore", "b.db"])
    expect(code).toBe(1)
    expect(err).toMatch(message)
    expect(readdirSync(join(place.folder, "data"))).toEqual(["leads.db"])
    expect(nameIn(file)).toBe("live")
  })

  test("refuses what cannot be a backup", async (place) => {
    await prepared(place)
    expect(await place.run(["restore", "gone.db"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("does not exist"),
    })
    expect(await place.run(["restore", "data"])).toMatchObject({ code: 2 })
    expect(await place.run(["restore", "data/leads.db"])).toMatchObject({ code: 2 })
  })

  test("takes what Litestream brings back, with its two tables, and nothing else under their names", async () => {
    await using place = openPlace()
    const { from } = await prepared(place, false)
    const lock = "CREATE TABLE _litestream_lock (id INTEGER)"
    sql(from, lock, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    expect((await place.run(["restore", "b.db"])).code).toBe(0)
    expect((await place.run(["check", "--json"])).json).toMatchObject({ ok: true, findings: [] })
    expect((await place.run(["backup", "again.db"])).code).toBe(0)
    expect((await place.run(["restore", "again.db"])).code).toBe(0)
    sql(from, "DROP TABLE _litestream_lock", lock.replace("id", "lead"))
    expect(await place.run(["restore", "b.db"])).toMatchObject({
      code: 1,
      err: expect.stringContaining('the table "_litestream_lock", which is not leaddb\'s'),
    })
  })

  test("replaces another program's database only when told to", async (place) => {
    const { file } = await prepared(place, false)
    await Bun.write(join(place.folder, "data/x"), "")
    makeForeign(file)
    expect(await place.run(["restore", "b.db"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("is a database of another program"),
    })
    expect((await place.run(["restore", "b.db", "--force"])).code).toBe(0)
    expect(nameIn(file)).toBe("backup")
  })

  test("replaces a database that is too damaged to be read, and keeps it with its log", async (place) => {
    const { from, file } = await prepared(place, false)
    await Bun.write(file, "damaged ".repeat(1000))
    await Bun.write(`${file}-wal`, "also damaged")
    restoreDatabase(from, file, TIME)
    expect(nameIn(file)).toBe("backup")
    const kept = join(place.folder, `data/leads-replaced-${TIME}.db`)
    expect(await Bun.file(kept).text()).toStartWith("damaged damaged")
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  test("never lets a log that is left over into the new database", async (place) => {
    const { from, file } = await prepared(place)
    const store = openSqliteStore(file, createIds(heldClock()))
    await store.writeAcross(
      async (tx) => void (await tx.accounts.insert({ id: "acc_x", name: "x", plan: "free", created_at: 0 })),
    )
    const log = await Bun.file(`${file}-wal`).bytes()
    await store.close()
    await Bun.write(join(place.folder, "other/leads.db-wal"), log)
    const other = join(place.folder, "other/leads.db")
    restoreDatabase(from, other, TIME)
    expect(readdirSync(join(place.folder, "other")).sort()).toEqual([
      `leads-replaced-${TIME}.db-wal`,
      "leads.db",
    ])
    expect(nameIn(other)).toBe("backup")
  })
})

/** Makes another program's database. */
function makeForeign(file: string): void {
  const db = new Database(file)
  db.run("CREATE TABLE t (a)")
  db.close()
}

describe("a restore that is cut off", () => {
  /** A database with writes in its log only, left by a process that was killed. */
  async function crashed(place: Place): Promise<{ from: string; file: string }> {
    const { from, file } = await prepared(place)
    const code = `
      import { Database } from "bun:sqlite"
      const db = new Database(${JSON.stringify(file)}, { readwrite: true })
      db.run("PRAGMA journal_mode = WAL")
      db.run("UPDATE accounts SET name = 'in the log'")
      ;(0, globalThis.process).kill(globalThis.process.pid, "SIGKILL")`
    await Bun.spawn([process.execPath, "-e", code]).exited
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    return { from, file }
  }
  const steps = stepsToReplace({ file: "", finished: "", kept: "" }).length

  test.each(Array.from({ length: steps + 1 }, (_, n) => n))(
    "leaves the old database or the new one whole: after %d steps",
    async (n) => {
      await using place = openPlace()
      const { from, file } = await crashed(place)
      const finished = join(place.folder, "data/finished")
      copyFileSync(from, finished)
      const code = `
        import { stepsToReplace, takeHold } from ${JSON.stringify(join(import.meta.dir, "../../src/store/sqlite/file/takeover.ts"))}
        const { file, finished, kept } = ${JSON.stringify({ file, finished, kept: `${file}.kept` })}
        takeHold(file, false)
        for (const step of stepsToReplace({ file, finished, kept }).slice(0, ${n})) step()
        process.kill(process.pid, "SIGKILL")`
      const child = Bun.spawn([process.execPath, "-e", code], { stderr: "pipe" })
      expect(await new Response(child.stderr).text()).toBe("")
      const isDone = n >= steps - 1
      expect(nameIn(file)).toBe(isDone ? "backup" : "in the log")
      if (isDone) expect(nameIn(`${file}.kept`)).toBe("in the log")
    },
  )

  test("can be done again", async (place) => {
    const { from, file } = await crashed(place)
    const { replaced } = restoreDatabase(from, file, TIME)
    const names = readdirSync(join(place.folder, "data")).sort()
    expect(names).toEqual([`leads-replaced-${TIME}.db`, "leads.db"])
    expect(restoreDatabase(from, file, TIME).replaced).toEndWith(`leads-replaced-${TIME}-2.db`)
    expect([nameIn(file), nameIn(replaced!)]).toEqual(["backup", "in the log"])
  })

  test("a database that is held has nothing of the log that a killed process left", async (place) => {
    const { file } = await crashed(place)
    takeHold(file, false).release()
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false])
  })
})

test("while a database is being replaced a service that starts waits, and opens the new one", async (place) => {
  const { from, file } = await prepared(place)
  const finished = join(place.folder, "data/finished")
  backUpDatabase(from, finished)
  const held = takeHold(file, false)
  const service = place.serve()
  // It waits for the lock: however long it is given, it does not say that it is there.
  expect(await Promise.race([service.then(() => "started"), Bun.sleep(700).then(() => "waits")])).toBe(
    "waits",
  )
  for (const step of stepsToReplace({ file, finished, kept: `${file}.kept` })) step()
  held.release()
  const { url } = await service
  expect((await fetch(url.replace("/api/v1", "/readyz"))).status).toBe(200)
  const live = new Database(file, { readonly: true })
  expect(live.query("SELECT name FROM accounts").get()).toEqual({ name: "backup" })
  live.close()
  expect(nameIn(`${file}.kept`)).toBe("live")
})
