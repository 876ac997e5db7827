import { describe, expect } from "bun:test"
import {
  type Call,
  openTestAccount,
  openTestAccountForReading,
  openTestApp,
  type TestAccount,
  test,
} from "../support/app.ts"
import { watchOutbox } from "../support/outbox.ts"
import { jobDone } from "../support/settled.ts"

const CITIES = ["Berlin", "Paris"]

async function fill(call: Call, many: number) {
  for (let from = 0; from < many; from += 1_000) {
    const leads = Array.from({ length: Math.min(1_000, many - from) }, (_, i) => ({
      name: `L${from + i}`,
      source: "test",
      city: CITIES[(from + i) % 2],
      tags: ["old"],
    }))
    expect((await call("POST", "/leads/batch", { leads })).status).toBe(201)
  }
}
const count = async (call: Call, filter: string) =>
  (await call("GET", `/leads?limit=1&total=true&filter=${filter}`)).body.total

async function opened(many = 10) {
  return filled(await openTestAccount(), many)
}

async function filled<App extends TestAccount>(service: App, many: number) {
  await fill(service.call, many)
  const bulk = (body: object) => service.call("POST", "/leads/bulk", body)
  return { ...service, bulk }
}
const BERLIN = ["and.eq.city.berlin"]

describe("POST /leads/bulk", () => {
  test("changes every lead that a filter matches, with one batch_id and one event", async () => {
    const { call, bulk, config } = await filled(await openTestApp(), 10)
    const sent = await watchOutbox(config.file)
    const { status, body } = await bulk({
      filter: BERLIN,
      action: "update",
      data: { status: "qualified", rating: "" },
    })
    expect([status, body]).toEqual([
      200,
      { matched: 5, success: 5, failed: 0, errors: [], batch_id: expect.any(String) },
    ])
    expect(await count(call, "and.eq.status.qualified")).toBe(5)
    expect((await sent()).map(({ event, data }) => [event, data.count])).toEqual([["leads.updated", 5]])
    expect((await call("GET", `/changes?batch_id=${body.batch_id}`)).body.count).toBe(5)
  })

  test("is undone by a revert of its batch", async () => {
    const { call, bulk } = await opened()
    const { body } = await bulk({ filter: BERLIN, action: "delete" })
    expect(await count(call, BERLIN[0]!)).toBe(0)
    const back = await call("POST", "/changes/revert", { batch_id: body.batch_id })
    expect([back.status, back.body.reverted]).toEqual([200, 5])
    expect(await count(call, BERLIN[0]!)).toBe(5)
  })

  test.each([
    ["add_tags", { tags: ["VIP", "Old"] }, ["old", "VIP"]],
    ["remove_tags", { tags: ["OLD", "x"] }, []],
  ])("%s changes tags ignoring case", async (action, data, tags) => {
    const { call, bulk } = await opened(1)
    expect((await bulk({ all: true, action, data })).body).toMatchObject({ matched: 1, success: 1 })
    expect((await call("GET", "/leads")).body.leads[0].tags).toEqual(tags)
  })

  test("add_note writes a note on each, score scores each and tells of it once", async () => {
    const { call, bulk, config } = await filled(await openTestApp(), 2)
    const { leads } = (await call("GET", "/leads")).body
    expect((await bulk({ all: true, action: "add_note", data: { content: "Hi" } })).body.success).toBe(2)
    expect((await call("GET", `/leads/${leads[1].id}/notes`)).body).toMatchObject([{ content: "Hi" }])
    await call("POST", "/scoring-rules", { name: "r", expression: "42" })
    const sent = await watchOutbox(config.file)
    expect((await bulk({ all: true, action: "score" })).body.success).toBe(2)
    expect((await sent()).map(({ event, data }) => [event, data])).toEqual([
      ["leads.scored", { leads: leads.map(({ id }: { id: string }) => ({ id, score: 42 })), count: 2 }],
    ])
    expect(await count(call, "and.eq.score.42")).toBe(2)
  })

  test("takes ids, each once; one that no lead has fails alone", async () => {
    const { call, bulk } = await opened(2)
    const [first] = (await call("GET", "/leads")).body.leads
    const { status, body } = await bulk({
      ids: [first.id, "cl_none", first.id],
      action: "update",
      data: { city: "Oslo" },
    })
    expect([status, body]).toMatchObject([
      200,
      { matched: 2, success: 1, failed: 1, errors: [{ lead_id: "cl_none", message: "Lead not found" }] },
    ])
  })

  test("a dry run says how many and shows five; nothing is changed", async () => {
    const { call, bulk } = await opened(12)
    const { status, body } = await bulk({ filter: BERLIN, action: "delete", dry_run: true })
    expect([status, body.matched, body.dry_run, body.sample.length]).toEqual([200, 6, true, 5])
    expect(body.sample[0]).toMatchObject({ name: "L0", city: "Berlin" })
    expect(await count(call, BERLIN[0]!)).toBe(6)
  })

  test("touches nothing when another number is expected", async () => {
    const { call, bulk } = await opened()
    const { status, body } = await bulk({ filter: BERLIN, action: "delete", expect: 4 })
    expect([status, body.code]).toEqual([409, "conflict"])
    expect(body.message).toBe("expect says 4, and 5 leads are meant: nothing was done")
    expect(await count(call, BERLIN[0]!)).toBe(5)
    expect((await bulk({ filter: BERLIN, action: "delete", expect: 5 })).status).toBe(200)
  })

  test("more than 1,000 leads are a job that tells how far it is, and one batch that a revert undoes", async () => {
    const { call, bulk } = await opened(2_040)
    const { status, body } = await bulk({ filter: BERLIN, action: "update", data: { city: "Oslo" } })
    expect([status, body]).toEqual([
      202,
      { job: expect.stringMatching(/^job_/), matched: 1_020, batch_id: expect.any(String) },
    ])
    const { body: work } = await call("GET", "/jobs")
    for (const { id } of work.jobs) expect(id).toBe(body.job)
    const job = await jobDone(call, body.job)
    expect(job).toMatchObject({ kind: "bulk", done: 1_020, of: 1_020, errors: [], batch_id: body.batch_id })
    const { body: left } = await call("GET", "/jobs")
    expect(left).toEqual({ jobs: [], comparing: expect.any(Number), indexing: expect.any(Number) })
    expect(await count(call, "and.eq.city.oslo")).toBe(1_020)
    expect(await count(call, BERLIN[0]!)).toBe(0)
  })

  const service = openTestAccountForReading(({ call }) => fill(call, 2))

  test.each([
    [{ action: "delete" }, "say which leads"],
    [{ action: "delete", filter: [] }, "say which leads"],
    [{ action: "delete", filter: BERLIN, all: true }, "in one way: filter and all are given"],
    [{ action: "drop", all: true }, "action must be one of update, delete"],
    [{ action: "update", all: true }, "data"],
    [{ action: "update", all: true, data: {} }, "at least one field"],
    [{ action: "update", all: true, data: { town: "x" } }, "town"],
    [{ action: "update", all: true, data: { status: "open" } }, "data.status must be one of"],
    [{ action: "add_tags", all: true, data: { tags: [] } }, "at least one tag"],
    [{ action: "add_note", all: true, data: { content: "" } }, "data.content is required"],
    [{ action: "score", all: true, data: {} }, "takes no data"],
    [{ action: "delete", filter: ["and.eq.citi.x"] }, 'unknown field "citi"'],
  ])("refuses %p", async (body, why) => {
    const answer = await service().call("POST", "/leads/bulk", body)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(why)])
    expect((await service().call("GET", "/leads")).body.count).toBe(2)
  })
})

