import { describe, expect, test } from "bun:test"
import { openHeldAccount } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

const NOTHING = { last_note_at: null, note_count: 0, last_contacted_at: null }

async function openWithLead(fields: object = {}) {
  const app = await openHeldAccount()
  const { call } = app
  const { id } = (await call("POST", "/leads", { ...LEAST, ...fields })).body
  async function activity(lead: string = id) {
    const { last_note_at, note_count, last_contacted_at } = (await call("GET", `/leads/${lead}`)).body
    return { last_note_at, note_count, last_contacted_at }
  }
  const note = async (lead: string = id) =>
    (await call("POST", `/leads/${lead}/notes`, { content: "Called." })).body
  const log = async (lead: string = id, more: object = {}) =>
    (await call("POST", `/leads/${lead}/activities`, { kind: "call", ...more })).body
  return { ...app, id, activity, note, log }
}

describe("notes of a lead", () => {
  test("are counted, with the time of the newest, and counted anew when one is deleted", async () => {
    const { call, clock, activity, note } = await openWithLead()
    expect(await activity()).toEqual(NOTHING)
    await note()
    const first = clock.seconds()
    clock.advance(60_000)
    const { id: second } = await note()
    const now = clock.seconds()
    expect(await activity()).toEqual({ ...NOTHING, last_note_at: now, note_count: 2 })
    clock.advance(60_000)
    await call("PUT", `/notes/${second}`, { content: "Edited." })
    expect((await activity()).last_note_at).toBe(now)
    await call("DELETE", `/notes/${second}`)
    expect(await activity()).toEqual({ ...NOTHING, last_note_at: first, note_count: 1 })
  })

  test("are no change of the lead: its times and its trail stay", async () => {
    const { call, clock, id, note } = await openWithLead()
    const { body: before } = await call("GET", `/leads/${id}`)
    clock.advance(60_000)
    await note()
    const { body: after } = await call("GET", `/leads/${id}`)
    const now = clock.seconds()
    expect(after).toEqual({
      ...before,
      note_count: 1,
      last_note_at: now,
      last_touched_at: now,
    })
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(1)
  })

  test("move the score where a rule asks for them", async () => {
    const { call, id, note } = await openWithLead()
    const rule = { name: "noted", expression: "note_count > 1", weight: 50 }
    expect((await call("POST", "/scoring-rules", rule)).status).toBe(201)
    await note()
    expect((await call("GET", `/leads/${id}`)).body.score).toBe(0)
    await note()
    expect((await call("GET", `/leads/${id}`)).body.score).toBe(50)
    expect((await call("POST", "/leads/score/batch", {})).body).toEqual({ count: 1, changed: 0 })
    expect((await call("GET", `/leads/${id}/score`)).body.score).toBe(50)
  })
})

describe("last_contacted_at", () => {
  test("is the later of the newest activity and the last change of the status to contacted", async () => {
    const { call, clock, id, activity, note, log } = await openWithLead()
    await call("PUT", `/leads/${id}`, { status: "contacted" })
    const contacted = clock.seconds()
    clock.advance(60_000)
    await note()
    expect((await activity()).last_contacted_at).toBe(contacted)
    const first = await log()
    expect((await activity()).last_contacted_at).toBe(clock.seconds())
    const other = (await call("POST", "/leads", { ...LEAST, name: "Something Else" })).body.id
    // The status' own time goes along wherever the lead goes.
    const merged = await call("POST", "/leads/merge", { survivor: other, losers: [id] })
    await call("POST", `/merges/${merged.body.merge_id}/undo`, {})
    expect(await activity(other)).toEqual(NOTHING)
    const removed = await call("DELETE", "/leads/batch", { ids: [id] })
    await call("POST", "/changes/revert", { batch_id: removed.body.batch_id })
    expect((await activity()).last_contacted_at).toBe(clock.seconds())
    await call("DELETE", `/activities/${first.id}`)
    expect(await activity()).toMatchObject({ note_count: 1, last_contacted_at: contacted })
  })

  type Call = Awaited<ReturnType<typeof openWithLead>>["call"]
  const ways: [string, (call: Call, id: string) => Promise<{ status: number }>][] = [
    ["an update", (call, id) => call("PUT", `/leads/${id}`, { status: "contacted" })],
    [
      "an upsert by key",
      (call) => call("PUT", "/leads/by/source_id/k1", { ...LEAST, source_id: "k1", status: "contacted" }),
    ],
    [
      "a batch of updates",
      (call, id) => call("PUT", "/leads/batch", { ids: [id], data: { status: "contacted" } }),
    ],
    [
      "bulk work",
      (call, id) =>
        call("POST", "/leads/bulk", { ids: [id], action: "update", data: { status: "contacted" } }),
    ],
  ]
  test.each(ways)("moves by %s to contacted, and stays when that is said again", async (_, contact) => {
    const { call, clock, id, activity } = await openWithLead({ source_id: "k1" })
    clock.advance(60_000)
    expect((await contact(call, id)).status).toBe(200)
    const at = clock.seconds()
    expect(await activity()).toEqual({ ...NOTHING, last_contacted_at: at })
    clock.advance(60_000)
    await contact(call, id)
    expect((await activity()).last_contacted_at).toBe(at)
    await call("PUT", `/leads/${id}`, { status: "new" })
    await contact(call, id)
    expect((await activity()).last_contacted_at).toBe(clock.seconds())
  })

  test("does not move by pushes", async () => {
    const { call, id, activity } = await openWithLead({ email: "a@b.example" })
    const pushed = { ...LEAST, email: "a@b.example", status: "contacted" }
    expect((await call("POST", "/leads", pushed)).body.id).toBe(id)
    await call("PUT", `/leads/${id}`, { status: "new" })
    await call("POST", "/leads/batch", { leads: [pushed] })
    expect(await activity()).toEqual(NOTHING)
    const fresh = (await call("POST", "/leads", { ...LEAST, name: "Other", status: "contacted" })).body
    expect(await activity(fresh.id)).toEqual(NOTHING)
  })
})

