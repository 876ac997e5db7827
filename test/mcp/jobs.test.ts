// What the tools take besides the bodies of REST.
import { describe, expect } from "bun:test"
import { openTestAccount, openTestApp, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { openHook } from "../support/hook.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { until } from "../support/until.ts"
import { at, call, rpc } from "./support.ts"

const many = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ name: `Lead ${i}`, source: "web", city: "Bonn", rating: i }))

describe("get_stats", () => {
  test("counts changes of a field to a value, in groups", async (service) => {
    const { created } = (await service.call("POST", "/leads/batch", { leads: many(3) })).body
    for (const { id } of created.slice(0, 2))
      await service.call("PUT", `/leads/${id}`, { status: "converted" })
    const args = {
      of: "changes",
      field: "status",
      to: "converted",
      since: "2020-01-01",
      group_by: ["city", "to"],
    }
    expect((await call(service, "get_stats", args)).data).toEqual({
      total: 2,
      leads: 2,
      groups: [{ city: "Bonn", to: "converted", count: 2, leads: 2 }],
    })
    expect((await call(service, "get_stats", { of: "changes", until: 5 })).data.total).toBe(0)
    for (const wrong of [
      { to: "new", of: "changes" },
      { since: 5 },
      { of: "changes", group_by: ["nothing"] },
      { of: "changes", q: "x" },
    ])
      expect((await call(service, "get_stats", wrong)).error.code).toBe("VALIDATION_ERROR")
  })

  test("counts neither an undo nor what it undid, and groups batches", async (service) => {
    const tool = async (args: object) => (await call(service, "get_stats", args)).data
    const { created } = (await service.call("POST", "/leads/batch", { leads: many(3) })).body
    const ids = pluck(created, "id")
    const to = async (status: string) =>
      (await service.call("POST", "/leads/bulk", { ids, action: "update", data: { status } })).body.batch_id
    const undo = async (batch_id: string) =>
      (await service.call("POST", "/changes/revert", { batch_id })).body.batch_id
    await to("converted")
    await undo(await to("disqualified"))
    const converted = { of: "changes", field: "status", to: "converted" }
    expect(await tool(converted)).toEqual({ total: 3, leads: 3, undone: 6 })
    const undoing = await undo(await to("qualified"))
    expect((await tool({ of: "changes", field: "status", group_by: ["to"] })).groups).toEqual([
      { to: "converted", count: 3, leads: 3 },
      { to: "new", count: 3, leads: 3 },
    ])
    await undo(undoing)
    expect((await tool({ of: "changes", field: "status", to: "qualified" })).total).toBe(3)
    const { total, groups } = await tool({ of: "batches", group_by: ["kind", "undone"] })
    expect([total, groups[0]]).toEqual([7, { kind: "revert", undone: false, count: 2, leads: 6 }])
    expect((await call(service, "get_stats", { of: "batches", group_by: ["city"] })).error.message).toContain(
      "kind",
    )
  })

  test("takes step, sort and limit, and tells what is left of the requests", async () => {
    const service = await openTestApp({ plan: "pro" } as never)
    await service.call("POST", "/leads/batch", { leads: many(30) })
    const { data } = await call(service, "get_stats", {
      group_by: ["rating"],
      step: 10,
      sort: "rating",
      limit: 2,
    })
    expect(data.groups).toEqual([
      { rating: 0, count: 10 },
      { rating: 10, count: 10 },
    ])
    const { data: plain } = await call(service, "get_stats")
    expect(Object.keys(plain.requests)).toEqual(["limit", "left", "resets_at"])
  })
})

test("get_lead shows a lead as it was at a time, and its duplicates", async () => {
  const clock = heldClock()
  const service = await openTestApp({}, clock)
  const { id } = (await service.call("POST", "/leads", { ...LEAST, city: "Bonn" })).body
  const at = clock.seconds()
  clock.advance(3_600_000)
  await service.call("PUT", `/leads/${id}`, { city: "Ulm" })
  const { data } = await call(service, "get_lead", { id, as_of: at + 60 })
  expect(data).toMatchObject({ id, city: "Bonn", as_of: at + 60 })
  expect((await call(service, "get_lead", { id, as_of: at - 60 })).error.code).toBe("RESOURCE_NOT_FOUND")
  expect((await call(service, "get_lead", { id, include: ["duplicates"] })).data).toMatchObject({
    city: "Ulm",
    duplicates: [],
  })
})

