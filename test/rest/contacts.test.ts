// More than one email and phone of a lead.
import { describe, expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"

const [A, B, C] = ["a@example.com", "b@example.com", "c@example.com"]
const [ONE, TWO] = ["+49 30 1234567", "+49 171 7654321"]
const contact = (value: string, label: string | null = null) => ({ value, label })

const get = async (call: Call, id: string) => (await call("GET", `/leads/${id}`)).body
const push = (call: Call, lead: object) => call("POST", "/leads", { ...LEAST, ...lead })
async function made(call: Call, lead: object): Promise<string> {
  const { status, body } = await push(call, lead)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.id
}
const found = async (call: Call, query: string) =>
  pluck((await call("GET", `/leads?${query}`)).body.leads, "id")

describe("emails and phones", () => {
  test("are kept with labels, the first as email and phone", async ({ call }) => {
    const emails = [contact(A, "work"), { ...contact(B), status: "ok" }]
    const phones = [contact(ONE), contact(TWO, "mobile")]
    const id = await made(call, { emails, phones })
    expect(await get(call, id)).toMatchObject({ email: A, phone: ONE, emails, phones })
  })

  test("come behind an email that was sent beside them", async ({ call }) => {
    const id = await made(call, { email: A, emails: [contact(B), contact(A, "work")] })
    expect(await get(call, id)).toMatchObject({ email: A, emails: [contact(A, "work"), contact(B)] })
  })

  const ONE_EACH: [about: string, sent: object, shown: object][] = [
    ["one", { email: A, emails: [contact(A)], phone: ONE }, { emails: [contact(A)], phones: [contact(ONE)] }],
    ["none", {}, { emails: [], phones: [] }],
    ["quotes", { email: '"a\\b"@example.com' }, { emails: [contact('"a\\b"@example.com')], phones: [] }],
  ]
  test.for(ONE_EACH)("are in every answer that shows a lead: %s", async ([_, sent, shown], { call }) => {
    const answers: object[] = []
    const see = async (method: "GET" | "POST" | "PUT" | "PATCH", path: string, body?: object) => {
      const { body: answer } = await call(method, path, body)
      answers.push(answer.leads?.[0] ?? answer.changes?.[0].after ?? answer.survivor ?? answer[0] ?? answer)
      return answer
    }
    await see("POST", "/leads?dry_run=true", { ...LEAST, ...sent })
    const { id } = await see("POST", "/leads", { ...LEAST, source_id: "s", ...sent })
    const lead = await see("GET", `/leads/${id}`)
    await see("POST", "/leads", { ...LEAST, source_id: "s", city: "Rome" })
    await see("PUT", `/leads/${id}`, { job_title: "Owner" })
    await see("PUT", "/leads/by/source_id/s", { ...LEAST, city: "Bonn" })
    await see("GET", "/leads")
    await see("GET", "/leads?q=acme")
    await see("GET", "/leads?fields=emails,phones")
    await see("GET", `/leads/${id}/changes`)
    await see("GET", "/changes?view=full&order=desc")
    await see("GET", "/leads/export?format=json")
    const other = (await call("POST", "/leads", { ...LEAST, name: "Other" })).body.id
    await see("POST", "/leads/merge", { survivor: id, losers: [other], dry_run: true })
    await see("POST", "/leads/merge", { survivor: id, losers: [other] })
    for (const answer of answers) expect(answer).toMatchObject(shown)
    const before = (await call("GET", `/leads/${id}/changes`)).body.count
    for (const method of ["PUT", "PATCH"] as const) {
      const { emails, phones } = lead
      await call(method, `/leads/${id}`, { emails, phones })
      await call(method, `/leads/${id}`, (await call("GET", `/leads/${id}`)).body)
    }
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(before)
  })

  test.for([
    ["no email", { emails: [contact("nobody")] }, "emails[0].value must look like name@example.com"],
    ["no list", { phones: TWO }, "phones must be a list of phones"],
    ["too many", { phones: Array(21).fill(contact(ONE)) }, "phones must hold at most 20 phones"],
    ["another key", { phones: [{ value: ONE, kind: "work" }] }, "kind"],
  ])("%s is refused", async ([_, lead, message], { call }) => {
    const { status, body } = await push(call, lead)
    expect(status).toBe(400)
    expect(body.message).toContain(message)
  })

  const UPDATES: [about: string, changes: object, after: object][] = [
    ["email replaces the first", { email: C }, { email: C, emails: [contact(C), contact(B)] }],
    ["the second as email stands alone", { email: B }, { email: B, emails: [contact(B)] }],
    ["clearing email makes the next the first", { email: null }, { email: B, emails: [contact(B)] }],
    ["a list replaces the list", { emails: [contact(C, "x")] }, { email: C, emails: [contact(C, "x")] }],
    ["null clears all", { emails: null }, { email: null, emails: [] }],
  ]
  test.for(UPDATES)("an update: %s", async ([_, changes, after], { call }) => {
    const id = await made(call, { emails: [contact(A), contact(B)] })
    const { email, emails } = (await call("PUT", `/leads/${id}`, changes)).body
    expect<object>({ email, emails }).toEqual(after)
  })

  test("are shown in lists, exports and with fields", async ({ call }) => {
    const emails = [contact(A), contact(B)]
    await made(call, { emails, phone: ONE })
    const [whole] = (await call("GET", "/leads")).body.leads
    expect(whole.emails).toEqual(emails)
    const [part] = (await call("GET", "/leads?fields=emails,phones")).body.leads
    expect(part).toEqual({ id: whole.id, emails, phones: [contact(ONE)] })
    const { body: text } = await call("GET", "/leads/export?format=csv&fields=name,emails,phones")
    expect(text).toBe(`name,emails,phones\n${LEAST.name},${A}; ${B},${ONE}\n`)
    const [header, line] = (await call("GET", "/leads/export?format=csv")).body.split("\n")
    expect([header.endsWith(",score,emails"), line.endsWith(`,${A}; ${B}`)]).toEqual([true, true])
    const few = await call("GET", `/leads/export?format=csv&filter=and.eq.city.nowhere`)
    expect(few.body).not.toContain("emails")
    const [exported] = (await call("GET", "/leads/export?format=json")).body
    expect(exported.emails).toEqual(emails)
  })
})

describe("a push", () => {
  test("with any email of a lead is merged into it, and the first stays the first", async ({ call }) => {
    const id = await made(call, { emails: [contact(A), contact(B)] })
    const { status, body } = await push(call, { name: "Another", email: B.toUpperCase(), city: "Berlin" })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, duplicate: true, email: A, city: "Berlin" })
    expect(body.emails).toEqual([contact(A), contact(B)])
  })

  test("is merged by an email besides its first, and adds those that are new", async ({ call }) => {
    const id = await made(call, { email: A })
    const { status, body } = await push(call, { emails: [contact(B), contact(A)] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, email: B, emails: [contact(B), contact(A)] })
  })

  test.for([
    ["phone", { phone: "0049 171 7654321" }],
    ["phones", { phones: [contact("+1 212 555 0100"), contact("0171 7654321")], country: "Germany" }],
  ])("with %s and a similar name is merged", async ([_, more], { call }) => {
    const id = await made(call, { name: "Trattoria Da Nino", phones: [contact(ONE), contact(TWO)] })
    const { status, body } = await push(call, { name: "Trattoria da Nino", ...more })
    expect(status).toBe(200)
    expect(body.id).toBe(id)
    expect(body.message).toContain("phone")
  })

  test("of a batch sees the emails of those before it", async ({ call }) => {
    const leads = [
      { ...LEAST, name: "First", emails: [contact(A), contact(B)] },
      { ...LEAST, name: "Second", email: B },
      { ...LEAST, name: "Third", email: C },
      { ...LEAST, name: "Fourth", emails: [contact("d@example.com"), contact(C)] },
    ]
    const { body } = await call("POST", "/leads/batch", { leads })
    expect(body.created.map(({ duplicate }: { duplicate?: true }) => duplicate ?? false)).toEqual([
      ...[false, true, false, true],
    ])
  })

  test("by upsert finds a lead by any of its emails", async ({ call }) => {
    const id = await made(call, { emails: [contact(A), contact(B)] })
    const { status, body } = await call("PUT", `/leads/by/email/${B}`, { ...LEAST, city: "Rome" })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, city: "Rome", email: A })
  })
})

