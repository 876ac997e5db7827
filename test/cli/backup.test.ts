import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { openPlace, type Place } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(openPlace)

describe("leaddb backup", () => {
  test("copies while the service runs, and the copy can be served", async (place) => {
    const service = await place.serve()
    expect((await service.call("POST", "/leads", { name: "Ada", source: "test" })).status).toBe(201)
    const made = await place.run(["backup", "copy/leads.db", "--json"])
    expect(made.err).toContain("copy does not exist: make the folder first")
    await Bun.write(join(place.folder, "copy/x"), "")
    const backup = (await place.run(["backup", "copy/leads.db", "--json"])).json.backup
    const file = join(place.folder, "copy/leads.db")
    expect(backup).toEqual({ file, bytes: statSync(file).size, milliseconds: expect.any(Number) })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(place.folder, "copy")).sort()).toEqual(["leads.db", "x"])
    const second = await place.serve(["--data", "copy"])
    expect((await second.call("GET", "/leads")).body.leads).toMatchObject([{ name: "Ada" }])
    expect(second.key).toBe("")
  })

  test("never overwrites unless told to, and never the database itself", async (place) => {
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

  test("refuses a name that belongs to a database in use", async (place) => {
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

  test("refuses to copy another program's database, and leaves nothing behind", async (place) => {
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

describe("a backup that is killed", () => {
  test("leaves a part of a copy that the next one in its folder removes", async (place) => {
    const folder = await fillLarge(place)
    const { signal, ended } = await cutOff(place, folder)
    signal("SIGCONT")
    signal("SIGKILL")
    await ended
    expect(partials(folder).length).toBe(1)
    expect((await place.run(["backup", "copies/whole.db"])).code).toBe(0)
    expect(readdirSync(folder)).toEqual(["whole.db"])
  })

  test("is not confused with one that goes on, or with the files of others", async (place) => {
    const folder = await fillLarge(place)
    const other = join(folder, ".notes.partial")
    await Bun.write(other, "mine")
    const { signal, ended } = await cutOff(place, folder)
    const before = partials(folder)
    expect((await place.run(["backup", "copies/whole.db"])).code).toBe(0)
    expect(partials(folder)).toEqual(before)
    signal("SIGCONT")
    expect((await ended).code).toBe(0)
    expect(readdirSync(folder).sort()).toEqual([".notes.partial", "slow.db", "whole.db"])
  })

  test("one of an older version, without a lock, is removed under its own name", async (place) => {
    await place.run(["accounts", "create", "--name", "Acme"])
    const folder = join(place.folder, "copies")
    mkdirSync(folder)
    const left = (name: string) => `.${name}.${crypto.randomUUID()}.partial`
    const [own, other] = [left("slow.db"), left("other.db")]
    for (const name of [own, `${own}-journal`, other]) await Bun.write(join(folder, name), "half")
    expect((await place.run(["backup", "copies/slow.db"])).code).toBe(0)
    expect(readdirSync(folder).sort()).toEqual([other, "slow.db"].sort())
  })

  test("an export removes what one left that was killed", async (place) => {
    const folder = await fillLarge(place)
    const { signal, ended } = await cutOff(place, folder)
    signal("SIGCONT")
    signal("SIGKILL")
    await ended
    expect((await place.run(["export", "copies/leads.csv"])).code).toBe(0)
    expect(readdirSync(folder)).toEqual(["leads.csv"])
  })
})

/** A database that takes a while to copy, and the folder for copies. */
async function fillLarge(place: Place): Promise<string> {
  await place.run(["accounts", "create", "--name", "Acme"])
  const db = new Database(join(place.folder, "data/leads.db"))
  db.run("INSERT INTO settings (name, value) VALUES ('large', zeroblob(50000000))")
  db.close()
  const folder = join(place.folder, "copies")
  mkdirSync(folder)
  return folder
}

const partials = (folder: string) =>
  readdirSync(folder).filter((name) => /^\.slow\.db\..*\.partial$/.test(name))

/** A backup that has begun to write its copy, and is held there. */
async function cutOff(place: Place, folder: string) {
  for (;;) {
    const { pid, ended } = place.start(["backup", "copies/slow.db"])
    const isBegun = () => partials(folder).some((name) => sizeOf(join(folder, name)) > 0)
    const isOver = await until("a backup begins", () =>
      existsSync(join(folder, "slow.db")) ? "over" : isBegun() && "begun",
    )
    process.kill(pid, "SIGSTOP")
    if (isOver === "begun" && partials(folder).length > 0)
      return { ended, signal: (name: "SIGCONT" | "SIGKILL") => process.kill(pid, name) }
    process.kill(pid, "SIGKILL")
    await ended
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
