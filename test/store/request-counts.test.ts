import { afterEach, describe, expect, test } from "bun:test"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { systemClock } from "../../src/runtime/clock.ts"
import { createRequestCounts, limitsFile } from "../../src/store/sqlite/requests/request-counts.ts"
import { takeFrom, WINDOW_CELLS, type WindowRequest } from "../../src/store/sqlite/requests/windows.ts"
import { heldClock } from "../support/clock.ts"
import { temporaryFolder } from "../support/folder.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Where a database is. */
function place(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  const file = join(folder, "leads.db")
  writeFileSync(file, "")
  return file
}

const MODULE = join(import.meta.dir, "../../src/store/sqlite/requests/request-counts.ts")

/** Takes requests under "account/1" in a process of its own: how many were allowed. */
async function allowedElsewhere(file: string, times: number, limit: number): Promise<number> {
  const program = `
    import { createRequestCounts } from ${JSON.stringify(MODULE)}
    const counts = createRequestCounts(${JSON.stringify(file)})
    const takes = []
    for (let i = 0; i < ${times}; i++) takes.push(await counts.take("account/1", ${limit}, 600_000))
    console.log(takes.filter(({ allowed }) => allowed).length)`
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" })
  return Number(await new Response(child.stdout).text())
}

describe("requests that several processes count on one file", () => {
  test("are allowed up to the limit by all together, and no further", async () => {
    const file = place()
    const each = await Promise.all([1, 2, 3].map(() => allowedElsewhere(file, 400, 1_000)))
    expect(each.reduce((sum, allowed) => sum + allowed)).toBe(1_000)
    const refused = await createRequestCounts(file).take("account/1", 1_000, 600_000)
    expect([refused.allowed, refused.used]).toEqual([false, 1_000])
    expect(refused.wait).toBeWithin(1, 600_001)
  })

  test("count by name: an account does not use up what another has", async () => {
    const file = place()
    const [one, other] = [createRequestCounts(file), createRequestCounts(file)]
    expect((await one.take("account/1", 1, 600_000)).allowed).toBe(true)
    expect((await other.take("account/1", 1, 600_000)).allowed).toBe(false)
    expect((await other.take("account/2", 1, 600_000)).allowed).toBe(true)
    expect((await other.take("browsers/1", 1, 600_000)).allowed).toBe(true)
  })

  test("are counted although a process died while it counted", async () => {
    const file = place()
    expect((await createRequestCounts(file).take("account/1", 9, 600_000)).used).toBe(1)
    const bytes = readFileSync(limitsFile(file))
    bytes.writeInt32LE(12_345, 0)
    writeFileSync(limitsFile(file), bytes)
    expect((await createRequestCounts(file).take("account/1", 9, 600_000)).used).toBe(2)
  })

  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ["of an earlier start of the machine", (bytes) => bytes.fill(1, 4, 8)],
    ["of another length", (bytes) => bytes.subarray(0, 4_096)],
  ])("begin anew with a file %s", async (_, spoil) => {
    const file = place()
    await createRequestCounts(file).take("account/1", 9, 600_000)
    const spoilt = spoil(readFileSync(limitsFile(file)))
    rmSync(limitsFile(file))
    writeFileSync(limitsFile(file), spoilt)
    expect((await createRequestCounts(file).take("account/1", 9, 600_000)).used).toBe(1)
  })

  test("are counted by each process alone where nothing can be shared", async () => {
    const file = join(place(), "missing", "leads.db")
    const counts = createRequestCounts(file)
    expect((await counts.take("account/1", 1, 600_000)).allowed).toBe(true)
    expect((await counts.take("account/1", 1, 600_000)).allowed).toBe(false)
    expect(existsSync(limitsFile(file))).toBe(false)
  })

  test("count no more when their time is over, by a clock that is held", async () => {
    const clock = heldClock()
    const counts = createRequestCounts(place(), clock)
    expect((await counts.take("account/1", 1, 50)).allowed).toBe(true)
    clock.advance(49)
    expect((await counts.take("account/1", 1, 50)).allowed).toBe(false)
    clock.advance(1)
    expect((await counts.take("account/1", 1, 50)).allowed).toBe(true)
  })

  test("count on while the machine's clock is set a day forward and back", async () => {
    const clock = heldClock()
    const counts = createRequestCounts(place(), clock)
    expect((await counts.take("account/1", 1, 600_000)).allowed).toBe(true)
    for (const days of [1, -2, 1]) {
      clock.jump(days * 86_400_000)
      expect((await counts.take("account/1", 1, 600_000)).allowed).toBe(false)
    }
  })

  test("go by the system's clock otherwise", async () => {
    const counts = createRequestCounts(place(), systemClock)
    const { allowed, used, wait } = await counts.take("account/1", 2, 600_000)
    expect([allowed, used]).toEqual([true, 1])
    expect(wait).toBeWithin(600_000, 600_002)
  })
})