describe("an email belongs to one lead", () => {
  const TAKEN: [about: string, changes: object][] = [
    ["another's second as the first", { email: B }],
    ["another's second as the second", { emails: [contact(C), contact(B)] }],
    ["another's first as the second", { emails: [contact(C), contact(A)] }],
  ]
  test.for(TAKEN)("%s is a conflict", async ([_, changes], { call }) => {
    await made(call, { emails: [contact(A), contact(B)] })
    const id = await made(call, { name: "Other", email: C })
    const { status, body } = await call("PUT", `/leads/${id}`, changes)
    expect(status).toBe(409)
    expect(body.message).toContain("Duplicate email")
    expect((await get(call, id)).email).toBe(C)
  })

  test("and is free again once it is taken off", async ({ call }) => {
    const first = await made(call, { emails: [contact(A), contact(B)] })
    await call("PUT", `/leads/${first}`, { emails: [contact(A)] })
    expect((await push(call, { name: "Other", email: B })).status).toBe(201)
    await call("DELETE", `/leads/${first}`)
    expect((await push(call, { name: "Third", email: A })).status).toBe(201)
  })
})

describe("filters and searches", () => {
  const FILTERS: [query: string, isFound: boolean][] = [
    [`filter=and.eq.email.${B}`, true],
    ["filter=and.contains.email.b@exam", true],
    ["filter=and.starts_with.email.b", true],
    [`filter=and.in.email.x@y.z,${B}`, true],
    [`filter=and.neq.email.${B}`, false],
    [`filter=or.eq.email.${B}`, true],
    ["filter=and.contains.phone.7654", true],
    ["filter=and.same.phone.00491717654321", true],
    ["filter=and.is_empty.email", false],
    ["q=b@example.com", true],
    ["q=7654321", true],
    ["q=nothing", false],
  ]
  test.for(FILTERS)("%s sees all emails and phones: %p", async ([query, isFound], { call }) => {
    const id = await made(call, {
      emails: [contact(A), contact(B)],
      phones: [contact(ONE), contact(TWO, "mobile")],
    })
    const other = await made(call, { name: "Other", email: C, phone: "+49 30 999" })
    const ids = await found(call, query.replaceAll("+", "%2B"))
    expect(ids.includes(id)).toBe(isFound)
    expect(ids.includes(other)).toBe(query.includes(".neq."))
  })
})

