import { describe, expect } from "bun:test"
import { call as callTool } from "../mcp/support.ts"
import { type Call, openTestAccount, openTestApp, type TestAccount } from "../support/app.ts"
import { watchOutbox } from "../support/outbox.ts"
import { pluck } from "../support/pluck.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(open)

const LEAD = { name: "Anna Test", source: "web" }
const EMAIL = "anna@blocked.example"

async function open() {
  return opened(await openTestAccount())
}

async function opened<App extends TestAccount>(service: App) {
  const { call } = service
  const add = async (entry: object) => (await call("POST", "/suppressions", entry)).body
  const create = async (more: object = {}) => (await call("POST", "/leads", { ...LEAD, ...more })).body.id
  const emails = async () => pluck((await call("GET", "/leads?limit=1000")).body.leads, "email")
  return { ...service, add, create, emails }
}

describe("the do-not-contact list", () => {
  test("keeps emails, domains and phones, newest first, page by page", async ({ call, add }) => {
    const email = await add({ kind: "email", value: EMAIL, reason: "asked" })
    expect(email).toEqual({
      ...{ id: expect.stringMatching(/^sup_/), kind: "email", value: EMAIL, reason: "asked" },
      created_at: expect.any(Number),
    })
    await add({ value: "@Acme.Example" })
    await add({ value: "+49 30 1234567" })
    const first = (await call("GET", "/suppressions?limit=2")).body
    expect(first).toMatchObject({ has_more: true, count: 2, total: 3 })
    expect(pluck(first.suppressions, "kind", "value")).toEqual([
      ["phone", "+49 30 1234567"],
      ["domain", "acme.example"],
    ])
    const rest = (await call("GET", `/suppressions?limit=2&cursor=${first.next_cursor}`)).body
    expect(rest).toEqual({ suppressions: [email], next_cursor: null, has_more: false, count: 1, total: 3 })
    expect((await call("GET", "/suppressions?kind=domain")).body.count).toBe(1)
    expect((await call("GET", `/suppressions/${email.id}`)).body).toEqual(email)
  })

  test("takes several at once, and answers those that it has with 200", async ({ call }) => {
    const all = [{ value: EMAIL }, { value: EMAIL.toUpperCase() }, { value: "acme.example" }]
    const first = await call("POST", "/suppressions", all)
    expect([first.status, first.body.added, first.body.existing]).toEqual([201, 2, 1])
    expect(first.body.suppressions).toHaveLength(3)
    const again = await call("POST", "/suppressions", { suppressions: all })
    expect([again.status, again.body.added]).toEqual([200, 0])
    const one = await call("POST", "/suppressions", { value: EMAIL })
    expect([one.status, one.body.id]).toEqual([200, first.body.suppressions[0].id])
  })

  test.for([
    [{ value: "nothing" }, /no email, domain, phone or hash/],
    [{ kind: "email", value: "acme.example" }, /must be an email/],
    [{ kind: "domain", value: "a@b" }, /must be a domain/],
    [{ kind: "phone", value: "none" }, /must be a phone/],
    [{ kind: "hash", value: "abc" }, /must be a hash/],
    [{ kind: "fax", value: "1" }, /kind must be one of/],
    [{ reason: "why" }, /value is required/],
    [{ suppressions: [{ value: EMAIL }, { value: "?" }] }, /suppressions\[1\]\.value/],
  ])("refuses %j and says why", async ([body, message], { call }) => {
    const answer = await call("POST", "/suppressions", body)
    expect([answer.status, answer.body.code]).toEqual([400, "bad_request"])
    expect(answer.body.message).toMatch(message)
    expect((await call("GET", "/suppressions")).body.total).toBe(0)
  })

  test("an entry that is removed stops nothing any more", async ({ call, add }) => {
    const { id } = await add({ value: EMAIL })
    expect((await call("DELETE", `/suppressions/${id}`)).status).toBe(204)
    expect((await call("DELETE", `/suppressions/${id}`)).status).toBe(404)
    expect((await call("GET", "/suppressions")).body.total).toBe(0)
    expect((await call("POST", "/leads", { ...LEAD, email: EMAIL })).status).toBe(201)
  })

  test("tells which entries stop an email, a phone or a stored lead", async ({ call, add, create }) => {
    const id = await create({ email: "Bo@shop.acme.example", phone: "0049 (30) 1234567" })
    await add({ value: "acme.example" })
    await add({ value: "+49 30 1234567" })
    await add({ value: EMAIL })
    const kinds = async (query: string) =>
      (await call("GET", `/suppressions?${query}`)).body.suppressions.map((one: { kind: string }) => one.kind)
    expect((await kinds(`lead_id=${id}`)).toSorted()).toEqual(["domain", "phone"])
    expect(await kinds("value=x@acme.example")).toEqual(["domain"])
    expect(await kinds("value=%2B49301234567")).toEqual(["phone"])
    expect(await kinds("value=shop.acme.example")).toEqual(["domain"])
    expect(await kinds("value=free@example.com")).toEqual([])
    expect((await call("GET", "/suppressions?lead_id=cl_none")).status).toBe(404)
  })
})

