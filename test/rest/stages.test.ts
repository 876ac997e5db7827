// Stages of an account's own: leads go through them, and their status follows.
import { describe, expect } from "bun:test"
import { openTestAccount } from "../support/app.ts"
import { pluck } from "../support/pluck.ts"
import { jobDone } from "../support/settled.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(opened)

async function opened() {
  const { call } = await openTestAccount()
  const stage = async (name: string, status: string, more: object = {}) =>
    (await call("POST", "/stages", { name, status, ...more })).body
  const push = async (lead: object = {}) =>
    (await call("POST", "/leads", { name: "Ada", source: "fair", ...lead })).body
  const lead = async (id: string) => (await call("GET", `/leads/${id}`)).body
  return { call, stage, push, lead }
}

describe("stages", () => {
  test("are made, ordered, changed and deleted", async ({ call, stage }) => {
    expect((await call("GET", "/stages")).body).toEqual([])
    const offer = await stage("Offer sent", "qualified", { color: "teal" })
    expect(offer).toEqual({
      id: expect.stringMatching(/^stg_/),
      name: "Offer sent",
      status: "qualified",
      color: "teal",
      position: 0,
    })
    const demo = await stage("Demo", "contacted")
    const first = await stage("Inbox", "new", { position: 0 })
    const names = async () =>
      (await call("GET", "/stages")).body.map((one: { name: string; position: number }) => [
        one.name,
        one.position,
      ])
    expect(await names()).toEqual([
      ["Inbox", 0],
      ["Offer sent", 1],
      ["Demo", 2],
    ])
    const moved = await call("PUT", `/stages/${demo.id}`, {
      position: 1,
      name: "Demo done",
      color: "#1f9d61",
    })
    expect(moved.body).toEqual({ ...demo, name: "Demo done", color: "#1f9d61", position: 1 })
    expect((await call("DELETE", `/stages/${first.id}`)).body).toEqual({
      id: first.id,
      deleted: true,
      leads: 0,
    })
    expect(await names()).toEqual([
      ["Demo done", 1],
      ["Offer sent", 2],
    ])
    const last = await stage("Won", "converted", { position: 7 })
    await call("PUT", `/stages/${demo.id}`, { position: 2 })
    expect(await names()).toEqual([
      ["Offer sent", 1],
      ["Demo done", 2],
      ["Won", 7],
    ])
    expect(last.position).toBe(7)
  })

  test.each([
    [{ name: "Demo" }, "status is required"],
    [{ name: "Demo", status: "open" }, "status must be one of new, contacted"],
    [{ name: " ", status: "new" }, "name is required"],
    [{ name: "Demo", status: "new", color: "pinkish" }, "color must be one of gray"],
    [{ name: "Demo", status: "new", position: -1 }, "position must be a whole number"],
  ])("%j is refused", async (body, message) => {
    const { call } = await opened()
    const { status, body: answer } = await call("POST", "/stages", body)
    expect([status, answer.message]).toEqual([400, expect.stringContaining(message)])
  })

  test("have each name once", async ({ call, stage }) => {
    await stage("Demo", "contacted")
    const { id } = await stage("Offer", "qualified")
    expect((await call("POST", "/stages", { name: "DEMO", status: "new" })).status).toBe(409)
    expect((await call("PUT", `/stages/${id}`, { name: "demo" })).status).toBe(409)
    expect((await call("PUT", `/stages/${id}`, { name: "OFFER" })).status).toBe(200)
  })
})