describe("the trail", () => {
  test("records lists and puts them back", async ({ call }) => {
    const id = await made(call, { email: A })
    await call("PUT", `/leads/${id}`, { emails: [contact(A), contact(B)] })
    const { changes } = (await call("GET", "/changes?view=diff&order=desc")).body
    expect(changes[0].diff.emails).toEqual([[contact(A)], [contact(A), contact(B)]])
    await call("POST", "/changes/revert", { batch_id: changes[0].batch_id })
    expect((await get(call, id)).emails).toEqual([contact(A)])
    expect(await found(call, `filter=and.eq.email.${B}`)).toEqual([])
  })

  test("brings a deleted lead back with its lists", async ({ call }) => {
    const id = await made(call, { emails: [contact(A), contact(B)] })
    await call("DELETE", `/leads/${id}`)
    const { changes } = (await call("GET", "/changes?view=diff&order=desc")).body
    await call("POST", "/changes/revert", { batch_id: changes[0].batch_id })
    expect((await get(call, id)).emails).toEqual([contact(A), contact(B)])
    expect(await found(call, `filter=and.eq.email.${B}`)).toEqual([id])
  })
})

describe("a merge of two leads", () => {
  async function merged() {
    const { call } = await openTestAccount()
    const survivor = await made(call, { email: A, phones: [contact(ONE, "office")] })
    const loser = await made(call, { name: "Other", emails: [contact(B), contact(C, "home")], phone: TWO })
    const { body } = await call("POST", "/leads/merge", { survivor, losers: [loser] })
    return { call, survivor, loser, body }
  }

  test("keeps the emails and phones of both", async () => {
    const { call, survivor, body } = await merged()
    expect(body.changed).toEqual(expect.arrayContaining(["emails", "phones"]))
    const lead = await get(call, survivor)
    expect(lead.emails).toEqual([contact(A), contact(B), contact(C, "home")])
    expect(lead.phones).toEqual([contact(ONE, "office"), contact(TWO)])
    expect((await push(call, { name: "Pushed", email: C })).body.id).toBe(survivor)
  })

  test("gives each its own back when it is undone", async () => {
    const { call, survivor, loser, body } = await merged()
    const undone = await call("POST", `/merges/${body.merge_id}/undo`)
    expect(undone.status).toBe(200)
    expect(undone.body.kept).toEqual([])
    expect(await get(call, survivor)).toMatchObject({ email: A, phones: [contact(ONE, "office")] })
    expect((await get(call, survivor)).emails).toEqual([contact(A)])
    expect(await get(call, loser)).toMatchObject({ emails: [contact(B), contact(C, "home")], phone: TWO })
  })
})