describe("a lead on the list", () => {
  test.for([
    ["an email in any case", { value: EMAIL }, { email: "ANNA@Blocked.example" }],
    ["an email of a domain", { value: "blocked.example" }, { email: EMAIL }],
    ["an email below a domain", { value: "blocked.example" }, { email: "a@mail.eu.blocked.example" }],
    ["a phone in any notation", { value: "+49 30 1234567" }, { phone: "0049 (30) 123 45 67" }],
    ["a phone with its lead's country", { value: "+49 30 1234567" }, { phone: "030 1234567", country: "DE" }],
  ])("is refused by %s", async ([_, entry, contact], { call, add }) => {
    const { id } = await add({ ...entry, reason: "asked by mail" })
    const { status, body } = await call("POST", "/leads", { ...LEAD, ...contact })
    expect([status, body.code]).toEqual([409, "suppressed"])
    expect(body.message).toContain(id)
    expect(body.message).toContain("asked by mail")
    expect((await call("GET", "/leads")).body.count).toBe(0)
  })

  test("others with similar emails, domains and phones come in", async ({ call, add }) => {
    for (const value of [EMAIL, "acme.example", "+49 30 1234567"]) await add({ value })
    const others = [
      { email: "hanna@blocked.example" },
      { email: "a@notacme.example" },
      { phone: "+49 30 12345678" },
    ]
    for (const contact of others)
      expect(
        (await call("POST", "/leads", { ...LEAD, name: JSON.stringify(contact), ...contact })).status,
      ).toBe(201)
  })

  test("is skipped or marked where the request says so", async ({ call, add, emails }) => {
    const { id } = await add({ value: EMAIL, reason: "asked" })
    const suppressed = { id, kind: "email", value: EMAIL, reason: "asked" }
    const skipped = await call("POST", "/leads?on_suppressed=skip", { ...LEAD, email: EMAIL })
    expect([skipped.status, skipped.body.skipped, skipped.body.suppressed]).toEqual([200, true, suppressed])
    expect(await emails()).toEqual([])
    const marked = await call("POST", "/leads?on_suppressed=mark", { ...LEAD, email: EMAIL })
    expect([marked.status, marked.body.suppressed]).toEqual([201, suppressed])
    expect(await emails()).toEqual([EMAIL])
    expect((await call("GET", "/leads?contactable=true")).body.count).toBe(0)
  })

  test("that is stored can be changed in everything else", async ({ call, add, create }) => {
    const id = await create({ email: EMAIL })
    await add({ value: EMAIL })
    expect((await call("PUT", `/leads/${id}`, { status: "disqualified" })).status).toBe(200)
    expect((await call("POST", `/leads/${id}/notes`, { content: "called" })).status).toBe(201)
    expect((await call("PUT", `/leads/${id}`, { email: null })).status).toBe(200)
    expect((await call("PUT", `/leads/${id}`, { email: EMAIL })).body.code).toBe("suppressed")
  })
})

const LISTED = { ...LEAD, email: EMAIL }
const OTHER = { name: "Other", source: "s", source_id: "7" }
const CSV = { "Content-Type": "text/csv" }
type Tool = (name: string, args: object) => Promise<unknown>