test("what is sent of the three is passed over", async () => {
  const { call, id, activity } = await openWithLead({
    last_note_at: 1,
    note_count: "x",
    last_contacted_at: 2,
  })
  const { body: lead } = await call("GET", `/leads/${id}`)
  expect((await call("PUT", `/leads/${id}`, { ...lead, note_count: 9 })).status).toBe(200)
  expect(await activity()).toEqual(NOTHING)
})

test("a lead that was deleted has them again when it is put back", async () => {
  const { call, clock, id, activity, note, log } = await openWithLead()
  await note()
  await call("PUT", `/leads/${id}`, { status: "contacted" })
  clock.advance(60_000)
  const logged = await log()
  const before = await activity()
  clock.advance(60_000)
  const removed = await call("DELETE", "/leads/batch", { ids: [id] })
  const { status } = await call("POST", "/changes/revert", { batch_id: removed.body.batch_id })
  expect(status).toBe(200)
  expect(await activity()).toEqual(before)
  expect((await call("GET", `/leads/${id}/activities`)).body.activities).toEqual([logged])
})

test("a merge brings them along, and taking it back parts them again", async () => {
  const { call, clock, id, activity, note, log } = await openWithLead()
  const other = (await call("POST", "/leads", { ...LEAST, name: "Something Else" })).body.id
  await note()
  const own = await log()
  clock.advance(60_000)
  await note(other)
  await call("PUT", `/leads/${other}`, { status: "contacted" })
  clock.advance(60_000)
  const others = await log(other)
  const logged = async (lead: string) => (await call("GET", `/leads/${lead}/activities`)).body.activities
  const [mine, theirs] = [await activity(), await activity(other)]
  clock.advance(60_000)
  const merged = await call("POST", "/leads/merge", { survivor: id, losers: [other] })
  const both = { ...theirs, note_count: 2 }
  expect(merged.body.survivor).toMatchObject(both)
  expect(await activity()).toEqual(both)
  expect(await logged(id)).toEqual([{ ...others, lead_id: id }, own])
  const undone = await call("POST", `/merges/${merged.body.merge_id}/undo`, {})
  expect(undone.body.survivor).toMatchObject(mine)
  expect(undone.body.losers[0]).toMatchObject(theirs)
  expect(await activity()).toEqual(mine)
  expect(await activity(other)).toEqual(theirs)
  expect([await logged(id), await logged(other)]).toEqual([[own], [others]])
})

