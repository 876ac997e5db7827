// Keys bound to a segment: they see and write its leads alone, over REST and by tools.
import { describe, expect } from "bun:test"
import { operations } from "../../src/domain/operations/index.ts"
import { at, call as callTool, rpc } from "../mcp/support.ts"
import { type Call, openTestAccount, type TestAccount } from "../support/app.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(open)

const HIDDEN = {
  ...{ name: "Hidden Ltd", source: "hidden source", email: "hidden@acme.example", source_id: "hidden-1" },
  ...{ phone: "+49 40 555 0123", city: "Hamburg", category: "hidden category", tags: ["hidden tag"] },
  attributes: [{ name: "hidden attribute", type: "text", value: "hidden value" }],
}
const SHOWN = { name: "Shown GmbH", source: "web", email: "info@shown.example", city: "Berlin", rating: 4 }

interface Given {
  /** With the bound key. */
  bound: Call
  key: string
  call: Call
  as(key: string): Call
  app: TestAccount["app"]
  segment: string
  inside: string
  outside: string
  note: string
  activity: string
  attribute: string
}

async function open(segment: object = { filter: ["and.eq.city.Berlin"] }, more: object = {}): Promise<Given> {
  const { call, as, app } = await openTestAccount()
  const hidden = (await call("POST", "/leads", HIDDEN)).body
  const inside = (await call("POST", "/leads", SHOWN)).body.id
  const note = (await call("POST", `/leads/${hidden.id}/notes`, { content: "hidden note" })).body.id
  const activity = (await call("POST", `/leads/${hidden.id}/activities`, { kind: "call" })).body.id
  const made = (await call("POST", "/segments", { name: "Ours", ...segment })).body
  const body = { name: "partner", segment: made.id, ...more }
  const { key } = (await call("POST", "/api-keys", body)).body
  return {
    ...{ bound: as(key), key, call, as, app, segment: made.id },
    ...{ inside, outside: hidden.id, note, activity, attribute: hidden.attributes[0].id },
  }
}

/** All that there is of the hidden lead, to see that nothing of it was changed. */
async function hiddenState({ call, outside }: Given): Promise<unknown> {
  const paths = ["", "/notes", "/activities", "/changes"].map((path) => `/leads/${outside}${path}`)
  return Promise.all(paths.map(async (path) => (await call("GET", path)).body))
}

type Asked = readonly [status: number, method: string, path: string, body?: unknown]