/** Each way by which a lead may come in, tried with one on the list beside another lead, whose id is given. */
const WAYS: readonly [string, (call: Call, id: string, tool: Tool) => Promise<unknown>][] = [
  ["a push", (call) => call("POST", "/leads", LISTED)],
  ["a dry run that is meant", (call) => call("POST", "/leads", { ...LEAD, email: `  ${EMAIL} ` })],
  ["a batch", (call) => call("POST", "/leads/batch", { leads: [LISTED] })],
  ["a batch that skips", (call) => call("POST", "/leads/batch?on_suppressed=skip", { leads: [LISTED] })],
  ["an upsert by email", (call) => call("PUT", `/leads/by/email/${EMAIL}`, LEAD)],
  ["an upsert by source_id", (call) => call("PUT", "/leads/by/source_id/9", LISTED)],
  ["an update", (call, id) => call("PATCH", `/leads/${id}`, { email: EMAIL })],
  ["a push that is merged", (call) => call("POST", "/leads", { ...OTHER, email: EMAIL })],
  ["a batch update", (call, id) => call("PUT", "/leads/batch", { ids: [id], data: { email: EMAIL } })],
  [
    "a bulk update",
    (call, id) => call("POST", "/leads/bulk", { ids: [id], action: "update", data: { email: EMAIL } }),
  ],
  [
    "a merge",
    async (call, survivor) => {
      const { id } = (await call("POST", "/leads", { name: "Two", source: "s" })).body
      return call("POST", "/leads/merge", { survivor, losers: [id], fields: { email: EMAIL } })
    },
  ],
  [
    "an enrichment",
    (call, id) => call("POST", `/leads/${id}/enrichments`, { source: "x", fields: { email: EMAIL } }),
  ],
  ["an import", (call) => call("POST", "/leads/import?source=s", `name,email\nAnna,${EMAIL}\n`, CSV)],
  ["the tool create_lead", (_, __, tool) => tool("create_lead", LISTED)],
  ["the tool batch_create_leads", (_, __, tool) => tool("batch_create_leads", { leads: [LISTED] })],
  ["the tool update_lead", (_, id, tool) => tool("update_lead", { id, email: EMAIL })],
]

describe("no way leads past the list:", () => {
  test.for(WAYS)("%s", async ([_, way], service) => {
    const { id } = (await service.call("POST", "/leads", OTHER)).body
    await service.add({ value: EMAIL })
    await way(service.call, id, (name, args) => callTool(service, name, args))
    expect(await service.emails()).not.toContain(EMAIL)
    expect((await service.call("GET", "/leads?contactable=false")).body.count).toBe(0)
  })

  test("a revert of a deletion", async ({ call, add, create, emails }) => {
    const id = await create({ email: EMAIL })
    await call("DELETE", `/leads/${id}`)
    await add({ value: EMAIL })
    const [change] = (await call("GET", `/leads/${id}/changes?limit=1`)).body.changes
    const { body } = await call("POST", "/changes/revert", { change_ids: [change.id] })
    expect(body.skipped).toEqual([{ lead_id: id, message: expect.stringContaining("do-not-contact") }])
    expect(await emails()).toEqual([])
  })

  test("a revert of a change, also with force", async ({ call, add, create, emails }) => {
    const id = await create({ email: EMAIL })
    await call("PUT", `/leads/${id}`, { email: null })
    await add({ value: EMAIL })
    const [change] = (await call("GET", `/leads/${id}/changes?limit=1`)).body.changes
    await call("POST", "/changes/revert", { change_ids: [change.id], force: true })
    expect(await emails()).toEqual([null])
  })

  test("a merge brings together what its leads have, and nothing else that is on the list", async () => {
    const { call, add, create } = await open()
    const survivor = await create({ email: null })
    const loser = await create({ email: EMAIL })
    await add({ value: EMAIL })
    await add({ value: "other@example.com" })
    const merge = (fields: object) => call("POST", "/leads/merge", { survivor, losers: [loser], fields })
    expect((await merge({ email: "other@example.com" })).body.code).toBe("suppressed")
    const { status, body } = await merge({})
    expect([status, body.survivor.email]).toEqual([200, EMAIL])
  })

  test("an undo of a merge", async ({ call, add, create, emails }) => {
    const survivor = await create({ email: "kept@example.com" })
    const loser = await create({ name: "Other", email: EMAIL })
    const { merge_id } = (await call("POST", "/leads/merge", { survivor, losers: [loser] })).body
    await add({ value: EMAIL })
    const { status, body } = await call("POST", `/merges/${merge_id}/undo`)
    expect([status, body.code]).toEqual([409, "suppressed"])
    expect(await emails()).toEqual(["kept@example.com"])
  })

  test("a thousand leads in batches and imports, of which none gets in", async ({ call, add }) => {
    const all: { name: string; source: string; email?: string; phone?: string }[] = Array.from(
      { length: 1_000 },
      (_, i) => ({
        name: `Lead ${i}`,
        source: "s",
        ...(i % 2 === 0 ? { email: `lead${i}@blocked.example` } : { phone: `+49 30 ${2_000_000 + i}` }),
      }),
    )
    await add({ value: "blocked.example" })
    const phones = all.flatMap(({ phone }) => (phone ? { value: phone } : []))
    await call("POST", "/suppressions", phones)
    const { status, body } = await call("POST", "/leads/batch", { leads: all })
    expect([status, body.failed]).toEqual([207, 1_000])
    expect(body.errors[0]).toEqual({ index: 0, message: expect.stringContaining("do-not-contact list") })
    const csv = [
      "name,email,phone",
      ...all.map(({ name, email = "", phone = "" }) => `${name},${email},${phone}`),
    ]
    const headers = { "Content-Type": "text/csv" }
    const report = (await call("POST", "/leads/import?source=s", csv.join("\n"), headers)).body
    expect(report).toMatchObject({ created: 0, rejected: 1_000 })
    expect(report.errors[0].message).toContain("do-not-contact list")
    const skipped = (await call("POST", "/leads/import?source=s&on_suppressed=skip", csv.join("\n"), headers))
      .body
    expect(skipped).toMatchObject({ created: 0, rejected: 0, skipped: 1_000 })
    expect((await call("GET", "/leads")).body.count).toBe(0)
  })

  test("a batch says of each lead what became of it", async ({ call, add }) => {
    await add({ value: EMAIL })
    const leads = [
      { ...LEAD, email: EMAIL },
      { ...LEAD, name: "Free" },
    ]
    const skipping = (await call("POST", "/leads/batch?on_suppressed=skip", { leads })).body
    expect(skipping).toMatchObject({ success: 2, failed: 0, errors: [], skipped: [{ index: 0 }] })
    const marking = (await call("POST", "/leads/batch?on_suppressed=mark", { leads })).body
    expect(marking.created[0]).toMatchObject({ index: 0, suppressed: { kind: "email", value: EMAIL } })
  })
})