describe("writes", () => {
  test("update_lead sets attributes by name and tells what changed", async (service) => {
    const { id } = (
      await service.call("POST", "/leads", {
        ...LEAST,
        attributes: [
          { name: "size", type: "number", value: 5 },
          { name: "old", type: "text", value: "x" },
        ],
      })
    ).body
    const { data, content } = await call(service, "update_lead", {
      id,
      city: "Ulm",
      attributes: { size: 7, old: null, tags: ["a"] },
    })
    expect(data.changed).toEqual({
      city: [null, "Ulm"],
      "attr:size": [5, 7],
      "attr:tags": [null, ["a"]],
      "attr:old": ["x", null],
    })
    expect(content[0].text.length).toBeLessThan(600)
    const own = Object.fromEntries(pluck(data.attributes, "name", "value"))
    expect(own).toEqual({ size: 7, tags: ["a"] })
    expect(
      (await call(service, "update_lead", { id, attributes: { size: "large" } })).error.message,
    ).toContain("number")
  })

  test("create_lead_tag removes a tag, and counts first", async (service) => {
    await service.call("POST", "/leads/batch", {
      leads: many(3).map((lead) => ({ ...lead, tags: ["a", "b"] })),
    })
    const filter = ["and.eq.city.Bonn"]
    expect(
      (await call(service, "create_lead_tag", { filter, tag: "a", remove: true, dry_run: true })).data,
    ).toMatchObject({ matched: 3, dry_run: true })
    expect((await call(service, "create_lead_tag", { filter, tag: "A", remove: true })).data).toMatchObject({
      success: 3,
    })
    const { leads } = (await call(service, "list_leads", { fields: ["tags"] })).data
    expect(pluck(leads, "tags")).toEqual([["b"], ["b"], ["b"]])
    const one = leads[0].id
    const { data } = await call(service, "create_lead_tag", { id: one, tag: "b", remove: true })
    expect(data).toMatchObject({ id: one, tags: [] })
  })

  test("create_scoring_rule shows scores before and after without saving", async (service) => {
    await service.call("POST", "/leads/batch", { leads: many(10) })
    const { data } = await call(service, "create_scoring_rule", {
      name: "Rating",
      expression: "rating * 10",
      dry_run: true,
    })
    expect(data).toMatchObject({
      dry_run: true,
      leads: 10,
      changed: 9,
      before: { average: 0, cold: 10 },
      after: { average: 45, hot: 3 },
    })
    expect(data.sample).toHaveLength(5)
    expect(data.sample[0]).toMatchObject({ name: "Lead 9", before: 0, after: 90 })
    expect((await service.call("GET", "/scoring-rules")).body).toEqual([])
    expect(
      (await call(service, "create_scoring_rule", { name: "x", expression: "nothing(", dry_run: true })).error
        .code,
    ).toBe("VALIDATION_ERROR")
  })

  test("create_scoring_rule says how many stored scores are old, until update_all_scores", async () => {
    const service = await openTestAccount()
    await service.call("POST", "/leads/batch", { leads: many(10) })
    await service.call("POST", "/scoring-rules", { name: "Rating", expression: "rating * 10" })
    const preview = async () => {
      const rule = { name: "Bonn", expression: 'city == "Bonn" ? 5 : 0', dry_run: true }
      const { outdated, update_all_scores, changed, message } = (
        await call(service, "create_scoring_rule", rule)
      ).data
      return [outdated, update_all_scores, changed, message]
    }
    expect(await preview()).toEqual([
      9,
      10,
      10,
      "9 stored scores are older than the rules: with this rule, update_all_scores would change 10",
    ])
    await call(service, "update_all_scores")
    expect(await preview()).toEqual([0, 10, 10, undefined])
  })

  test("plans of webhooks say what is sent again, and the address before and after", async (service) => {
    await using hook = openHook(() => 500)
    const webhooks = at(service, "?toolsets=webhooks")
    const { data } = await call(webhooks, "create_webhook", { url: hook.url, events: ["lead.created"] })
    for (const lead of many(2)) await service.call("POST", "/leads", lead)
    await until("two failures", async () => {
      const { deliveries } = (await service.call("GET", `/webhooks/${data.id}/deliveries`)).body
      return (
        deliveries.length === 2 && deliveries.every(({ attempts }: { attempts: number }) => attempts === 1)
      )
    })
    const again = { id: data.id, since: "yesterday" }
    const { plan, ...shown } = (await call(webhooks, "retry_webhook_deliveries", again)).data
    expect(shown).toMatchObject({
      matched: 2,
      retried: 2,
      message: expect.stringContaining("Nothing was done yet"),
    })
    expect(hook.hits).toHaveLength(2)
    expect((await call(webhooks, "retry_webhook_deliveries", { ...again, plan })).data).toEqual({
      retried: 2,
    })
    await hook.arrived(4)
    const url = `${hook.url}/other`
    const change = (await call(webhooks, "update_webhook", { id: data.id, url, active: true })).data
    expect(change.sample).toEqual([{ id: data.id, url: hook.url, changes: { url: [hook.url, url] } }])
  })

  test("batch_update_leads merges leads and takes back what an id names", async (service) => {
    const { created, batch_id } = (await service.call("POST", "/leads/batch", { leads: many(2) })).body
    const [survivor, other] = pluck(created, "id")
    const { data: merge } = await call(service, "batch_update_leads", { ids: [other], merge_into: survivor })
    expect((await call(service, "get_lead", { id: other })).error.code).toBe("RESOURCE_NOT_FOUND")
    const { data: undone } = await call(service, "batch_update_leads", { undo: merge.merge_id })
    expect(undone).toMatchObject({ pairs: "open", losers: [{ id: other, status: "new" }] })
    expect((await call(service, "batch_update_leads", { undo: batch_id, dry_run: true })).data.matched).toBe(
      2,
    )
    expect(
      (await call(service, "batch_update_leads", { undo: batch_id, data: { city: "x" } })).error.code,
    ).toBe("VALIDATION_ERROR")
  })
})