const LENGTH = 600_000
const Moments = fc.array(
  fc.record({ pass: fc.integer({ min: 0, max: LENGTH / 20 }), ask: fc.integer({ min: 0, max: 60 }) }),
  { maxLength: 60 },
)
const take = (cells: Float64Array, name: string, asked: WindowRequest) => takeFrom(cells, name, asked)!

describe("a window of requests", () => {
  const cells = new Float64Array(WINDOW_CELLS)

  test("is exact to the millisecond up to a limit of 1,000", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), Moments, (limit, moments) => {
        cells.fill(0)
        const allowed: number[] = []
        let now = 1_000
        for (const { pass, ask } of moments) {
          now += pass
          for (let i = 0; i < ask; i++) {
            const recent = allowed.filter((at) => at > now - LENGTH)
            const { allowed: is, used, wait } = take(cells, "account/1", { limit, length: LENGTH, now })
            expect(is).toBe(recent.length < limit)
            if (is) allowed.push(now)
            expect(used).toBe(recent.length + (is ? 1 : 0))
            expect(wait).toBe((recent[0] ?? now) + LENGTH - now)
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  test("never allows more than a large limit, and forgets each request a hundredth of the window late at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 6_000 }), Moments, (limit, moments) => {
        cells.fill(0)
        const counted: { at: number; requests: number }[] = []
        const since = (begin: number) =>
          counted.reduce((sum, { at, requests }) => sum + (at > begin ? requests : 0), 0)
        let now = 1_000
        for (const { pass, ask } of moments) {
          now += pass
          let requests = 0
          for (let i = 0; i < 40 * ask; i++)
            if (take(cells, "browsers/1", { limit, length: LENGTH, now }).allowed) requests++
          counted.push({ at: now, requests })
          expect(since(now - LENGTH)).toBeLessThanOrEqual(limit)
          if (requests < 40 * ask) expect(since(now - 1.01 * LENGTH)).toBeGreaterThanOrEqual(limit)
        }
      }),
      { numRuns: 50 },
    )
  })

  test("keeps what it counted when the limit changes", () => {
    cells.fill(0)
    const asked = { length: LENGTH, now: 1_000 }
    for (let i = 0; i < 5; i++) take(cells, "account/1", { ...asked, limit: 5 })
    expect(take(cells, "account/1", { ...asked, limit: 5 }).allowed).toBe(false)
    expect(take(cells, "account/1", { ...asked, limit: 50_000 })).toMatchObject({ allowed: true, used: 6 })
    expect(take(cells, "account/1", { ...asked, limit: 6 }).allowed).toBe(false)
  })

  test("gives its room to another name once it is empty, and not before", () => {
    cells.fill(0)
    const names = Array.from({ length: 4_000 }, (_, i) => `visitor/${i}`)
    const counted = (now: number) =>
      names.filter((name) => takeFrom(cells, name, { limit: 9, length: LENGTH, now })).length
    const atFirst = counted(1_000)
    expect(atFirst).toBeGreaterThan(512)
    expect(atFirst).toBeLessThanOrEqual(1_024)
    expect(takeFrom(cells, "account/1", { limit: 9, length: LENGTH, now: 1_000 })).toBeDefined()
    expect(takeFrom(cells, names[0]!, { limit: 9, length: LENGTH, now: 2_000 })?.used).toBe(2)
    const others = names.map((name) => `${name}/other`)
    const room = others.filter((name) => takeFrom(cells, name, { limit: 9, length: LENGTH, now: 602_001 }))
    expect(room.length).toBeGreaterThan(512)
  })
})