describe("an erased person", () => {
  const PERSON = { ...LEAD, email: EMAIL, phone: "+49 151 12345678" }
  const AGAIN: readonly [string, object][] = [
    ["the same email", { email: EMAIL.toUpperCase() }],
    ["the same phone", { phone: "0049 151 1234 5678" }],
    ["an email that it had before", { email: "former@blocked.example" }],
  ]

  test.each(AGAIN)("does not come back by %s, not even marked", async (_, contact) => {
    const { call, create, emails } = await open()
    const id = await create({ ...PERSON, email: "former@blocked.example" })
    await call("PUT", `/leads/${id}`, { email: EMAIL })
    await call("DELETE", `/leads/${id}?erase=true`)
    for (const query of ["", "?on_suppressed=mark", "?on_suppressed=skip"])
      await call("POST", `/leads${query}`, { name: "Again", source: "s", ...contact })
    expect(await emails()).toEqual([])
    const { code, message } = (await call("POST", "/leads", { ...LEAD, ...contact })).body
    expect([code, message]).toEqual(["suppressed", expect.stringContaining("erased")])
  })

  test("is on the list by hashes alone, which owners may remove", async ({ call, create, as }) => {
    const id = await create(PERSON)
    await call("DELETE", `/leads/${id}?erase=true`)
    const { suppressions } = (await call("GET", "/suppressions")).body
    expect(suppressions.length).toBeGreaterThan(1)
    for (const { kind, value, reason } of suppressions)
      expect([kind, value, reason]).toEqual(["hash", expect.stringMatching(/^[0-9a-f]{64}$/), "erased"])
    const editor = as((await call("POST", "/api-keys", { name: "e", role: "editor" })).body.key)
    expect((await editor("DELETE", `/suppressions/${suppressions[0].id}`)).status).toBe(403)
    for (const one of suppressions) expect((await call("DELETE", `/suppressions/${one.id}`)).status).toBe(204)
    expect((await call("POST", "/leads", PERSON)).status).toBe(201)
  })
})