/** Requests of each operation that reach for the hidden lead, or for all there is. */
const ASKED: Record<string, (given: Given) => Asked[]> = {
  list_leads: () => [
    [200, "GET", "/leads?total=true"],
    [200, "GET", "/leads?q=hidden"],
    [200, "GET", "/leads?q=hiden"],
    [200, "GET", "/leads?filter=and.eq.city.Hamburg&filter=or.eq.source.web&total=true"],
    [200, "GET", `/leads?filter=and.gte.attr:x.1&fields=id&limit=1000&sort_by=attr:hidden`],
  ],
  aggregate_leads: () => [
    [200, "GET", "/leads/aggregate?group_by=city&metrics=count,sum:rating"],
    [200, "GET", "/leads/aggregate?group_by=tags"],
  ],
  export_leads: () => [
    [200, "GET", "/leads/export?format=csv"],
    [200, "GET", "/leads/export?format=json"],
  ],
  get_lead: ({ outside }) => [[404, "GET", `/leads/${outside}`]],
  create_lead: () => [
    [403, "POST", "/leads", { name: "New", source: "web", city: "Bonn" }],
    [409, "POST", "/leads", { name: "New", source: "web", city: "Berlin", email: HIDDEN.email }],
    [
      201,
      "POST",
      "/leads",
      { name: HIDDEN.name.slice(0, -1), source: "w", city: "Berlin", phone: HIDDEN.phone },
    ],
  ],
  update_lead: ({ outside, inside }) => [
    [404, "PUT", `/leads/${outside}`, { city: "Berlin" }],
    [403, "PUT", `/leads/${inside}`, { city: "Hamburg" }],
  ],
  delete_lead: ({ outside }) => [
    [404, "DELETE", `/leads/${outside}`],
    [404, "DELETE", `/leads/${outside}?erase=true`],
  ],
  upsert_lead_by_email: () => [
    [409, "PUT", `/leads/by/email/${HIDDEN.email}`, { name: "New", source: "web", city: "Berlin" }],
    [403, "PUT", "/leads/by/email/new@acme.example", { name: "New", source: "web", city: "Bonn" }],
  ],
  upsert_lead_by_source_id: () => [
    [409, "PUT", "/leads/by/source_id/hidden-1", { name: "New", source: "web", city: "Berlin" }],
  ],
  list_changes: ({ outside }) => [[404, "GET", `/leads/${outside}/changes`]],
  batch_create_leads: () => [
    [207, "POST", "/leads/batch", { leads: [{ name: "New", source: "web", city: "Bonn" }] }],
  ],
  batch_update_leads: ({ outside, inside }) => [
    [207, "PUT", "/leads/batch", { ids: [outside, inside], data: { company: "x" } }],
  ],
  batch_delete_leads: ({ outside }) => [[207, "DELETE", "/leads/batch", { ids: [outside] }]],
  bulk_leads: ({ outside }) => [
    [200, "POST", "/leads/bulk", { ids: [outside], action: "delete" }],
    [200, "POST", "/leads/bulk", { ids: [outside], action: "delete", dry_run: true }],
    [200, "POST", "/leads/bulk", { all: true, action: "add_tags", data: { tags: ["x"] } }],
    [200, "POST", "/leads/bulk", { filter: ["and.eq.city.Hamburg"], action: "delete" }],
  ],
  create_note: ({ outside }) => [[404, "POST", `/leads/${outside}/notes`, { content: "x" }]],
  list_notes: ({ outside }) => [[404, "GET", `/leads/${outside}/notes`]],
  update_note: ({ note }) => [[404, "PUT", `/notes/${note}`, { content: "x" }]],
  delete_note: ({ note }) => [[404, "DELETE", `/notes/${note}`]],
  log_activity: ({ outside }) => [[404, "POST", `/leads/${outside}/activities`, { kind: "call" }]],
  list_activities: ({ outside }) => [[404, "GET", `/leads/${outside}/activities`]],
  delete_activity: ({ activity }) => [[404, "DELETE", `/activities/${activity}`]],
  list_attributes: ({ outside }) => [[404, "GET", `/leads/${outside}/attributes`]],
  create_attribute: ({ outside }) => [
    [404, "POST", `/leads/${outside}/attributes`, { name: "n", type: "bool", value: true }],
  ],
  update_attribute: ({ outside, attribute }) => [
    [404, "PUT", `/leads/${outside}/attributes/${attribute}`, { value: "x" }],
  ],
  delete_attribute: ({ outside, attribute }) => [
    [404, "DELETE", `/leads/${outside}/attributes/${attribute}`],
  ],
  explain_lead_score: ({ outside }) => [[404, "GET", `/leads/${outside}/score`]],
  update_lead_score: ({ outside }) => [[404, "POST", `/leads/${outside}/score`]],
  get_stats: () => [[200, "GET", "/stats"]],
  list_categories: () => [[200, "GET", "/stats/categories"]],
  list_cities: () => [[200, "GET", "/stats/cities"]],
  get_account: () => [[200, "GET", "/account"]],
  list_statuses: () => [[200, "GET", "/account/statuses"]],
  list_stages: () => [[200, "GET", "/stages"]],
  get_session: () => [[200, "GET", "/sessions/current"]],
}

const ROUTES = operations.flatMap(({ http, access, name, forSegments }) =>
  [http ?? []].flat().map((route) => {
    const [method = "", path = ""] = route.split(" ")
    return { name, access, isBounded: forSegments === true, method, path: path.replace(/:\w+/g, "x") }
  }),
)

