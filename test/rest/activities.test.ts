import { describe, expect } from "bun:test"
import { openHeldAccount, openHeldApp, openTestAccount, type TestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { watchOutbox } from "../support/outbox.ts"

async function withLead<App extends TestAccount>(app: App, fields: object = {}) {
  const { id } = (await app.call("POST", "/leads", { ...LEAST, ...fields })).body
  const path = `/leads/${id}/activities`
  const lead = async () => (await app.call("GET", `/leads/${id}`)).body
  const changes = async () => (await app.call("GET", `/changes?lead_id=${id}&view=diff`)).body.changes
  return { ...app, id, path, lead, changes }
}
const openWithLead = async (fields?: object) => withLead(await openHeldAccount(), fields)

describe("an activity", () => {
  test("is logged with its outcome, and sets the next step of the lead with it", async () => {
    const { call, clock, id, path, lead, changes } = await openWithLead()
    clock.advance(60_000)
    const [now, at] = [clock.seconds(), clock.seconds() - 30]
    const next = { next_step: "Send the offer", next_step_at: now + 86_400 }
    const sent = { kind: "call", outcome: "reached", text: "Wants 20 seats", at }
    const [{ id: actor_id, name }] = (await call("GET", "/api-keys")).body
    const { status, body } = await call("POST", path, { ...sent, ...next })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...{ id: expect.stringMatching(/^act_[0-9a-f-]{36}$/), lead_id: id, ...sent },
      ...{ author: name, member_id: null, created_at: now },
    })
    expect(await lead()).toMatchObject({
      ...next,
      ...{ last_contacted_at: at, last_interaction_at: now, last_touched_at: now, updated_at: now },
    })
    expect((await changes())[0]).toMatchObject({
      reason: `activity:${body.id}`,
      actor_id,
      diff: { last_contacted_at: [null, at], next_step: [null, "Send the offer"] },
    })
  })

  test("alone is no change of the lead's fields, and yet in its trail and sent to webhooks", async () => {
    const { call, clock, path, lead, changes, config } = await withLead(await openHeldApp())
    const sent = await watchOutbox(config.file)
    const before = await lead()
    clock.advance(60_000)
    const now = clock.seconds()
    await call("POST", path, { kind: "email" })
    const after = { ...before, last_contacted_at: now, last_interaction_at: now, last_touched_at: now }
    expect(await lead()).toEqual(after)
    expect((await changes()).map(({ action }: { action: string }) => action)).toEqual(["updated", "created"])
    expect(await sent()).toMatchObject([{ event: "lead.updated", data: after }])
  })

  test("of the past leaves a later contact as it is", async () => {
    const { call, clock, path, lead } = await openWithLead()
    await call("POST", path, { kind: "call" })
    const contacted = clock.seconds()
    await call("POST", path, { kind: "meeting", at: "2026-01-31" })
    expect((await lead()).last_contacted_at).toBe(contacted)
  })

  test("is found in pages, the newest first", async () => {
    const { call, clock, path } = await openWithLead()
    const times = [5, 1, 4, 2, 3].map((minutes) => clock.seconds() - minutes * 60)
    for (const at of times) await call("POST", path, { kind: "other", at })
    const listed: number[] = []
    let cursor = ""
    do {
      const { body } = await call("GET", `${path}?limit=2${cursor}`)
      expect(body.count).toBe(body.activities.length)
      expect(body.has_more).toBe(body.next_cursor !== null)
      listed.push(...body.activities.map(({ at }: { at: number }) => at))
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`
    } while (cursor)
    expect(listed).toEqual(times.toSorted((a, b) => b - a))
  })

  const WRONG: [string, object, string][] = [
    ["no kind", {}, "kind is required"],
    ["an unknown kind", { kind: "fax" }, "kind must be one of call, email, meeting, other"],
    [
      "an unknown outcome",
      { kind: "call", outcome: "won" },
      "outcome must be one of reached, no_answer, voicemail, declined, booked",
    ],
    ["a time to come", { kind: "call", at: "tomorrow" }, "at must not be in the future"],
    ["a very long text", { kind: "call", text: "x".repeat(100_001) }, "text must be at most 100,000"],
    ["a field that is none", { kind: "call", status: "won" }, "status is not known here"],
  ]
  test.each(WRONG)("with %s is refused, and nothing is saved", async (_, body, message) => {
    const { call } = await openTestAccount()
    const { id } = (await call("POST", "/leads", LEAST)).body
    const path = `/leads/${id}/activities`
    const lead = async () => (await call("GET", `/leads/${id}`)).body
    const before = await lead()
    const answer = await call("POST", path, { next_step: "x", ...body })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)])
    expect(await lead()).toEqual(before)
    expect((await call("GET", path)).body.activities).toEqual([])
  })
})

describe("what was logged by mistake", () => {
  test("is deleted, and the contact before it is the last one", async () => {
    const { call, clock, path, lead, changes } = await openWithLead()
    await call("POST", path, { kind: "call" })
    const first = clock.seconds()
    clock.advance(60_000)
    const { body } = await call("POST", path, { kind: "call", next_step: "Offer" })
    expect((await call("DELETE", `/activities/${body.id}`)).status).toBe(204)
    expect(await lead()).toMatchObject({ last_contacted_at: first, next_step: "Offer" })
    expect((await changes())[0].diff).toEqual({ last_contacted_at: [clock.seconds(), first] })
    expect((await call("GET", path)).body.count).toBe(1)
  })

  test("goes as its change is reverted, with the next step that came with it", async () => {
    const { call, clock, path, lead, changes } = await openWithLead({ next_step: "Call" })
    const before = await lead()
    clock.advance(60_000)
    await call("POST", path, { kind: "call", next_step: "Offer" })
    const [{ id }] = await changes()
    const reverted = await call("POST", "/changes/revert", { change_ids: [id] })
    expect(reverted.body).toMatchObject({ reverted: 1, skipped: [] })
    const { updated_at } = await lead()
    expect(await lead()).toEqual({ ...before, updated_at, last_touched_at: updated_at })
    expect((await call("GET", path)).body.activities).toEqual([])
    expect((await changes())[0].diff).toMatchObject({ next_step: ["Offer", "Call"] })
  })

  test("alone goes as well, and its lead that was imported is not undone with it", async () => {
    const { call, clock, path, lead, changes } = await openWithLead()
    clock.advance(60_000)
    await call("POST", path, { kind: "call" })
    const all = await changes()
    const undone = await call("POST", "/changes/revert", { change_ids: [all[1].id] })
    expect(undone.body.skipped[0].message).toStartWith("It was updated since")
    await call("POST", "/changes/revert", { change_ids: [all[0].id] })
    expect((await lead()).last_contacted_at).toBeNull()
    expect((await call("GET", path)).body.count).toBe(0)
  })
})

test("are erased with their lead, and in what is kept about it", async () => {
  const { call, id, path } = await openWithLead({ email: "anna@example.com" })
  const { body } = await call("POST", path, { kind: "call", text: "private words" })
  expect((await call("GET", `/leads/${id}/export`)).body.activities).toEqual([body])
  const page = await call("GET", `/leads/${id}/export?format=html`)
  expect(page.body).toContain("private words")
  await call("DELETE", `/leads/${id}?erase=true`)
  expect(JSON.stringify((await call("GET", `/leads/${id}/export`)).body)).not.toContain("private words")
  expect(JSON.stringify((await call("GET", `/changes?lead_id=${id}`)).body)).not.toContain("private words")
})

test("counts are by member and week, the latest first, in the account's zone", async ({ call }) => {
  const path = `/leads/${(await call("POST", "/leads", LEAST)).body.id}/activities`
  await call("PATCH", "/account", { time_zone: "Europe/Berlin" })
  const ana = { "X-Actor-Id": "Ana" }
  const log = (at: string, kind = "call", headers = {}) => call("POST", path, { kind, at }, headers)
  // Sunday 23:30 in UTC is Monday in Berlin.
  for (const at of ["2025-11-30T22:00:00Z", "2025-11-30T23:30:00Z", "2025-12-01T09:00:00Z"]) await log(at)
  await log("2025-12-02T10:00:00Z", "email", ana)
  const { body } = await call("GET", "/activities?by=member,week")
  expect(body.total).toBe(4)
  const key = body.counts[0].member
  expect(body).toEqual({
    counts: [
      { member: key, name: key, week: "2025-12-01", count: 2 },
      { member: "Ana", name: "Ana", week: "2025-12-01", count: 1 },
      { member: key, name: key, week: "2025-11-24", count: 1 },
    ],
    total: 4,
  })
  expect((await call("GET", "/activities")).body).toEqual(body)
  const kinds = await call("GET", "/activities?by=kind&since=2025-12-01&until=2025-12-02")
  expect(kinds.body).toEqual({
    counts: [
      { kind: "call", count: 2 },
      { kind: "email", count: 1 },
    ],
    total: 3,
  })
  expect((await call("GET", "/activities?by=outcome,month&kind=email")).body.counts).toEqual([
    { outcome: null, month: "2025-12-01", count: 1 },
  ])
  const wrong = await call("GET", "/activities?by=day,week")
  expect([wrong.status, wrong.body.message]).toEqual([400, "by takes one period: day or week, not both"])
  expect((await call("GET", "/activities?by=mood")).status).toBe(400)
})