describe("a lead's stage", () => {
  test("sets its status, and another status leaves it", async ({ call, stage, push, lead }) => {
    const offer = await stage("Offer", "qualified")
    const lost = await stage("Lost", "disqualified")
    const made = await push({ stage: "offer", value: 1_200.5 })
    expect(made).toMatchObject({ stage: offer.id, status: "qualified", value: 1_200.5, lost_reason: null })
    const path = `/leads/${made.id}`
    const moved = await call("PATCH", path, { stage: lost.id, lost_reason: "Too dear" })
    expect(moved.body).toMatchObject({ stage: lost.id, status: "disqualified", lost_reason: "Too dear" })
    expect((await call("PATCH", path, { status: "disqualified" })).body.stage).toBe(lost.id)
    expect((await call("PATCH", path, { status: "new" })).body).toMatchObject({ stage: null, status: "new" })
    // A lead that was read is sent back with another status.
    await call("PATCH", path, { stage: offer.id })
    const read = await lead(made.id)
    expect((await call("PUT", path, { ...read, status: "contacted" })).body).toMatchObject({
      stage: null,
      status: "contacted",
    })
    await call("PATCH", path, { stage: offer.id })
    expect((await call("PATCH", path, { stage: null })).body).toMatchObject({
      stage: null,
      status: "qualified",
    })
    const changes = pluck((await call("GET", `${path}/changes`)).body.changes, "after")
    expect(changes).toContainEqual(expect.objectContaining({ stage: offer.id, value: 1_200.5 }))
  })

  test("is refused where there is none of it, or with another status", async ({ call, stage, push }) => {
    const none = await call("POST", "/leads", { name: "A", source: "s", stage: "Offer" })
    expect([none.status, none.body.message]).toEqual([
      400,
      'stage "Offer" is unknown. The account has none: POST /stages makes one',
    ])
    const { id } = await stage("Offer", "qualified")
    const { id: lead } = await push()
    const asks: [string, string, object][] = [
      ["POST", "/leads", { name: "A", source: "s", stage: "Order" }],
      ["PUT", `/leads/${lead}`, { stage: "Order" }],
      ["PUT", "/leads/batch", { ids: [lead], data: { stage: "Order" } }],
      ["POST", "/leads/bulk", { action: "update", ids: [lead], data: { stage: "Order" } }],
      ["PUT", "/leads/by/email/a@example.com", { name: "A", source: "s", stage: "Order" }],
    ]
    for (const [method, path, body] of asks) {
      const { status, body: answer } = await call(method, path, body)
      expect([path, status, answer.message]).toEqual([
        path,
        400,
        `stage "Order" is unknown. Stages are Offer (${id})`,
      ])
    }
    const both = await call("PATCH", `/leads/${lead}`, { stage: id, status: "converted" })
    expect([both.status, both.body.message]).toEqual([
      400,
      'the stage "Offer" belongs to the status qualified, and status is converted: send one of them',
    ])
  })

  test("is filtered, sorted, counted, exported and searched as other fields", async () => {
    const { call, stage, push } = await opened()
    const offer = await stage("Offer", "qualified")
    await push({ name: "A", email: "a@example.com", stage: offer.id, value: 5 })
    await push({ name: "B", email: "b@example.com", value: 7 })
    await push({ name: "C", email: "c@example.com" })
    const names = async (query: string) => pluck((await call("GET", `/leads?${query}`)).body.leads, "name")
    expect(await names(`filter=and.eq.stage.${offer.id}`)).toEqual(["A"])
    expect(await names("filter=and.is_empty.stage.&sort_by=name")).toEqual(["B", "C"])
    expect(await names("sort_by=value&sort_order=DESC")).toEqual(["B", "A", "C"])
    expect(await names("filter=and.gte.value.6")).toEqual(["B"])
    const { groups } = (await call("GET", "/leads/aggregate?group_by=stage&metrics=count,sum:value")).body
    expect(groups).toEqual([
      { stage: null, count: 2, "sum:value": 7 },
      { stage: offer.id, count: 1, "sum:value": 5 },
    ])
    const csv = (await call("GET", "/leads/export?format=csv")).body
    expect(csv.split("\n")[0]).toContain(",status,stage,lost_reason,value,")
    expect(csv).toContain(`,qualified,${offer.id},,5,`)
  })

  test("is merged, filled and kept by what a push says", async ({ call, stage, push, lead }) => {
    const [demo, offer] = [await stage("Demo", "contacted"), await stage("Offer", "qualified")]
    const { id } = await push({ email: "a@example.com", stage: demo.id })
    await push({ email: "a@example.com", stage: "Offer" })
    expect(await lead(id)).toMatchObject({ stage: offer.id, status: "qualified" })
    await push({ email: "a@example.com", status: "converted" })
    expect(await lead(id)).toMatchObject({ stage: null, status: "converted" })
    const fill = (stage: string) =>
      call("POST", "/leads?on_duplicate=fill", { name: "Ada", source: "fair", email: "a@example.com", stage })
    await fill("Demo")
    expect(await lead(id)).toMatchObject({ stage: null, status: "converted" })
    const won = await stage("Won", "converted")
    await fill("Won")
    expect(await lead(id)).toMatchObject({ stage: won.id, status: "converted" })
    const batch = await call("POST", "/leads/batch", {
      leads: [
        { name: "B", source: "s", email: "b@example.com", stage: "demo" },
        { name: "C", source: "s", email: "c@example.com", stage: "nowhere" },
      ],
    })
    expect(batch.body).toMatchObject({ success: 1, failed: 1 })
    expect(batch.body.errors[0].message).toStartWith('stage "nowhere" is unknown. Stages are Demo (')
    expect(
      (await call("POST", "/leads/bulk", { action: "update", all: true, data: { stage: "Won" } })).status,
    ).toBe(200)
    const { groups } = (await call("GET", "/leads/aggregate?group_by=stage,status")).body
    expect(groups).toEqual([{ stage: won.id, status: "converted", count: 2 }])
  })

  test("of merged leads is one of the status that stays, or the one that was chosen", async () => {
    const { call, stage, push } = await opened()
    const [demo, offer] = [await stage("Demo", "contacted"), await stage("Offer", "qualified")]
    const survivor = (await push({ email: "a@example.com" })).id
    const loser = (await push({ email: "b@example.com", name: "Bea", stage: demo.id })).id
    const merge = (fields?: object) =>
      call("POST", "/leads/merge", { survivor, losers: [loser], dry_run: true, ...(fields && { fields }) })
    expect((await merge()).body.survivor).toMatchObject({ stage: null, status: "new" })
    expect((await merge({ stage: loser })).body.survivor).toMatchObject({
      stage: demo.id,
      status: "contacted",
    })
    expect((await merge({ status: loser })).body.survivor).toMatchObject({
      stage: demo.id,
      status: "contacted",
    })
    expect((await merge({ stage: "Offer" })).body.survivor).toMatchObject({
      stage: offer.id,
      status: "qualified",
    })
    expect((await merge({ stage: "Nowhere" })).status).toBe(400)
  })
})