describe("over REST", () => {
  test("each operation that such a key may use is tried here", () => {
    const bounded = ROUTES.filter(({ isBounded }) => isBounded).map(({ name }) => name)
    expect(Object.keys(ASKED).toSorted()).toEqual([...new Set(bounded)].toSorted())
  })

  test.each(Object.keys(ASKED))("%s shows and changes nothing outside of the segment", async (name) => {
    const given = await open()
    const before = await hiddenState(given)
    for (const [status, method, path, body] of ASKED[name]!(given)) {
      const answer = await given.bound(method, path, body)
      expect([method, path, answer.status]).toEqual([method, path, status])
      expect([path, JSON.stringify(answer.body ?? null)]).toEqual([
        path,
        expect.not.stringMatching(/hidden (?!Lt)/i),
      ])
      if (status === 200) expect(JSON.stringify(answer.body)).not.toContain("Hamburg")
    }
    expect(await hiddenState(given)).toEqual(before)
  })

  test("any other operation is refused, with the reason", async ({ bound }) => {
    const others = ROUTES.filter(({ isBounded, access }) => !isBounded && access !== "open")
    expect(others.length).toBeGreaterThan(50)
    for (const { method, path, name } of others) {
      const { status, body } = await bound(method, path, method === "GET" ? undefined : {})
      expect([name, status, body.message]).toEqual([
        name,
        403,
        `This API key is bound to a segment: ${name} is not for it. Use a key of the whole account`,
      ])
    }
  })

  test("its own leads are listed, counted, found, changed and deleted", async ({ bound, inside, call }) => {
    const listed = (await bound("GET", "/leads?total=true")).body
    expect([listed.count, listed.total, listed.leads[0].id]).toEqual([1, 1, inside])
    expect((await bound("GET", "/leads?q=shown")).body.count).toBe(1)
    expect((await bound("GET", "/leads/aggregate?group_by=city")).body).toEqual({
      groups: [{ city: "Berlin", count: 1 }],
      other: null,
      total: 1,
    })
    const made = (await bound("POST", "/leads", { name: "New", source: "web", city: "berlin" })).body
    expect((await bound("PUT", `/leads/${made.id}`, { company: "x" })).status).toBe(200)
    expect((await bound("POST", `/leads/${made.id}/notes`, { content: "n" })).status).toBe(201)
    expect((await bound("GET", `/leads/${made.id}/changes`)).body.count).toBe(2)
    expect((await bound("GET", "/stats/cities")).body).toEqual([{ city: "Berlin", count: 2 }])
    expect((await bound("DELETE", `/leads/${made.id}`)).status).toBe(204)
    expect((await bound("GET", `/leads/${made.id}/changes`)).status).toBe(404)
    expect((await call("GET", "/leads?total=true")).body.total).toBe(2)
  })

  test("stats are those of an account that has the segment's leads alone", async () => {
    const { bound, call, inside, outside } = await open({ filter: ["and.eq.source.web"] })
    await call("POST", "/scoring-rules", { name: "r", expression: "rating * 20" })
    await call("POST", "/leads/score/batch", {})
    const leads = [{ status: "qualified", rating: 2.5, phone: "+49 30 1" }, { rating: 1 }]
    for (const [i, more] of leads.entries())
      await call("POST", "/leads", { name: `Lead ${i}`, source: "web", city: "Bonn", ...more })
    const own = (await bound("GET", "/stats")).body
    await call("DELETE", `/leads/${outside}`)
    const { plan, ...all } = (await call("GET", "/stats")).body
    expect(own).toMatchObject(all)
    expect(own.plan).toEqual({ ...plan, storage_used: null })
    expect(own.score.hot).toBe(1)
    expect((await bound("GET", `/leads/${inside}`)).status).toBe(200)
  })

  test("a push merges into a lead of the segment, and leaves others as they are", async () => {
    const { bound, inside } = await open()
    const { status, body } = await bound("POST", "/leads", { ...SHOWN, company: "Merged" })
    expect([status, body.id, body.company]).toEqual([200, inside, "Merged"])
    const moved = await bound("POST", "/leads", { ...SHOWN, city: "Bonn" })
    expect([moved.status, moved.body.message]).toEqual([403, expect.stringContaining('segment "Ours"')])
    expect((await bound("GET", `/leads/${inside}`)).body.city).toBe("Berlin")
  })

  test("a batch takes what is of the segment, and says why not of the rest", async ({ bound }) => {
    const of = (city: string) => ({ name: `In ${city}`, source: "web", city })
    const { body } = await bound("POST", "/leads/batch", { leads: [of("Berlin"), of("Bonn"), of("BERLIN")] })
    expect([body.success, body.failed]).toEqual([2, 1])
    expect(body.errors).toEqual([
      { index: 1, message: expect.stringContaining("would not be in the segment") },
    ])
  })

  const SEGMENTS = [
    { filter: ["and.eq.city.Berlin", "and.gte.rating.3"] },
    { filter: ["or.eq.city.Bonn", "or.contains.tags.vip"] },
    { filter: ["and.eq.attr:size.2"] },
    { q: "blue" },
    { q: "blue -sky" },
    { filter: ["and.is_empty.email.true"], q: "hill" },
  ]
  test.each(SEGMENTS)("a lead is found by its id where it is listed: %j", async (segment) => {
    const { bound, call } = await open(segment)
    const size = (value: number) => ({ attributes: [{ name: "size", type: "number", value }] })
    const more = [
      { city: "Berlin", rating: 2, tags: ["VIP"] },
      { city: "Bonn", company: "Blue Sky", ...size(2) },
      { city: "Ulm", description: "a blue hill", ...size(3) },
      { city: "Köln", rating: 5, email: "blue.hill@x.example" },
    ]
    for (const [i, one] of more.entries())
      await call("POST", "/leads", { name: `Lead ${i}`, source: "w", ...one })
    const all = (await call("GET", "/leads")).body.leads.map(({ id }: { id: string }) => id)
    await call("POST", `/leads/${all[0]}/notes`, { content: "blue hill" })
    const listed = (await bound("GET", "/leads")).body.leads.map(({ id }: { id: string }) => id)
    const found: string[] = []
    for (const id of all) if ((await bound("GET", `/leads/${id}`)).status === 200) found.push(id)
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
    expect(listed.toSorted()).toEqual(found.toSorted())
  })

  test("more than 1,000 leads are not changed at once", async ({ bound, call }) => {
    const leads = Array.from({ length: 1_000 }, (_, i) => ({
      name: `Lead ${i}`,
      source: "w",
      city: "Berlin",
    }))
    await call("POST", "/leads/batch", { leads })
    const { status, body } = await bound("POST", "/leads/bulk", { all: true, action: "score" })
    expect([status, body.message]).toEqual([400, expect.stringContaining("at most 1,000 leads")])
  })

  test("an answer that another key's request was given is not repeated to it", async ({ bound, call }) => {
    const headers = { "Idempotency-Key": "one" }
    const body = { name: "Hidden", source: "web", city: "Berlin", email: "new@x.example" }
    await call("POST", "/leads", body, headers)
    const own = await bound("POST", "/leads", { ...body, company: "Other" }, headers)
    expect([own.status, own.headers.get("idempotency-replayed")]).toEqual([200, null])
    const again = await bound("POST", "/leads", { ...body, company: "Other" }, headers)
    expect(again.headers.get("idempotency-replayed")).toBe("true")
  })

  test("a viewer's key bound to a segment reads alone", async () => {
    const { bound, inside } = await open(undefined, { role: "viewer" })
    expect((await bound("GET", `/leads/${inside}`)).status).toBe(200)
    const { status, body } = await bound("PUT", `/leads/${inside}`, { company: "x" })
    expect([status, body.message]).toEqual([403, "viewer role cannot modify data"])
  })
})

