import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { createIds, fileTime, systemClock } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import { alone } from "../../src/store/sqlite/file/lock.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { createBackups, type RunBackup } from "../../src/worker/backups/backups.ts"
import { backupPrefix, backupTime, tooOld } from "../../src/worker/backups/names.ts"
import { makeBackup } from "../../src/worker/backups/run.ts"
import { openTestApp } from "../support/app.ts"
import { type HeldClock, heldClock } from "../support/clock.ts"
import { temporaryFolder } from "../support/folder.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A database with a backup folder beside it. */
function openKept({ keep = 3, every = 24 * HOUR, clock = heldClock() as HeldClock } = {}) {
  const home = temporaryFolder()
  const file = join(home, "data/leads.db")
  const folder = join(home, "backups")
  const store = openSqliteStore(file, createIds(systemClock))
  closing.push(
    () => rmSync(home, { recursive: true }),
    () => store.close(),
  )
  const prefix = backupPrefix(store.secret)
  let lines = ""
  const log = createLog("pretty", (line) => {
    lines += line
  })
  // The same work as in the service, without its thread.
  const inTurn: RunBackup = async (job) => makeBackup(job)
  const start = (run = inTurn) => createBackups({ file, folder, prefix, every, keep }, { clock, log }, run)
  return {
    ...{ file, folder, prefix, clock, start, inTurn },
    log: () => lines,
    /** Names of automatic backups, by their times only. */
    times: () =>
      readdirSync(folder)
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length, -3))
        .toSorted(),
  }
}

describe("the schedule of automatic backups", () => {
  test("makes the first at once, and the next when its time has come", async () => {
    const { start, clock, times, file, folder, prefix } = openKept()
    const backups = start()
    await backups.look()
    expect(times()).toEqual(["20260101T000000Z"])
    clock.advance(24 * HOUR - 1)
    await backups.look()
    expect(times().length).toBe(1)
    clock.advance(1)
    await backups.look()
    expect(times()).toEqual(["20260101T000000Z", "20260102T000000Z"])
    const copy = new Database(join(folder, `${prefix}20260102T000000Z.db`), { readonly: true })
    expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    copy.close()
    expect(readdirSync(join(file, "..")).filter((name) => name.endsWith(".partial"))).toEqual([])
  })

  test("survives restarts: the newest file tells, not its time of change", async () => {
    const { start, clock, times, folder, prefix } = openKept()
    await start().look()
    utimesSync(join(folder, `${prefix}20260101T000000Z.db`), 0, 0)
    for (let hour = 1; hour < 24; hour++) {
      clock.advance(HOUR)
      await start().look()
    }
    expect(times().length).toBe(1)
    clock.advance(HOUR)
    const again = start()
    await again.look()
    expect(times().length).toBe(2)
    expect(again.vitals.newest()).toBe(clock.now())
  })

  test("keeps the newest, and deletes nothing that is not its own", async () => {
    const { start, clock, times, folder, prefix } = openKept({ keep: 2, every: HOUR })
    mkdirSync(folder)
    const others = [
      "leads-2026-01-01.db",
      "leads-auto-00000000-20200101T000000Z.db",
      `${prefix}20200101T000000Z.db.gz`,
      `${prefix}20201301T000000Z.db`,
      "leads-replaced-20200101T000000Z.db",
    ]
    for (const name of others) await Bun.write(join(folder, name), "mine")
    const backups = start()
    for (let hour = 0; hour < 4; hour++) {
      await backups.look()
      clock.advance(HOUR)
    }
    const kept = others.filter((name) => readdirSync(folder).includes(name))
    expect(kept).toEqual(others)
    expect(times().filter((time) => time.startsWith("2026"))).toEqual([
      "20260101T020000Z",
      "20260101T030000Z",
    ])
  })

  test("makes no storm of a clock that jumps", async () => {
    const { start, clock, times } = openKept({ keep: 100 })
    const backups = start()
    for (let jump = 0; jump < 50; jump++) {
      await backups.look()
      clock.jump(jump % 2 === 0 ? 400 * 24 * HOUR : -500 * 24 * HOUR)
      clock.advance(1000)
    }
    // All within a minute of true time: the first, and none sooner than five minutes after it.
    expect(times().length).toBe(1)
    for (let restart = 0; restart < 20; restart++) {
      clock.jump(-HOUR)
      await start().look()
    }
    expect(times().length).toBe(1)
  })

  test("goes on when the clock was set back, and keeps what it makes then", async () => {
    const { start, clock, times } = openKept({ keep: 1 })
    const backups = start()
    await backups.look()
    clock.jump(-30 * 24 * HOUR)
    clock.advance(10 * MINUTE)
    await backups.look()
    expect(times()).toEqual([fileTime(clock.now())])
  })
})

