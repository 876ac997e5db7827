import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { openPlace } from "../support/service.ts"

describe("leaddb backup", () => {
  test("copies while the service runs, and the copy can be served", async () => {
    await using place = openPlace()
    const service = await place.serve()
    const lead = {
      method: "POST",
      headers: { "X-API-Key": service.key },
      body: '{"name":"Ada","source":"test"}',
    }
    expect((await fetch(`${service.url}/leads`, lead)).status).toBe(201)
    const made = await place.run(["backup", "copy/leads.db", "--json"])
    expect(made.err).toContain("copy does not exist: make the folder first")
    await Bun.write(join(place.folder, "copy/x"), "")
    const backup = (await place.run(["backup", "copy/leads.db", "--json"])).json.backup
    const file = join(place.folder, "copy/leads.db")
    expect(backup).toEqual({ file, bytes: statSync(file).size, milliseconds: expect.any(Number) })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(place.folder, "copy")).sort()).toEqual(["leads.db", "x"])
    const second = await place.serve(["--data", "copy"])
    const { leads } = await (
      await fetch(`${second.url}/leads`, { headers: { "X-API-Key": service.key } })
    ).json()
    expect(leads).toMatchObject([{ name: "Ada" }])
    expect(second.key).toBe("")
  })

  test("never overwrites unless told to, and never the database itself", async () => {
    await using place = openPlace()
    await place.run(["accounts", "create", "--name", "Acme"])
    const mine = join(place.folder, "mine.txt")
    await Bun.write(mine, "precious")
    const refused = await place.run(["backup", "mine.txt"])
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("mine.txt exists: choose another name, or replace it with --force"),
    })
    expect(await Bun.file(mine).text()).toBe("precious")
    const itself = await place.run(["backup", "data/leads.db", "--force"])
    expect(itself.code).toBe(2)
    expect((await place.run(["backup", "mine.txt", "--force"])).out).toMatch(
      /^Copied .* bytes in \d+ ms, checked\.\n$/,
    )
    expect((await place.run(["check"])).code).toBe(0)
  })

  test("refuses a name that belongs to a database in use", async () => {
    await using place = openPlace()
    await place.run(["accounts", "create", "--name", "Acme"])
    const other = new Database(join(place.folder, "other.db"))
    other.run("PRAGMA journal_mode = WAL")
    other.run("CREATE TABLE t (a)")
    const { code, err } = await place.run(["backup", "other.db", "--force"])
    other.close()
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining("seems to be a database in use"),
    })
  })

  test("refuses to copy another program's database, and leaves nothing behind", async () => {
    await using place = openPlace()
    await Bun.write(join(place.folder, "data/x"), "")
    new Database(join(place.folder, "data/leads.db")).run("CREATE TABLE t (a)")
    const { code, err } = await place.run(["backup", "copy.db"])
    expect({ code, err }).toEqual({
      code: 1,
      err: "leaddb: the file is an SQLite database of another program\n",
    })
    expect(readdirSync(place.folder)).toEqual(["data"])
  })
})
