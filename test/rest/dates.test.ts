// Days and relative dates, in the account's time zone.
import { describe, expect, test } from "bun:test"
import { call } from "../mcp/support.ts"
import { openTestAccount, openTestApp, openTestAppForReading, type TestAccount } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { watchOutbox } from "../support/outbox.ts"

const HOUR = 3_600_000
const seconds = (iso: string) => Date.parse(iso) / 1000

async function find({ call }: TestAccount, ...filters: string[]): Promise<string> {
  const query = filters.map((one) => `filter=${encodeURIComponent(one)}`).join("&")
  const { status, body } = await call("GET", `/leads?limit=100&${query}`)
  if (status !== 200) throw new Error(`${filters.join(" ")}: ${body.message}`)
  return body.leads.map(({ name }: { name: string }) => name).join("")
}

const zoned = ({ call }: TestAccount, time_zone: string) => call("PATCH", "/account", { time_zone })

/** Created at these times, in this order. */
const TIMES = {
  A: "2026-02-28T12:00:00Z",
  B: "2026-03-29T21:59:59Z",
  C: "2026-03-29T22:00:00Z",
  D: "2026-03-30T23:59:59Z",
  E: "2026-03-31T00:00:00Z",
  F: "2026-03-31T12:00:00Z",
}

describe("dates in filters", () => {
  const clock = heldClock(Date.parse(TIMES.A))
  const filled = async ({ call }: TestAccount) => {
    let at = Date.parse(TIMES.A)
    for (const [name, time] of Object.entries(TIMES)) {
      clock.advance(Date.parse(time) - at)
      at = Date.parse(time)
      await call("POST", "/leads", {
        ...{ name, source: "test", next_step: "call", next_step_at: time },
        attributes: [
          { name: "due", type: "date", value: time.slice(0, 10) },
          { name: "at", type: "date", value: time },
        ],
      })
    }
  }
  const app = openTestAppForReading(filled, {}, clock)
  const CASES: [filter: string, utc: string, berlin: string][] = [
    ["eq.F.today", "EF", "DEF"],
    ["eq.F.yesterday", "D", "C"],
    ["neq.F.today", "ABCD", "ABC"],
    ["gte.F.yesterday", "DEF", "CDEF"],
    ["gt.F.yesterday", "EF", "DEF"],
    ["lt.F.today", "ABCD", "ABC"],
    ["lte.F.yesterday", "ABCD", "ABC"],
    ["eq.F.2026-03-29", "BC", "B"],
    ["eq.F.2026-03-30", "D", "C"],
    ["between.F.2026-03-29,2026-03-30", "BCD", "BC"],
    ["in.F.2026-02-28,today", "AEF", "ADEF"],
    ["not_in.F.2026-02-28,today", "BCD", "BC"],
    ["eq.F.-P1M", "A", "A"],
    ["eq.F.1m", "A", "A"],
    ["eq.F.P1M", "", ""],
    ["eq.F.31d", "A", "A"],
    ["lt.F.30d", "A", "A"],
    ["gte.F.-P1W", "BCDEF", "BCDEF"],
    ["gte.F.13h", "DEF", "DEF"],
    ["gte.F.-PT12H", "EF", "EF"],
    ["lt.F.today 02:00", "ABCDE", "ABCD"],
    ["lt.F.tomorrow", "ABCDEF", "ABCDEF"],
    ["eq.F.2026-03-30T23:59:59", "D", ""],
    ["eq.F.2026-03-31T01:59:59", "", "D"],
    ["lte.F.now", "ABCDEF", "ABCDEF"],
  ]
  test.each(["UTC", "Europe/Berlin"] as const)("are days of %s", async (zone) => {
    const own = app()
    await zoned(own, zone)
    for (const field of ["created_at", "next_step_at"])
      for (const [filter, utc, berlin] of CASES) {
        const asked = `and.${filter.replace("F", field)}`
        expect([zone, asked, await find(own, asked)]).toEqual([zone, asked, zone === "UTC" ? utc : berlin])
      }
  })

  const ATTRIBUTES: [filter: string, found: string][] = [
    ["eq.attr:due.today", "EF"],
    ["eq.attr:due.yesterday", "D"],
    ["neq.attr:due.today", "ABCD"],
    ["lte.attr:due.2026-03-29", "ABC"],
    ["gt.attr:due.2026-03-29", "DEF"],
    ["between.attr:due.2026-03-29,2026-03-30", "BCD"],
    ["eq.attr:at.2026-03-29", "BC"],
    ["lte.attr:at.2026-03-30", "ABCD"],
    ["gt.attr:at.2026-03-30", "EF"],
    ["in.attr:at.2026-02-28,2026-03-30", "AD"],
    ["not_in.attr:at.2026-02-28,2026-03-30", "BCEF"],
    ["eq.attr:at.2026-03-29T22:00:00Z", "C"],
    ["lt.attr:due.30d", "A"],
  ]
  test("of attributes are those of the calendar, whatever the zone", async () => {
    const own = app()
    for (const zone of ["UTC", "Pacific/Auckland"]) {
      await zoned(own, zone)
      for (const [filter, found] of ATTRIBUTES) {
        // At noon of UTC it is tomorrow in Auckland.
        if (zone !== "UTC" && /today|yesterday/.test(filter)) continue
        expect([zone, filter, await find(own, `and.${filter}`)]).toEqual([zone, filter, found])
      }
    }
    expect(await find(own, "and.eq.attr:due.yesterday")).toBe("EF")
    await zoned(own, "UTC")
  })

  test.each(["soon", "30x", "P", "tomorrow 25:00", "yesterday now", "99999y", "2026-02-30", "constructor"])(
    "%s is refused with what would be right",
    async (value) => {
      for (const field of ["created_at", "attr:due"]) {
        const filter = encodeURIComponent(`and.gte.${field}.${value}`)
        const { status, body } = await app().call("GET", `/leads?filter=${filter}`)
        expect([status, body.message]).toEqual([400, expect.stringContaining("today, yesterday, tomorrow")])
      }
    },
  )

  test("a list of dates has a limit, which the message names", async () => {
    const days = Array.from({ length: 101 }, (_, i) => `${i}d`)
    const { status, body } = await app().call("GET", `/leads?filter=and.in.created_at.${days}`)
    expect([status, body.message]).toEqual([400, expect.stringContaining("at most 100 days")])
    expect(await find(app(), `and.in.created_at.${days.slice(1)}`)).toBe("ABCD")
  })
})