test("a job counts everything that failed, though it names 1,000", async () => {
  const { call, bulk } = await opened(1_300)
  const { status, body } = await bulk({ all: true, action: "update", data: { email: "one@x.de" } })
  expect(status).toBe(202)
  const job = await jobDone(call, body.job)
  expect(job).toMatchObject({ done: 1_300, of: 1_300, failed: 1_299 })
  expect(job.errors).toHaveLength(1_000)
}, 120_000)

test("a dry run shows leads before and after, and counts the tags that they lose", async ({ call }) => {
  const leads = [
    ["a", ["vip", "old"]],
    ["b", ["VIP"]],
    ["c", []],
    ["d", ["kept"]],
  ].map(([name, tags]) => ({
    ...{ name, tags, source: "web", city: "Ulm" },
  }))
  await call("POST", "/leads/batch", { leads })
  const dry = async (action: string, data: object) =>
    (await call("POST", "/leads/bulk", { filter: ["and.eq.city.Ulm"], action, data, dry_run: true })).body
  const { preview, tags_lost, sample } = await dry("update", {
    city: "Bonn",
    tags: ["Kept"],
    attributes: { size: 5 },
  })
  expect(tags_lost).toEqual({ vip: 2, old: 1 })
  expect(preview).toHaveLength(3)
  expect(preview[0]).toEqual({
    lead_id: sample[0].id,
    name: "a",
    changes: { city: ["Ulm", "Bonn"], tags: [["vip", "old"], ["Kept"]], "attr:size": [null, 5] },
  })
  expect((await dry("remove_tags", { tags: ["VIP"] })).tags_lost).toEqual({ vip: 2 })
  expect((await dry("add_tags", { tags: ["new"] })).preview[2].changes).toEqual({ tags: [[], ["new"]] })
  expect((await dry("update", { email: "a@b.example" })).preview[1]).toMatchObject({
    name: "b",
    message: expect.stringMatching(/email/),
  })
  expect((await call("GET", "/leads?filter=and.eq.city.Ulm&total=true")).body.total).toBe(4)
})