describe("imports", () => {
  test("leave out an email that another lead has, with a warning", async ({ call }) => {
    await made(call, { name: "Owner", email: B })
    await made(call, { name: "Ann", email: A })
    const file = `name,email\nAnn,${A}; ${B}\n`
    const { body } = await call("POST", "/leads/import", file, { "Content-Type": "text/csv" })
    expect(body).toMatchObject({ merged: 1, rejected: 0 })
    expect(body.warnings[0].message).toContain("belongs to another lead")
  })
})

describe("the do-not-contact list", () => {
  const ENTRIES = [
    { kind: "email", value: B },
    { kind: "domain", value: "b.example" },
    { kind: "phone", value: "0049 171 7654321" },
  ]
  const LEAD = {
    emails: [contact(A), contact(B), contact("x@b.example")],
    phones: [contact(ONE), contact(TWO)],
  }

  test.each(ENTRIES)("keeps a lead out by any of its emails and phones: %j", async (entry) => {
    const { call } = await openTestAccount()
    await call("POST", "/suppressions", entry)
    const { status, body } = await push(call, LEAD)
    expect(status).toBe(409)
    expect(body.code).toBe("suppressed")
    const id = await made(call, { email: A })
    expect((await call("PUT", `/leads/${id}`, LEAD)).body.code).toBe("suppressed")
  })

  test.each(ENTRIES)("marks a lead that is there: %j", async (entry) => {
    const { call } = await openTestAccount()
    const id = await made(call, LEAD)
    const other = await made(call, { name: "Other", email: C })
    await call("POST", "/suppressions", entry)
    expect(await found(call, "contactable=false")).toEqual([id])
    expect(await found(call, "contactable=true")).toEqual([other])
  })

  test("keeps every email of an erased person out", async ({ call }) => {
    const id = await made(call, LEAD)
    await call("DELETE", `/leads/${id}?erase=true`)
    for (const lead of [{ email: A }, { email: B }, { emails: [contact(C), contact(B)] }])
      expect((await push(call, lead)).body.code).toBe("suppressed")
  })
})

test("a push with the lead's phone in another writing adds none", async ({ call }) => {
  await call("PATCH", "/account", { default_country: "DE" })
  const lead = { name: "Trattoria Da Nino", source: "test" }
  const { id } = (await push(call, { ...lead, phone: "+49 30 80730693" })).body
  const national = (await push(call, { ...lead, phone: "030 80730693" })).body
  expect([national.id, national.phone, national.phones]).toEqual([
    id,
    "030 80730693",
    [contact("030 80730693")],
  ])
  const phones = [{ value: "0049 30 80730693", label: "work" }, { value: "0171 2000000" }]
  const more = (await push(call, { ...lead, phones })).body
  expect(pluck(more.phones, "value")).toEqual(["0049 30 80730693", "0171 2000000"])
})