describe("the trail", () => {
  async function openWithTrail() {
    const app = await openWithLead()
    const { call, id, clock } = app
    const lead = async () => (await call("GET", `/leads/${id}`)).body
    const newest = async (view = "full") =>
      (await call("GET", `/changes?lead_id=${id}&order=desc&view=${view}`)).body.changes[0]
    /** Does something with the lead, and holds the record of it against what the lead answered before and after. */
    async function recorded(action: () => Promise<{ status: number }>) {
      const before = await lead()
      clock.advance(60_000)
      expect((await action()).status).toBeLessThan(300)
      const after = await lead()
      const own = (await call("GET", `/leads/${id}/changes`)).body.changes
      expect(own[0]).toMatchObject({ before, after })
      expect(await newest()).toMatchObject({ before, after })
      return { before, after, own }
    }
    return { ...app, lead, newest, recorded }
  }
  const NAMES = ["last_note_at", "note_count", "last_contacted_at"]

  test("tells whole leads as they answered at that moment, whatever was noted between", async () => {
    const { call, id, note, recorded, clock } = await openWithTrail()
    await recorded(() => call("PUT", `/leads/${id}`, { city: "Bonn" }))
    await note()
    await recorded(() => call("PUT", `/leads/${id}`, { city: "Köln" }))
    clock.advance(60_000)
    const second = await note()
    await recorded(() => call("PUT", `/leads/${id}`, { status: "contacted" }))
    await recorded(() => call("POST", `/leads/${id}/attributes`, { name: "a", type: "number", value: 1 }))
    await call("DELETE", `/notes/${second.id}`)
    const { own } = await recorded(() => call("PUT", `/leads/${id}`, { city: "Ulm", source_id: "s1" }))
    await recorded(() => call("POST", "/leads", { ...LEAST, source_id: "s1", status: "contacted" }))
    expect(own.map(({ after }: { after: { note_count: number } }) => after.note_count)).toEqual([
      1, 2, 2, 1, 0, 0,
    ])
  })

  test("shows in what differs only what the change itself moved", async () => {
    const { call, id, note, newest, recorded } = await openWithTrail()
    await note()
    await recorded(() => call("PUT", `/leads/${id}`, { city: "Köln" }))
    expect(Object.keys((await newest("diff")).diff).filter((name) => NAMES.includes(name))).toEqual([])
    const { before, after } = await recorded(() => call("PUT", `/leads/${id}`, { status: "contacted" }))
    const { diff } = await newest("diff")
    expect(Object.keys(diff).filter((name) => NAMES.includes(name))).toEqual(["last_contacted_at"])
    expect(diff.last_contacted_at).toEqual([before.last_contacted_at, after.last_contacted_at])
    const moved = await call("GET", "/changes?field=last_contacted_at")
    expect(moved.body.count).toBe(1)
  })

  test("puts a lead back without what was done with it", async () => {
    const { call, id, note, newest, recorded, lead } = await openWithTrail()
    await recorded(() => call("PUT", `/leads/${id}`, { status: "contacted" }))
    const change = await newest()
    await note()
    await recorded(() => call("POST", "/changes/revert", { change_ids: [change.id] }))
    expect(await lead()).toMatchObject({
      status: "new",
      note_count: 1,
      last_contacted_at: change.created_at,
    })
  })

  test("tells of a lead that was deleted and came back, with its notes", async () => {
    const { call, id, note, newest, lead } = await openWithTrail()
    await note()
    await call("PUT", `/leads/${id}`, { status: "contacted" })
    const before = await lead()
    await call("DELETE", `/leads/${id}`)
    const deleted = await newest()
    expect(deleted).toMatchObject({ before, after: null })
    expect((await newest("diff")).diff).toMatchObject({ note_count: [1, null] })
    await call("POST", "/changes/revert", { change_ids: [deleted.id] })
    const after = await lead()
    expect(await newest()).toMatchObject({ before: null, after })
    expect(after).toMatchObject({ note_count: 1, last_contacted_at: before.last_contacted_at })
  })

  test("tells of both leads of a merge, and of both again when it is taken back", async () => {
    const { call, id, note, newest, recorded, lead } = await openWithTrail()
    const other = (await call("POST", "/leads", { ...LEAST, name: "Something Else" })).body.id
    await note()
    await note(other)
    await call("PUT", `/leads/${other}`, { status: "contacted" })
    const theirs = (await call("GET", `/leads/${other}`)).body
    const mine = await lead()
    let merge = ""
    await recorded(async () => {
      const merged = await call("POST", "/leads/merge", { survivor: id, losers: [other] })
      merge = merged.body.merge_id
      return merged
    })
    await recorded(() => call("POST", `/merges/${merge}/undo`, {}))
    expect(await lead()).toMatchObject({ note_count: 1, last_contacted_at: mine.last_contacted_at })
    const [back] = (await call("GET", `/leads/${other}/changes`)).body.changes
    expect(back).toMatchObject({ action: "created", after: (await call("GET", `/leads/${other}`)).body })
    expect(back.after).toMatchObject({ note_count: 1, last_contacted_at: theirs.last_contacted_at })
    expect((await newest()).after.note_count).toBe(1)
  })
})