test("since and until of one day are that day, in the account's zone", async () => {
  const clock = heldClock(Date.parse("2026-03-28T23:30:00Z"))
  const app = await openTestApp({}, clock)
  for (const name of "ABCD") {
    await app.call("POST", "/leads", { name, source: "test" })
    clock.advance(12 * HOUR)
  }
  const namesOf = async (since: string, until: string) => {
    const { body } = await app.call("GET", `/changes?since=${since}&until=${until}&order=asc`)
    return body.changes.map(({ after }: { after: { name: string } }) => after.name).join("")
  }
  expect(await namesOf("2026-03-29", "2026-03-29")).toBe("BC")
  expect(await namesOf("yesterday", "yesterday")).toBe("BC")
  await zoned(app, "Europe/Berlin")
  expect(await namesOf("2026-03-29", "2026-03-29")).toBe("AB")
  expect(await namesOf("3d", "today")).toBe("ABCD")
  const { status, body } = await app.call("GET", "/changes?since=soon")
  expect([status, body.message]).toEqual([400, expect.stringMatching(/^since must be a time.*yesterday/)])
})

test("a next step tomorrow is tomorrow in the account's zone, in a batch as alone", async () => {
  const app = await openTestApp({}, heldClock(Date.parse("2026-03-31T23:00:00Z")))
  await zoned(app, "Europe/Berlin")
  const lead = { name: "A", source: "test", next_step: "call", next_step_at: "tomorrow 9:00" }
  const { id, next_step_at } = (await app.call("POST", "/leads", lead)).body
  expect(next_step_at).toBe(seconds("2026-04-02T07:00:00Z"))
  const { created } = (await app.call("POST", "/leads/batch", { leads: [{ ...lead, name: "B" }] })).body
  const read = async (one: string) => (await app.call("GET", `/leads/${one}`)).body.next_step_at
  expect(await read(created[0].id)).toBe(next_step_at)
  await app.call("POST", "/leads/bulk", { action: "update", ids: [id], data: { next_step_at: "2026-04-05" } })
  expect(await read(id)).toBe(seconds("2026-04-04T22:00:00Z"))
})