test("which backups are deleted is told by the time in the name", () => {
  const prefix = "leads-auto-1f3a9c2e-"
  const name = (time: string) => `${prefix}${time}.db`
  const names = ["20260103T000000Z", "20260101T000000Z", "20990101T000000Z", "20260102T000000Z"].map(name)
  const now = Date.UTC(2026, 0, 4)
  expect(tooOld(prefix, names, 4, now)).toEqual([])
  expect(tooOld(prefix, names, 2, now)).toEqual(["20990101T000000Z", "20260101T000000Z"].map(name))
  expect(backupTime(prefix, name("20260103T000000Z"))).toBe(Date.UTC(2026, 0, 3))
  for (const other of ["20260132T000000Z", "20260103T000000", "x"]) {
    expect(backupTime(prefix, name(other))).toBeUndefined()
  }
})

describe("a backup that cannot be made", () => {
  test("is logged with advice, counted, and tried again sooner", async () => {
    const { start, clock, folder, times, log } = openKept()
    await Bun.write(folder, "not a folder")
    const backups = start()
    const waits = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, HOUR]
    for (const [n, wait] of waits.entries()) {
      await backups.look()
      clock.advance(wait - 1)
      await backups.look()
      expect(backups.vitals.failures()).toBe(n + 1)
      clock.advance(1)
    }
    expect(log()).toContain("ERROR could not make a backup")
    expect(log()).toContain("advice=make the folder, or mount its disk next_try_in_s=60")
    rmSync(folder)
    await backups.look()
    expect(times().length).toBe(1)
    expect(backups.vitals).toMatchObject({ failures: expect.any(Function) })
    expect(backups.vitals.last()).toEqual({ bytes: expect.any(Number), milliseconds: expect.any(Number) })
  })

  test("because it would not fit is not begun", () => {
    const { file, folder, prefix, clock } = openKept()
    const job = { file, folder, prefix, keep: 1, now: clock.now(), newest: undefined }
    const outcome = makeBackup(job, () => 64 * 2 ** 20 + 1000)
    expect(outcome).toMatchObject({
      type: "failed",
      message: expect.stringMatching(
        /^the copy needs 1 MiB and 64 MiB to spare, and .* has 65 MiB free: make room/,
      ),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test("does not make the parent of its folder: that may be a disk that is not mounted", () => {
    const { file, folder, prefix, clock } = openKept()
    const job = { file, folder: join(folder, "deep"), prefix, keep: 1, now: clock.now(), newest: undefined }
    expect(makeBackup(job)).toMatchObject({ type: "failed", code: "ENOENT" })
  })
})

describe("two that want to make a backup", () => {
  test("make one", async () => {
    const { start, times, inTurn } = openKept()
    const [first, second] = [start(), start()]
    // Both find that it is due before either makes it.
    const gate = Promise.withResolvers<void>()
    const late = start(async (job, signal) => {
      await gate.promise
      return inTurn(job, signal)
    })
    const looking = late.look()
    await first.look()
    await second.look()
    gate.resolve()
    await looking
    expect(times().length).toBe(1)
    expect([first, second, late].map(({ vitals }) => vitals.failures())).toEqual([0, 0, 0])
  })

  test("never work at the same time", async () => {
    const { start, file, folder, clock, times } = openKept()
    const backups = start()
    alone(join(file, "../backup.lock"), () => {
      const job = { file, folder, prefix: "leads-auto-x-", keep: 1, now: clock.now(), newest: undefined }
      expect(makeBackup(job)).toEqual({ type: "elsewhere" })
    })
    await Promise.all([backups.look(), backups.look()])
    expect(times().length).toBe(1)
  })

  test("are not kept from it by one that died", async () => {
    const { file } = openKept()
    const lock = join(file, "../backup.lock")
    const code = `
      import { alone } from ${JSON.stringify(join(import.meta.dir, "../../src/store/sqlite/file/lock.ts"))}
      alone(${JSON.stringify(lock)}, () => {
        console.log("held")
        const forever = new Int32Array(new SharedArrayBuffer(4))
        Atomics.wait(forever, 0, 0)
      })`
    const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" })
    closing.push(() => child.kill("SIGKILL"))
    for await (const _ of child.stdout) break
    expect(alone(lock, () => "mine")).toBeUndefined()
    child.kill("SIGKILL")
    await child.exited
    expect(alone(lock, () => "mine")).toBe("mine")
    expect(readdirSync(join(file, "..")).filter((name) => name.startsWith("backup.lock"))).toEqual([
      "backup.lock",
    ])
  })

  test("clear away what one left that died", async () => {
    const { start, folder, prefix } = openKept()
    mkdirSync(folder)
    const left = join(folder, `.${prefix}20250101T000000Z.db.${crypto.randomUUID()}.partial`)
    await Bun.write(left, "half")
    await Bun.write(`${left}-journal`, "half")
    await start().look()
    expect(readdirSync(folder).length).toBe(1)
  })
})

describe("a service with LEADDB_BACKUP_DIR", () => {
  test("makes backups that can be restored, and says so in its metrics", async () => {
    const folder = temporaryFolder()
    closing.push(() => rmSync(folder, { recursive: true }))
    const { app, call } = await openTestApp({ backupDir: join(folder, "b") })
    const metrics = async () => await (await fetch(new URL("/metrics", app.url))).text()
    const number = (text: string, name: string) => Number(text.match(new RegExp(`^${name} (.+)$`, "m"))?.[1])
    const text = await until("a backup", async () => {
      const text = await metrics()
      return number(text, "leaddb_backup_bytes") > 0 && text
    })
    const [name = ""] = readdirSync(join(folder, "b"))
    expect(number(text, "leaddb_backup_bytes")).toBe(Bun.file(join(folder, "b", name)).size)
    expect(
      Math.abs(number(text, "leaddb_backup_last_success_timestamp_seconds") - Date.now() / 1000),
    ).toBeLessThan(60)
    expect(number(text, "leaddb_backup_duration_seconds")).toBeGreaterThan(0)
    expect(number(text, "leaddb_backup_failures_total")).toBe(0)
    expect((await call("GET", "/leads")).status).toBe(200)
    await using place = openPlace()
    expect((await place.run(["restore", join(folder, "b", name)])).code).toBe(0)
    expect((await place.run(["check"])).code).toBe(0)
  })

  test("stays ready when none can be made", async () => {
    const folder = temporaryFolder()
    closing.push(() => rmSync(folder, { recursive: true }))
    await Bun.write(join(folder, "b"), "in the way")
    const { app } = await openTestApp({ backupDir: join(folder, "b"), log: "off" })
    await until("a failure", async () =>
      (await (await fetch(new URL("/metrics", app.url))).text()).includes("leaddb_backup_failures_total 1\n"),
    )
    expect((await fetch(new URL("/readyz", app.url))).status).toBe(200)
  })

  test("and one without have nothing to say of them", async () => {
    const { app } = await openTestApp()
    expect(await (await fetch(new URL("/metrics", app.url))).text()).not.toContain("leaddb_backup")
  })
})