describe("leads in a stage", () => {
  test("follow its status, and stay where it is deleted; undoing brings it back", async () => {
    const { call, stage, push, lead } = await opened()
    const offer = await stage("Offer", "qualified")
    const { id } = await push({ stage: offer.id })
    const changed = (await call("PUT", `/stages/${offer.id}`, { status: "contacted" })).body
    expect(changed).toMatchObject({ status: "contacted", leads: 1 })
    expect(await lead(id)).toMatchObject({ stage: offer.id, status: "contacted" })
    const gone = (await call("DELETE", `/stages/${offer.id}`)).body
    expect(gone).toEqual({ id: offer.id, deleted: true, leads: 1, batch_id: expect.any(String) })
    expect(await lead(id)).toMatchObject({ stage: null, status: "contacted" })
    expect((await call("GET", "/stages")).body).toEqual([])
    expect((await call("DELETE", `/stages/${offer.id}`)).status).toBe(404)
    const revert = await call("POST", "/changes/revert", { batch_id: gone.batch_id })
    expect(revert.body).toMatchObject({ reverted: 1 })
    expect(await lead(id)).toMatchObject({ stage: offer.id, status: "contacted" })
    expect((await call("GET", "/stages")).body).toMatchObject([{ id: offer.id, name: "Offer" }])
    // The state before the stage's own change is of another status than the stage has now.
    await call("POST", "/changes/revert", { batch_id: changed.batch_id, force: true })
    expect(await lead(id)).toMatchObject({ stage: null, status: "qualified" })
  })

  test("change by a job where they are many", async ({ call, stage }) => {
    const offer = await stage("Offer", "qualified")
    const of = (i: number) => ({ name: `Lead ${i}`, source: "s", email: `l${i}@example.com`, stage: "Offer" })
    for (const from of [0, 600])
      await call("POST", "/leads/batch", { leads: Array.from({ length: 600 }, (_, i) => of(from + i)) })
    const answer = await call("DELETE", `/stages/${offer.id}`)
    expect([answer.status, answer.body.leads]).toEqual([202, 1_200])
    await jobDone(call, answer.body.job)
    const { groups } = (await call("GET", "/leads/aggregate?group_by=stage,status")).body
    expect(groups).toEqual([{ stage: null, status: "qualified", count: 1_200 }])
  })
})

test("files put leads into stages by their names, and other words into statuses", async ({ call, stage }) => {
  const [demo, offer] = [await stage("Demo", "contacted"), await stage("Angebot", "qualified")]
  const csv = `name,email,Stage,Deal value,Lost reason
Ada,a@example.com,demo,1200,
Bea,b@example.com,ANGEBOT,,
Cem,c@example.com,Won,,
Dee,d@example.com,Somewhere,,no budget
`
  const { body } = await call("POST", "/leads/import?source=file", csv, { "Content-Type": "text/csv" })
  expect(body).toMatchObject({ created: 4, rejected: 0 })
  expect(body.warnings).toMatchObject([{ line: 5, column: "Stage", kind: "status_kept" }])
  const { leads } = (await call("GET", "/leads?sort_by=name")).body
  expect(leads).toMatchObject([
    { stage: demo.id, status: "contacted", value: 1_200 },
    { stage: offer.id, status: "qualified" },
    { stage: null, status: "converted" },
    {
      stage: null,
      status: "new",
      lost_reason: "no budget",
      attributes: [{ name: "Stage", value: "Somewhere" }],
    },
  ])
})