describe("contactable", () => {
  async function filled() {
    const service = await open()
    const { add, create } = service
    for (const [name, contact] of [
      ["free", { email: "free@example.com", city: "Ulm" }],
      ["email", { email: EMAIL, city: "Ulm" }],
      ["domain", { email: "x@deep.acme.example", city: "Ulm" }],
      ["phone", { phone: "+49 30 1234567", city: "Bonn" }],
      ["none", { city: "Bonn" }],
    ] as const)
      await create({ name, ...contact })
    for (const value of [EMAIL, "acme.example", "0049 30 123 4567"]) await add({ value })
    return service
  }
  const names = (body: { leads: { name: string }[] }) => body.leads.map(({ name }) => name).toSorted()

  test("leaves leads on the list out of lists, searches, counts and groups, or leaves only them", async () => {
    const { call } = await filled()
    const list = async (query: string) => names((await call("GET", `/leads?${query}`)).body)
    expect(await list("contactable=true")).toEqual(["free", "none"])
    expect(await list("contactable=false")).toEqual(["domain", "email", "phone"])
    expect(await list("filter=and.eq.contactable.true&filter=and.eq.city.Bonn")).toEqual(["none"])
    expect(await list("filter=and.eq.suppressed.true")).toEqual(["domain", "email", "phone"])
    expect(await list("filter=and.neq.suppressed.true")).toEqual(["free", "none"])
    expect(await list("filter=or.neq.contactable.true&filter=or.eq.name.none")).toEqual([
      ...["domain", "email", "none", "phone"],
    ])
    expect(await list("q=example&contactable=true")).toEqual(["free"])
    expect((await call("GET", "/leads?contactable=true&total=true&limit=1")).body.total).toBe(2)
    const { groups } = (await call("GET", "/leads/aggregate?group_by=city&contactable=true")).body
    expect(groups).toEqual([
      { city: "Bonn", count: 1 },
      { city: "Ulm", count: 1 },
    ])
    expect((await call("GET", "/leads?filter=and.eq.contactable.maybe")).status).toBe(400)
  })

  test("works in exports, segments and bulk work", async () => {
    const { call } = await filled()
    const csv = (await call("GET", "/leads/export?format=csv&contactable=true&fields=name")).body
    expect(String(csv).trim().split("\n").toSorted()).toEqual(["free", "name", "none"])
    const all = (await call("POST", "/segments", { name: "all", filter: ["and.eq.city.Ulm"] })).body
    expect(names((await call("GET", `/leads?segment=${all.id}&contactable=true`)).body)).toEqual(["free"])
    const own = (await call("POST", "/segments", { name: "own", filter: ["and.eq.contactable.true"] })).body
    expect(own.count).toBe(2)
    const bulk = { filter: ["and.eq.contactable.false"], action: "add_tags", data: { tags: ["stop"] } }
    expect((await call("POST", "/leads/bulk", bulk)).body.success).toBe(3)
  })

  test("a segment tells of a lead that enters by a change of its email", async () => {
    const { call, add, config } = await opened(await openTestApp())
    await add({ value: EMAIL })
    await call("POST", "/segments", { name: "reachable", filter: ["and.eq.contactable.true"] })
    const events = await watchOutbox(config.file)
    const { id } = (await call("POST", "/leads?on_suppressed=mark", { ...LEAD, email: EMAIL })).body
    await call("PUT", `/leads/${id}`, { email: "free@example.com" })
    const told = (await events()).filter(({ event }) => event.startsWith("segment."))
    expect(told.map(({ event, data }) => [event, data.segment.name])).toEqual([
      ["segment.entered", "reachable"],
    ])
  })
})