test("a job goes on with the turns of owners where its slice before ended", async ({ call }) => {
  const count = 1_002
  for (const from of [0, count / 2]) {
    const leads = Array.from({ length: count / 2 }, (_, i) => ({ name: `Lead ${from + i}`, source: "web" }))
    await call("POST", "/leads/batch", { leads })
  }
  const owner = [1, 2, 3].map((i) => `mem_01900000-0000-7000-8000-00000000000${i}`)
  const bulk = { filter: ["and.eq.source.web"], action: "update", data: { owner } }
  const { body } = await call("POST", "/leads/bulk", bulk)
  await jobDone(call, body.job)
  for (const one of owner)
    expect((await call("GET", `/leads?filter=and.eq.owner.${one}&total=true`)).body.total).toBe(count / 3)
})

test("a lead that is gone has its turn of owners, too", async ({ call }) => {
  const owner = ["mem_01900000-0000-7000-8000-000000000001", "mem_01900000-0000-7000-8000-000000000002"]
  const gone = (await call("POST", "/leads", { name: "A", source: "web" })).body
  const kept = (await call("POST", "/leads", { name: "B", source: "web" })).body
  await call("DELETE", `/leads/${gone.id}`)
  await call("POST", "/leads/bulk", { ids: [gone.id, kept.id], action: "update", data: { owner } })
  expect((await call("GET", `/leads/${kept.id}`)).body.owner).toBe(owner[1])
})

test("a list of owners is assigned in turn, and undone as one batch", async ({ call }) => {
  const members = ["mem_01900000-0000-7000-8000-000000000001", "mem_01900000-0000-7000-8000-000000000002"]
  for (const name of ["A", "B", "C", "D"]) await call("POST", "/leads", { name, source: "web" })
  const bulk = { filter: ["and.eq.source.web"], action: "update", data: { owner: members, add_tags: ["q3"] } }
  const { preview } = (await call("POST", "/leads/bulk", { ...bulk, dry_run: true })).body
  const { body } = await call("POST", "/leads/bulk", bulk)
  expect(body).toMatchObject({ matched: 4, success: 4 })
  for (const { lead_id, changes } of preview)
    expect((await call("GET", `/leads/${lead_id}`)).body.owner).toBe(changes.owner[1])
  for (const owner of members)
    expect((await call("GET", `/leads?filter=and.eq.owner.${owner}&total=true`)).body.total).toBe(2)
  await call("POST", "/changes/revert", { batch_id: body.batch_id })
  expect((await call("GET", "/leads?filter=and.is_empty.owner&total=true")).body.total).toBe(4)
  const wrong = await call("POST", "/leads/bulk", { ...bulk, data: { owner: ["Eva"] } })
  expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining("data.owner")])
})