test("days, weeks and months of counts are those of the account's zone", async () => {
  // Tuesday night in UTC, Wednesday morning and another month in Berlin.
  const app = await openTestApp({}, heldClock(seconds("2026-03-31T22:30:00Z") * 1000))
  const { id } = (await app.call("POST", "/leads", { name: "A", source: "test" })).body
  await app.call("POST", "/leads/bulk", { action: "update", ids: [id], data: { status: "converted" } })
  const periods = ["day", "week", "month", "year"]
  const named = async () => {
    const days: unknown[] = []
    for (const by of periods) {
      const { body } = await app.call("GET", `/leads/aggregate?group_by=created_at&by=${by}`)
      days.push(body.groups[0].created_at)
      for (const of of ["changes", "batches"])
        days.push((await call(app, "get_stats", { of, group_by: [by] })).data.groups[0][by])
    }
    return days.join(" ")
  }
  const utc =
    "2026-03-31 2026-03-31 2026-03-31 2026-03-30 2026-03-30 2026-03-30 2026-03-01 2026-03 2026-03 2026-01-01 2026 2026"
  expect(await named()).toBe(utc)
  await zoned(app, "Europe/Berlin")
  expect(await named()).toBe(
    utc.replaceAll("2026-03-31", "2026-04-01").replaceAll(/2026-03(?= |-01)/g, "2026-04"),
  )
  const { groups } = (await app.call("GET", "/leads/aggregate?group_by=created_at&tz=UTC")).body
  expect(groups[0].created_at).toBe("2026-03-31")
})

test("files have the times of the account's zone, in and out", async () => {
  const app = await openTestAccount()
  await zoned(app, "Europe/Berlin")
  const said = ["01.07.2026 09:00", "2026-12-01 09:00", "2026-12-01", "2026-12-01T09:00:00Z"]
  const rows = said.map((time, i) => `Lead ${i},${i}@x.example,${time}`).join("\n")
  await app.call("POST", "/leads/import?source=t", `Name,Email,Next step at\n${rows}`, {
    "Content-Type": "text/csv",
  })
  const times = async () => {
    const { leads } = (await app.call("GET", "/leads")).body
    return leads.map((lead: { next_step_at: number }) =>
      new Date(lead.next_step_at * 1000).toISOString().slice(0, 16),
    )
  }
  const kept = ["2026-07-01T07:00", "2026-12-01T08:00", "2026-11-30T23:00", "2026-12-01T09:00"]
  expect(await times()).toEqual(kept)
  const clocks = ["2026-07-01 09:00:00", "2026-12-01 09:00:00", "2026-12-01 00:00:00", "2026-12-01 10:00:00"]
  for (const format of ["csv", "xlsx"]) {
    const path = `/leads/export?format=${format}&fields=name,email,source,next_step_at&dates=excel`
    const answer = await fetch(`${app.app.url}${path}`, { headers: { "X-API-Key": app.key } })
    const file = await answer.arrayBuffer()
    if (format === "csv") for (const clock of clocks) expect(Buffer.from(file).toString()).toContain(clock)
    const to = { "X-API-Key": app.key, "Content-Type": answer.headers.get("Content-Type")! }
    await app.call("POST", "/leads/bulk", {
      action: "update",
      filter: ["and.eq.source.t"],
      data: { next_step_at: null },
    })
    await fetch(`${app.app.url}/leads/import`, { method: "POST", headers: to, body: file })
    expect([format, await times()]).toEqual([format, kept])
  }
})

