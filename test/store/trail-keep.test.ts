import { describe, expect, onTestFinished, test } from "bun:test"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { createIds } from "../../src/runtime/clock.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { forgetOldChanges } from "../../src/worker/upkeep.ts"
import { openHeldApp, openTestApp } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"

const DAY = 24 * 60 * 60

describe("changes that are kept for some days", () => {
  test("are forgotten then, the others still tell whole leads, and cursors say that they are too old", async () => {
    const { call, clock, config } = await openHeldApp()
    const store = openSqliteStore(config.file, createIds(clock))
    onTestFinished(() => store.close())
    const prune = () => forgetOldChanges(store, 10 * DAY, clock.seconds())
    const create = async () => (await call("POST", "/leads", { ...LEAST, city: "a" })).body.id as string
    const [stays, goes] = [await create(), await create()]
    const start = (await call("GET", "/changes?order=asc&limit=1")).body.next_cursor
    await call("DELETE", `/leads/${goes}`)
    for (const city of ["b", "c", "d"]) {
      clock.advance(6 * DAY * 1000)
      await call("PUT", `/leads/${stays}`, { city })
    }
    const before = (await call("GET", `/leads/${stays}/changes`)).body.changes
    await prune()
    const after = (await call("GET", `/leads/${stays}/changes`)).body.changes
    expect(before).toHaveLength(4)
    expect(after).toEqual(before.slice(0, 2))
    expect((await call("GET", `/leads/${goes}/changes`)).status).toBe(404)
    const gone = await call("GET", `/changes?order=asc&cursor=${start}`)
    expect([gone.status, gone.body.code]).toEqual([410, "cursor_expired"])
    const { changes } = (await call("GET", "/changes?order=asc")).body
    expect(pluck(changes, "id")).toEqual(pluck(after, "id").toReversed())
    await call("PUT", `/leads/${stays}`, { city: "e" })
    const [last] = (await call("GET", `/leads/${stays}/changes`)).body.changes
    expect(last).toMatchObject({ before: { city: "d" }, after: { city: "e" } })
    // A clock that runs ahead makes nothing old.
    clock.jump(400 * DAY * 1000)
    await prune()
    expect((await call("GET", "/changes")).body.count).toBe(3)
  })

  test("may be other days for an account", async () => {
    const { call, clock, config } = await openHeldApp()
    const store = openSqliteStore(config.file, createIds(clock))
    onTestFinished(() => store.close())
    const { id } = (await call("POST", "/leads", LEAST)).body
    clock.advance(20 * DAY * 1000)
    await call("PUT", `/leads/${id}`, { city: "b" })
    const { account } = (await store.writeAcross((tx) => tx.trail.keeps()))[0]!
    const count = async () => (await call("GET", "/changes")).body.count
    for (const [keep, left] of [
      [0, 2],
      [30 * DAY, 2],
      [null, 1],
    ] as const) {
      await store.write(account, (tx) => tx.trail.setKeep(account, keep))
      await forgetOldChanges(store, 10 * DAY, clock.seconds())
      expect(await count()).toBe(left)
    }
  })
})

test("a restored file has another epoch: older cursors say that they are gone", async () => {
  const { call, config, close, key } = await openTestApp()
  await call("POST", "/leads", LEAST)
  const { next_cursor: cursor } = (await call("GET", "/changes?order=asc")).body
  const { fileCare } = await import("../../src/store/open.ts")
  const backup = join(dirname(config.file), "..", `copy-${Bun.randomUUIDv7()}.db`)
  onTestFinished(() => rmSync(backup, { force: true }))
  fileCare.backUp(config.file, backup)
  await close()
  fileCare.restore(backup, config.file, "20270131T101500Z")
  const again = await openTestApp({ data: config.data, file: config.file, bootstrap: false })
  const { status, body } = await again.as(key)("GET", `/changes?order=asc&cursor=${cursor}`)
  expect([status, body.code]).toEqual([410, "cursor_expired"])
  expect(body.message).toContain("restored")
})