describe("the key itself", () => {
  test("names its segment in the list of keys and in the admin log", async ({ call, segment }) => {
    const keys = (await call("GET", "/api-keys")).body
    expect(keys.map(({ segment }: { segment?: string }) => segment)).toEqual([undefined, segment])
    const { entries } = (await call("GET", "/admin-log")).body
    expect(entries[0].details).toMatchObject({ name: "partner", segment })
  })

  test("is not made for a segment that is not there", async () => {
    const { call } = await openTestAccount()
    const { status, body } = await call("POST", "/api-keys", { name: "k", segment: "seg_x" })
    expect([status, body.message]).toEqual([400, 'there is no segment "seg_x": GET /segments lists them'])
  })

  test("sees nothing once its segment is deleted", async ({ call, bound, segment, inside }) => {
    await call("DELETE", `/segments/${segment}`)
    for (const path of ["/leads", `/leads/${inside}`, "/stats", "/leads/export?format=csv"]) {
      const { status, body } = await bound("GET", path)
      expect([path, status, body.message]).toEqual([path, 403, expect.stringContaining("was deleted")])
    }
  })

  test("follows its segment when that changes", async ({ call, bound, segment, inside, outside }) => {
    await call("PUT", `/segments/${segment}`, { filter: ["and.eq.city.Hamburg"] })
    expect((await bound("GET", `/leads/${outside}`)).status).toBe(200)
    expect((await bound("GET", `/leads/${inside}`)).status).toBe(404)
  })

  test("signs in to no dashboard, and is not the account's last owner key", async () => {
    const { bound, call, key } = await open(undefined, { role: "owner" })
    const signedIn = await call("POST", "/sessions", { key }, { "X-API-Key": "" })
    expect([signedIn.status, signedIn.body.message]).toEqual([
      401,
      expect.stringContaining("bound to a segment"),
    ])
    const [{ id }] = (await call("GET", "/api-keys")).body
    expect((await call("DELETE", `/api-keys/${id}`)).status).toBe(409)
    expect((await bound("GET", "/api-keys")).status).toBe(403)
  })
})