describe("lists", () => {
  async function openWithThree() {
    const app = await openWithLead({ name: "None" })
    const add = async (name: string) => (await app.call("POST", "/leads", { ...LEAST, name })).body.id
    const [one, two] = [await add("One"), await add("Two")]
    app.clock.advance(60_000)
    await app.note(one)
    await app.log(one)
    app.clock.advance(60_000)
    await app.note(two)
    await app.note(two)
    await app.call("PUT", `/leads/${two}`, { status: "contacted" })
    const names = async (query: string) =>
      (await app.call("GET", `/leads?${query}`)).body.leads.map(({ name }: { name: string }) => name)
    return { ...app, names }
  }

  test("are filtered and sorted by them, nulls last", async () => {
    const { names } = await openWithThree()
    expect(await names("filter=and.gt.note_count.1")).toEqual(["Two"])
    expect(await names("filter=and.eq.note_count.0")).toEqual(["None"])
    expect(await names("filter=and.is_empty.last_contacted_at.")).toEqual(["None"])
    expect(await names("sort_by=note_count&sort_order=DESC")).toEqual(["Two", "One", "None"])
    expect(await names("sort_by=last_note_at&sort_order=DESC")).toEqual(["Two", "One", "None"])
    expect(await names("sort_by=last_note_at&sort_order=ASC")).toEqual(["One", "Two", "None"])
  })

  test("are found by when they were touched last: by a push, a change, a note or a contact", async () => {
    const { call, clock, note, names, id } = await openWithThree()
    const start = clock.seconds()
    clock.advance(3_600_000)
    const stale = `filter=and.lt.last_touched_at.${start + 60}&sort_by=name`
    expect(await names(stale)).toEqual(["None", "One", "Two"])
    await note(id)
    await call("PUT", `/leads/${(await call("GET", "/leads?filter=and.eq.name.One")).body.leads[0].id}`, {
      city: "Ulm",
    })
    expect(await names(stale)).toEqual(["Two"])
    clock.advance(60_000)
    await call("POST", "/leads", { ...LEAST, name: "Two", email: "two@example.com" })
    expect(await names("sort_by=last_touched_at&sort_order=DESC&limit=1")).toEqual(["Two"])
    const segment = await call("POST", "/segments", {
      name: "Stale",
      filter: [`and.lt.last_touched_at.${start + 60}`],
    })
    expect(segment.body.count).toBe(1)
    const { body } = await call("GET", "/leads?fields=name,last_touched_at&filter=and.eq.name.None")
    expect(body.leads).toEqual([{ id, name: "None", last_touched_at: start + 3_600 }])
    expect(
      (
        await call("POST", "/scoring-rules/preview", {
          expression: "days_since(last_touched_at)",
          lead_id: id,
        })
      ).body,
    ).toEqual({ valid: true, value: 60 / 86_400 })
  })

  test("show them when they are chosen, and groups count by them", async () => {
    const { call, clock } = await openWithThree()
    const { body } = await call(
      "GET",
      "/leads?fields=name,note_count,last_contacted_at&filter=and.eq.name.Two",
    )
    expect(body.leads[0]).toEqual({
      id: expect.any(String),
      name: "Two",
      note_count: 2,
      last_contacted_at: clock.seconds(),
    })
    const metrics = "metrics=count,sum:note_count,max:last_note_at"
    const groups = (await call("GET", `/leads/aggregate?group_by=source&${metrics}`)).body.groups
    expect(groups[0]).toMatchObject({ count: 3, "sum:note_count": 3, "max:last_note_at": clock.seconds() })
    const days = (await call("GET", "/leads/aggregate?group_by=last_note_at&by=day")).body.groups
    expect(days.map(({ count }: { count: number }) => count).sort()).toEqual([1, 2])
  })

  test("are exported with a column for each", async () => {
    const { app, key, clock } = await openWithThree()
    const now = clock.seconds()
    const query = "format=csv&dates=unix&fields=name,note_count,last_contacted_at"
    const answer = await fetch(`${app.url}/leads/export?${query}`, { headers: { "X-API-Key": key } })
    const text = await answer.text()
    expect(text.trim().split(/\r?\n/)).toEqual([
      "name,note_count,last_contacted_at",
      "None,0,",
      `One,1,${now - 60}`,
      `Two,2,${now}`,
    ])
  })
})