describe("the list as a CSV", () => {
  const CSV = { "Content-Type": "text/csv" }

  test("is exported and imported again", async ({ call, add }) => {
    for (const value of [EMAIL, "acme.example", "+49 30 1234567"])
      await add({ value, reason: 'said "no", twice' })
    const { body } = await call("GET", "/suppressions?format=csv")
    const other = await open()
    expect((await other.call("POST", "/suppressions/import", String(body), CSV)).body).toEqual({
      ...{ added: 3, existing: 0, rejected: 0, errors: [] },
    })
    const listed = async ({ call }: { call: Call }) =>
      pluck((await call("GET", "/suppressions")).body.suppressions, "kind", "value", "reason").toSorted()
    expect(await listed(other)).toEqual(await listed({ call }))
    expect((await other.call("POST", "/suppressions/import", String(body), CSV)).body).toMatchObject({
      ...{ added: 0, existing: 3 },
    })
  })

  test.for([
    ["a column of emails", "E-Mail,Name\na@x.example,Ann\nb@x.example,Bo\n", ["a@x.example", "b@x.example"]],
    ["no names of columns", "a@x.example\nb@x.example\n", ["a@x.example", "b@x.example"]],
    ["a column whose name says nothing", "Constructor\na@x.example\n", ["a@x.example"]],
    ["phones and domains", "phone;domain\n+49 30 1234567;acme.example\n", ["+49 30 1234567", "acme.example"]],
  ])("takes a file with %s", async ([_, csv, values], { call }) => {
    const { body } = await call("POST", "/suppressions/import?reason=moved", csv, CSV)
    expect(body).toMatchObject({ added: values.length, rejected: 0 })
    const { suppressions } = (await call("GET", "/suppressions")).body
    expect(pluck(suppressions, "value").toSorted()).toEqual(values.toSorted())
    expect(suppressions[0].reason).toBe("moved")
  })

  test("names the rows that it could not read, and takes the others", async ({ call }) => {
    const csv = "kind,value\nemail,a@x.example\nemail,nothing\nfax,1\n"
    const { status, body } = await call("POST", "/suppressions/import", csv, CSV)
    expect([status, body.added, body.rejected]).toEqual([200, 1, 2])
    expect(pluck(body.errors, "line")).toEqual([3, 4])
  })

  test("takes a hundred thousand entries", async ({ call }) => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `person${i}@list.example`)
    const { body } = await call("POST", "/suppressions/import", `email\n${rows.join("\n")}\n`, CSV)
    expect(body).toMatchObject({ added: 100_000, existing: 0, rejected: 0 })
    expect((await call("POST", "/leads", { ...LEAD, email: "person99999@list.example" })).status).toBe(409)
    expect((await call("POST", "/leads", { ...LEAD, email: "person100000@list.example" })).status).toBe(201)
  })
})

describe("an unsubscribe link", () => {
  async function linked() {
    const service = await open()
    const id = await service.create({ email: EMAIL })
    const { url } = (await service.call("GET", `/leads/${id}/unsubscribe-link`)).body
    return { ...service, id, url: new URL(url).pathname, at: new URL(service.app.url).origin }
  }

  test("is opened without harm, and unsubscribes by one click", async () => {
    const { call, url, at } = await linked()
    const page = await fetch(at + url)
    expect([page.status, page.headers.get("x-robots-tag")]).toEqual([200, "noindex"])
    const html = await page.text()
    expect(html).toContain(EMAIL)
    expect(html).toContain("Unsubscribe")
    expect((await call("GET", "/suppressions")).body.total).toBe(0)
    for (let i = 0; i < 2; i++) {
      const body = "List-Unsubscribe=One-Click"
      const headers = { "Content-Type": "application/x-www-form-urlencoded" }
      const answer = await fetch(at + url, { method: "POST", headers, body })
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("unsubscribed")])
    }
    const { suppressions } = (await call("GET", "/suppressions")).body
    expect(suppressions).toMatchObject([{ kind: "email", value: EMAIL, reason: "unsubscribed" }])
    expect((await call("POST", "/leads", { ...LEAD, email: EMAIL })).body.code).toBe("suppressed")
  })

  test("stays valid when its lead is gone, and does not keep an erased email", async () => {
    const { call, id, url, at } = await linked()
    await call("DELETE", `/leads/${id}?erase=true`)
    const before = (await call("GET", "/suppressions")).body.total
    expect((await fetch(at + url, { method: "POST" })).status).toBe(200)
    expect((await call("GET", "/suppressions")).body.total).toBe(before)
  })

  test("that is changed or cut off does nothing", async () => {
    const { call, url, at } = await linked()
    for (const other of [`${url.slice(0, -1)}x`, url.slice(0, 20), "/u/none", `/u/${"a".repeat(9_000)}`])
      for (const method of ["GET", "POST"]) expect((await fetch(at + other, { method })).status).toBe(404)
    expect((await call("GET", "/suppressions")).body.total).toBe(0)
  })

  test("needs an email", async ({ call, create }) => {
    const { status, body } = await call("GET", `/leads/${await create()}/unsubscribe-link`)
    expect([status, body.message]).toEqual([400, expect.stringContaining("no email")])
  })
})