test("list_webhooks tells what fails and the last error", async () => {
  await using hook = openHook(() => 500)
  const service = await openTestAccount()
  await service.call("POST", "/webhooks", { url: hook.url, events: ["lead.created"] })
  await service.call("POST", "/leads", LEAST)
  const problems = async () =>
    (await call(service, "list_webhooks", { include: ["problems"] })).data[0].problems
  await until("it was tried", async () => (await problems()).failing > 0)
  expect(await problems()).toMatchObject({
    failing: 1,
    failed: 0,
    last_error: { event: "lead.created", code: 500 },
  })
})

test("a search that no lead fits finds those with most of its words, and says which", async (service) => {
  const leads = [
    { name: "Praxis Weiss", source: "web", description: "A dentist for kids" },
    { name: "Praxis Grau", source: "web", description: "A dentist" },
  ]
  await service.call("POST", "/leads/batch", { leads })
  const q = "dentist anxious kids"
  const { data } = await call(service, "list_leads", { q, fields: ["name"] })
  const near = [
    { matched: ["dentist", "kids"], snippet: "A dentist for kids" },
    { matched: ["dentist"], snippet: "A dentist" },
  ]
  expect(data.leads).toMatchObject([
    { name: "Praxis Weiss", ...near[0] },
    { name: "Praxis Grau", ...near[1] },
  ])
  expect(data.message).toContain("No lead has all words")
  const search = { name: "search", arguments: { query: q } }
  const { result } = await rpc(service, "tools/call", search, { "X-MCP-Toolsets": "search" })
  expect(result.structuredContent.results).toMatchObject([
    { title: "Praxis Weiss", ...near[0] },
    { title: "Praxis Grau", ...near[1] },
  ])
})

test("what a dry run and a pair of duplicates show is compact", async () => {
  const service = await openTestApp({}, heldClock())
  const twins = [
    {
      name: "Zwillinge Optik GmbH",
      source: "fair",
      city: "Ulm",
      phone: "0731 555",
      website: "optik.example",
    },
    { name: "Zwillinge Optik GmbH", source: "web", city: "Ulm", website: "www.optik.example" },
  ]
  const ids: string[] = []
  for (const twin of twins) ids.push((await service.call("POST", "/leads", twin)).body.id)
  const [older, newer] = ids
  const { sample } = (
    await call(service, "batch_update_leads", { ids, data: { city: "Bonn" }, dry_run: true })
  ).data
  expect(sample[1]).toMatchObject({ id: newer, city: "Ulm" })
  expect(Object.values(sample[1])).not.toContain(null)
  const list = () => call(service, "list_duplicates", {}, { "X-MCP-Toolsets": "duplicates" })
  await until("they were compared", async () => (await list()).data.count > 0)
  const [{ a, b }] = (await list()).data.duplicates
  const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const { phone: _, ...rest } = twins[0]!
  expect(b).toEqual({ ...rest, ...twins[1], id: newer, created_at: when, score: 0 })
  expect(a).toEqual({ ...twins[0], id: older, created_at: when, score: 0 })
  const { duplicates } = (await call(service, "get_lead", { id: older, include: ["duplicates"] })).data
  expect(duplicates[0].lead).toEqual(b)
})

test("rows of lists are compact: nothing empty, attributes by name, ISO times, ten fields", async () => {
  const service = await openTestAccount()
  const full = {
    ...LEAST,
    email: "a@x.y",
    city: "Bonn",
    country: "DE",
    rating: 4,
    website: "x.y",
    tags: ["t"],
    company: "Co",
    phone: "1",
    category: "c",
    job_title: "j",
    attributes: [{ name: "size", type: "number", value: 5 }],
  }
  await service.call("POST", "/leads", full)
  const [usual] = (await call(service, "list_leads")).data.leads
  expect(Object.keys(usual).length).toBeLessThanOrEqual(10)
  const [all] = (await call(service, "list_leads", { fields: ["*"] })).data.leads
  expect(all.attributes).toEqual({ size: 5 })
  expect(all.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(Object.values(all)).not.toContain(null)
  const [some] = (await call(service, "list_leads", { fields: ["city", "attr:size", "state"] })).data.leads
  expect(some).toEqual({ id: all.id, city: "Bonn", attributes: { size: 5 } })
})