describe("a time zone", () => {
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["america/new_york", "America/New_York"],
    ["Etc/UTC", "UTC"],
  ])("%s is taken", async (sent, kept) => {
    const app = await openTestAccount()
    expect((await zoned(app, sent)).body.time_zone).toBe(kept)
    expect((await app.call("GET", "/account")).body).toMatchObject({ time_zone: kept, default_country: null })
  })

  test("a very long name is refused", async () => {
    const { status, body } = await zoned(await openTestAccount(), "x".repeat(5_000))
    expect([status, body.message.length < 200]).toEqual([400, true])
  })

  test.each([
    ["Berlin", "Europe/Berlin"],
    ["Europe/Berln", "Europe/Berlin"],
    ["+02:00", "Europe/Berlin"],
    ["", "Europe/Berlin"],
  ])("%s is refused, with one that is near", async (sent, near) => {
    const app = await openTestAccount()
    const { status, body } = await zoned(app, sent)
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining(`such as ${near}; "${sent}" is none`),
    ])
    expect((await app.call("GET", "/account")).body.time_zone).toBe("UTC")
  })
})

test("what a segment says of today moves on with the days", async () => {
  const clock = heldClock(Date.parse("2026-03-31T12:00:00Z"))
  const app = await openTestApp({}, clock)
  const events = await watchOutbox(app.config.file)
  await app.call("POST", "/segments", { name: "Due", filter: ["and.lte.next_step_at.today"] })
  const lead = { source: "test", next_step: "call", next_step_at: "2026-04-01T08:00:00Z" }
  await app.call("POST", "/leads", { ...lead, name: "A" })
  const entered = async () => (await events()).filter(({ event }) => event === "segment.entered")
  expect(await entered()).toEqual([])
  clock.advance(24 * HOUR)
  await app.call("POST", "/leads", { ...lead, name: "B" })
  expect(await entered()).toMatchObject([{ data: { lead: { name: "B" } } }])
})

test("dates of attributes and ends of keys are taken as people say them", async () => {
  const { call } = await openTestAccount()
  const today = new Date().toISOString().slice(0, 10)
  const away = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  const attributes = [{ name: "met", type: "date", value: "yesterday" }]
  const { body: lead } = await call("POST", "/leads", { name: "Ada", source: "web", attributes })
  const met = async () => (await call("GET", `/leads/${lead.id}/attributes`)).body[0]
  const { id, value } = await met()
  expect(value).toBe(away(-1))
  await call("PUT", `/leads/${lead.id}/attributes/${id}`, { value: "P1W" })
  expect((await met()).value).toBe(away(7))
  await call("POST", "/leads/bulk", {
    ids: [lead.id],
    action: "update",
    data: { attributes: { met: "tomorrow 9:00" } },
  })
  expect((await met()).value).toBe(`${away(1)}T09:00:00Z`)
  const { body: key } = await call("POST", "/api-keys", { name: "short", role: "viewer", expires_at: "P30D" })
  expect(key.expires_at).toBe(Date.parse(away(30)) / 1000)
  expect((await call("POST", "/api-keys", { name: "short", expires_at: "soon" })).status).toBe(400)
})

test("a list of those not contacted lately says how many never were", async () => {
  const { call } = await openTestAccount()
  for (const name of ["Ada", "Bob", "Eva"]) await call("POST", "/leads", { name, source: "web" })
  const list = async (...filters: string[]) =>
    (await call("GET", `/leads?${filters.map((one) => `filter=${one}`).join("&")}`)).body
  const before = "lt.last_contacted_at.30d"
  const { count, warnings } = await list(`and.${before}`, "or.eq.name.Ada", "or.eq.name.Eva")
  expect([count, warnings[0]]).toEqual([
    0,
    expect.stringMatching(/^2 leads more were never contacted.*or.is_empty/),
  ])
  const both = await list(`or.${before}`, "or.is_empty.last_contacted_at")
  expect([both.count, both.warnings]).toEqual([3, undefined])
})