describe("by tools", () => {
  async function openTools() {
    const given = await open()
    const service = at(given, "?toolsets=all")
    const send = (method: string, params: object) => rpc(service, method, params)
    const tool = (name: string, args?: object) => callTool(service, name, args)
    return { ...given, send, tool }
  }

  /** Arguments of each tool that reach for the hidden lead, with the code of the refusal where there is one. */
  const CALLS: Record<string, (given: Given) => [code: string | undefined, args: object][]> = {
    list_leads: () => [
      [undefined, {}],
      [undefined, { q: "hidden value" }],
      [undefined, { format: "csv" }],
    ],
    search: () => [[undefined, { query: "hidden" }]],
    fetch: ({ outside }) => [["RESOURCE_NOT_FOUND", { id: outside }]],
    get_lead: ({ outside, inside }) => [
      ["RESOURCE_NOT_FOUND", { id: outside }],
      ["RESOURCE_NOT_FOUND", { id: outside, as_of: 4e9 }],
      ["UNAUTHORIZED", { id: inside, include: ["duplicates"] }],
    ],
    create_lead: () => [["UNAUTHORIZED", { name: "New", source: "web", city: "Bonn" }]],
    update_lead: ({ outside }) => [["RESOURCE_NOT_FOUND", { id: outside, attributes: { a: 1 } }]],
    delete_lead: ({ outside }) => [["RESOURCE_NOT_FOUND", { id: outside, confirm: true }]],
    create_lead_tag: ({ outside }) => [["RESOURCE_NOT_FOUND", { id: outside, tag: "x" }]],
    batch_create_leads: () => [[undefined, { leads: [{ name: "New", source: "web", city: "Bonn" }] }]],
    batch_update_leads: ({ outside, inside }) => [
      [undefined, { ids: [outside], data: { company: "x" } }],
      ["UNAUTHORIZED", { ids: [outside], merge_into: inside }],
      ["UNAUTHORIZED", { undo: "019aa6f8-33d0-7000-a1c5-0be64f2d7719" }],
    ],
    batch_delete_leads: ({ outside }) => [[undefined, { ids: [outside], confirm: true }]],
    list_stages: () => [[undefined, {}]],
    create_note: ({ outside }) => [["RESOURCE_NOT_FOUND", { lead_id: outside, content: "x" }]],
    list_notes: ({ outside }) => [["RESOURCE_NOT_FOUND", { lead_id: outside }]],
    update_note: ({ note }) => [["RESOURCE_NOT_FOUND", { id: note, content: "x" }]],
    delete_note: ({ note }) => [["RESOURCE_NOT_FOUND", { id: note, confirm: true }]],
    log_activity: ({ outside }) => [["RESOURCE_NOT_FOUND", { lead_id: outside, kind: "call" }]],
    list_activities: ({ outside }) => [["RESOURCE_NOT_FOUND", { lead_id: outside }]],
    list_attributes: ({ outside }) => [
      ["RESOURCE_NOT_FOUND", { lead_id: outside }],
      ["UNAUTHORIZED", {}],
    ],
    create_attribute: ({ outside }) => [
      ["RESOURCE_NOT_FOUND", { lead_id: outside, name: "n", type: "bool", value: true }],
    ],
    update_attribute: ({ outside, attribute }) => [
      ["RESOURCE_NOT_FOUND", { lead_id: outside, id: attribute, value: "x" }],
    ],
    delete_attribute: ({ outside, attribute }) => [
      ["RESOURCE_NOT_FOUND", { lead_id: outside, id: attribute, confirm: true }],
    ],
    update_lead_score: ({ outside }) => [["RESOURCE_NOT_FOUND", { id: outside }]],
    get_stats: () => [
      [undefined, {}],
      [undefined, { group_by: ["city", "category"] }],
      ["UNAUTHORIZED", { of: "changes" }],
      ["UNAUTHORIZED", { of: "batches" }],
    ],
    list_categories: () => [[undefined, {}]],
    list_cities: () => [[undefined, {}]],
  }

  test("those that such a key may use are listed, no others, and each is tried here", async () => {
    const { send } = await openTools()
    const { tools } = (await send("tools/list", {})).result
    expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted())
  })

  test.each(Object.keys(CALLS))("%s shows and changes nothing outside of the segment", async (name) => {
    const given = await openTools()
    const before = await hiddenState(given)
    for (const [code, args] of CALLS[name]!(given)) {
      const { data, error, content, isError } = await given.tool(name, args)
      expect([args, isError ? error.code : undefined]).toEqual([args, code])
      const text = JSON.stringify(isError ? error : (data ?? content))
      expect(text).not.toMatch(/hidden/i)
      expect(text).not.toContain("Hamburg")
    }
    expect(await hiddenState(given)).toEqual(before)
  })

  test("other tools are refused, with the reason", async () => {
    const { tool } = await openTools()
    for (const name of [
      "list_webhooks",
      "create_api_key",
      "list_duplicates",
      "import_leads",
      "list_segments",
    ]) {
      const { error } = await tool(name)
      expect([name, error.status, error.message]).toEqual([
        name,
        403,
        expect.stringContaining("bound to a segment"),
      ])
    }
  })

  test("the address of an export holds the segment's leads, without a key too", async () => {
    const { tool, inside } = await openTools()
    const { data } = await tool("list_leads", { format: "json" })
    expect(data.rows).toBe(1)
    const leads = (await (await fetch(data.url)).json()) as { id: string }[]
    expect(leads.map(({ id }) => id)).toEqual([inside])
  })

  test("a lead outside is no resource", async () => {
    const { send, outside, inside } = await openTools()
    const read = async (uri: string) => (await send("resources/read", { uri })).body
    expect((await read(`leads://${inside}`)).result.contents).toHaveLength(1)
    expect((await read(`leads://${outside}`)).error).toBeDefined()
  })
})
