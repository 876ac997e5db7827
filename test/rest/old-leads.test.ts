// Leads that an older leaddb wrote, without the fields that came since, as they are read and changed today.
import { describe, expect } from "bun:test"
import { parse } from "csv-parse/sync"
import { readXlsx } from "hucre"
import { dropPlainLists } from "../../src/lead/contacts.ts"
import { LEAD_FIELD_NAMES, type LeadFieldName, leadField } from "../../src/lead/lead-fields.ts"
import { completedText, SHAPE } from "../../src/store/tables/leads/shape.ts"
import { openTestApp } from "../support/app.ts"
import { onPostgres, sqlBeside } from "../support/database.ts"
import { FULL } from "../support/lead.ts"
import { compared } from "../support/settled.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(withOldLead)

const LATER = LEAD_FIELD_NAMES.filter((name) => leadField(name).since)
const NOTHING = Object.fromEntries(LATER.map((name) => [name, null]))

/** Where engines keep whole leads: the document, and the trail's copies; those of a file are made of the document. */
const KEPT = onPostgres
  ? { document: "leads", trail: { table: "trail", key: "seq", columns: ["state"] } }
  : { document: "lead_documents", trail: { table: "trail", key: "seq", columns: [] } }

/** Makes a lead what an older leaddb stored: its document, and the trail's copies, lack what came since. */
async function age(file: string, id: string): Promise<void> {
  const { document, trail } = KEPT
  const where = `WHERE rid = (SELECT rid FROM leads WHERE id = '${id}')`
  const [row] = await sqlBeside(file, `SELECT data, shape FROM ${document} ${where}`)
  const old = withoutLater(completedText(row!.data as string, row!.shape as number))
  expect(Object.keys(JSON.parse(old))).not.toContain(LATER[0])
  await sqlBeside(file, `UPDATE leads SET email_status = NULL, company_id = NULL WHERE id = '${id}'`)
  await sqlBeside(file, `UPDATE ${document} SET data = ${literal(old)}, shape = 1 ${where}`)
  for (const column of trail.columns) {
    const copies = await sqlBeside(
      file,
      `SELECT ${trail.key} AS key, ${column} AS text FROM ${trail.table} WHERE lead_id = '${id}' AND ${column} IS NOT NULL`,
    )
    for (const copy of copies) {
      const text = literal(withoutLater(copy.text as string))
      await sqlBeside(
        file,
        `UPDATE ${trail.table} SET ${column} = ${text} WHERE lead_id = '${id}' AND ${trail.key} = ${copy.key}`,
      )
    }
  }
}

/** The JSON text of a lead without the fields that came since, and without lists that say no more than a field. */
function withoutLater(text: string): string {
  const members = Object.entries(dropPlainLists(JSON.parse(text)) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => !LATER.some((one) => one === name))))
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** When the new lead's next step is due: far from now. */
const NEXT = 4_000_000_000

/** Something to put into a field. */
function someValue(name: LeadFieldName): string | number {
  const { kind } = leadField(name)
  return kind === "text" ? `some ${name}` : kind === "moment" ? NEXT : 1
}

const LIKE_LISTS = {
  ...{ name: "o", type: "object", value: { a: 1, emails: [{ value: "x", label: null }], phones: [] } },
}

/** A service with an old lead, and one of today that has something in every field. */
async function withOldLead() {
  const service = await openTestApp()
  const { call } = service
  const attributes = [{ name: "profile", type: "object", value: { a: 1, linkedin_url: "in an attribute" } }]
  const { body: old } = await call("POST", "/leads", { ...FULL, attributes })
  await call("POST", "/stages", { name: "Offer", status: "qualified" })
  const { body: fresh } = await call("POST", "/leads", {
    ...Object.fromEntries(
      LATER.filter((name) => !leadField(name).readOnly).map((name) => [name, someValue(name)]),
    ),
    ...{ name: "Ada", source: "web", email: "ada@example.com" },
    ...{ company: "Straße & Co", job_title: "CTO", linkedin_url: "https://linkedin.com/in/ada" },
    ...{ owner: "mem_019aa6f8-33d0-7000-a1c5-0be64f2d7719", next_step: "Call" },
    ...{ lawful_basis: "contract", stage: "Offer" },
  })
  await age(service.config.file, old.id)
  return { ...service, old, fresh }
}

describe("a lead of an older shape", () => {
  test("is read with every field, in the order of today's, with what it held", async () => {
    const { call, old, fresh } = await withOldLead()
    const { body } = await call("GET", `/leads/${old.id}`)
    const { message: _, ...rest } = old
    const pushed = { ...rest, email_status: null, company_id: null }
    expect(body).toEqual({ ...pushed, ...NOTHING })
    expect(Object.keys(body)).toEqual(Object.keys((await call("GET", `/leads/${fresh.id}`)).body))
    expect(JSON.stringify(body)).toBe(JSON.stringify(pushed))
  })

  test.skipIf(onPostgres)("is written as one of today at the next start, and reads the same", async () => {
    const { app, call, config, key, old } = await withOldLead()
    const { body: before } = await call("GET", `/leads/${old.id}`)
    await app.stop()
    await sqlBeside(config.file, "DELETE FROM settings WHERE name = 'documents_shape'")
    const next = await openTestApp({ ...config })
    const shapes = () => sqlBeside(config.file, "SELECT DISTINCT shape FROM lead_documents")
    await until("documents of today", async () => (await shapes()).every(({ shape }) => shape === SHAPE))
    const { body: after } = await next.as(key)("GET", `/leads/${old.id}`)
    expect(JSON.stringify(after)).toBe(JSON.stringify(before))
    const [row] = await sqlBeside(
      config.file,
      `SELECT data FROM lead_documents d JOIN leads l USING (rid) WHERE l.id = '${old.id}'`,
    )
    expect(Object.keys(JSON.parse(row!.data as string))).toContain(LATER[0]!)
  })

  const CONTACTS: [about: string, lead: object][] = [
    ["one of each, with quotes", { email: '"a\\"b"@example.com', phone: "030 1" }],
    ["none", {}],
    ["several", { emails: [{ value: "a@example.com" }, { value: "b@example.com", label: "work" }] }],
    ["one with a label", { phones: [{ value: "030 1", label: "office" }] }],
    ["what looks like them in an attribute", { email: "a@example.com", attributes: [LIKE_LISTS] }],
  ]
  test.each(CONTACTS)("has its emails and phones: %s", async (_, lead) => {
    const { call, config } = await openTestApp()
    const { id } = (await call("POST", "/leads", { name: "Ada", source: "web", ...lead })).body
    const read = async () => [
      (await call("GET", `/leads/${id}`)).body,
      (await call("GET", "/leads")).body.leads[0],
    ]
    const before = await read()
    await age(config.file, id)
    expect(await read()).toEqual(before.map((one) => ({ ...one, email_status: null, company_id: null })))
    const merged = await call("PUT", `/leads/${id}`, { city: "Rome" })
    expect(merged.body).toMatchObject({ emails: before[0].emails, phones: before[0].phones, city: "Rome" })
  })

  test("is listed, filtered and sorted with nothing in the new fields", async ({ call, old, fresh }) => {
    const ids = async (query: string) => {
      const { body } = await call("GET", `/leads?${query}`)
      return body.leads.map(({ id }: { id: string }) => id)
    }
    const { body } = await call("GET", "/leads")
    expect(body.leads.map(Object.keys)).toEqual([Object.keys(body.leads[1]), Object.keys(body.leads[1])])
    expect(body.leads[0]).toMatchObject({ id: old.id, ...NOTHING })
    for (const field of LATER) {
      expect(await ids(`filter=and.is_empty.${field}`)).toEqual([old.id])
      expect(await ids(`filter=and.is_not_empty.${field}`)).toEqual([fresh.id])
      const other = leadField(field).kind === "text" ? "x" : 2
      expect(await ids(`filter=and.neq.${field}.${other}`)).toEqual([old.id, fresh.id])
      expect(await ids(`sort_by=${field}`)).toEqual([fresh.id, old.id])
      expect(await ids(`sort_by=${field}&sort_order=DESC`)).toEqual([fresh.id, old.id])
    }
    expect(await ids("filter=and.eq.company.STRASSE %26 co")).toEqual([])
    expect(await ids("filter=and.eq.company.straße %26 co")).toEqual([fresh.id])
    expect(await ids("filter=and.contains.linkedin_url.COM/IN/A")).toEqual([fresh.id])
  })

  test("is exported with empty cells in all formats", async ({ call, app, key, old }) => {
    const { body: csv } = await call("GET", "/leads/export?format=csv")
    const [row, today] = parse(csv, { columns: true }) as Record<string, string>[]
    expect(row).toMatchObject({ id: old.id, name: FULL.name, company: "", job_title: "", linkedin_url: "" })
    expect(today).toMatchObject({ company: "Straße & Co", job_title: "CTO" })
    const { body: json } = await call("GET", "/leads/export?format=json")
    expect(json[0]).toMatchObject({ id: old.id, ...NOTHING })
    expect(Object.keys(json[0])).toEqual(Object.keys(json[1]))
    const file = await fetch(`${app.url}/leads/export?format=xlsx`, { headers: { "X-API-Key": key } })
    const [sheet] = (await readXlsx(await file.bytes())).sheets
    const [header = [], first = []] = sheet!.rows
    expect(first[header.indexOf("id")]).toBe(old.id)
    for (const field of LATER) expect(first[header.indexOf(field)] ?? null).toBeNull()
  })

  test("takes a new field in an update and in a merge, and clears it again", async ({ call, old }) => {
    const updated = await call("PUT", `/leads/${old.id}`, { company: "Müller GmbH" })
    expect(updated).toMatchObject({ status: 200, body: { ...NOTHING, company: "Müller GmbH" } })
    expect(Object.keys(updated.body)).toEqual(Object.keys((await call("GET", `/leads/${old.id}`)).body))
    const { body } = await call("GET", "/leads?filter=and.starts_with.company.müller")
    expect(body.leads.map(({ id }: { id: string }) => id)).toEqual([old.id])
    const cleared = await call("PUT", `/leads/${old.id}`, { company: "" })
    expect(cleared.body).toMatchObject(NOTHING)
  })

  test("is merged into, and leaves what it is not told of", async ({ call, old }) => {
    const merged = await call("POST", "/leads", {
      ...{ name: "Jo", source: "fair", email: FULL.email.toLowerCase(), job_title: "Boss" },
    })
    expect(merged).toMatchObject({ status: 200, body: { id: old.id, job_title: "Boss", company: null } })
    expect(merged.body.city).toBe(FULL.city)
  })

  test("is in the trail with every field, scored by a new one, and deleted", async ({ call, old }) => {
    const rule = { name: "has a company", expression: "company ? 10 : 20" }
    await call("POST", "/scoring-rules", rule)
    expect((await call("POST", `/leads/${old.id}/score`)).body).toMatchObject({ score: 20 })
    const { body } = await call("GET", `/leads/${old.id}/changes`)
    expect(body.changes.at(-1)).toMatchObject({ action: "created", before: null, after: NOTHING })
    expect((await call("DELETE", `/leads/${old.id}`)).status).toBe(204)
  })

  test("is found by words, and with a note, grouped, and shown beside what may be the same", async () => {
    const { call, old } = await withOldLead()
    for (const query of ["q=builder construction", "q=construction&sort_by=relevance"]) {
      const { body } = await call("GET", `/leads?${query}`)
      expect(body.leads).toMatchObject([{ id: old.id, ...NOTHING }])
    }
    await call("POST", `/leads/${old.id}/notes`, { content: "heard of us at the quay" })
    expect((await call("GET", "/leads?q=quay")).body.leads).toMatchObject([{ id: old.id, ...NOTHING }])
    const { body: groups } = await call("GET", "/leads/aggregate?group_by=city")
    expect(JSON.stringify(groups)).toContain(FULL.city)
    const { body: twin } = await call("POST", "/leads", {
      ...{ name: "Mueller & Soehne", source: "web", phone: "+49 30 999", city: FULL.city, company: "Müller" },
      ...{ website: FULL.website, address: FULL.address, postal_code: FULL.postal_code },
    })
    await compared(call)
    const { body } = await call("GET", "/duplicates?min_probability=0")
    const [pair] = body.duplicates
    expect([pair.a, pair.b].map(({ id }: { id: string }) => id).sort()).toEqual([old.id, twin.id].sort())
    expect([pair.a, pair.b].find(({ id }: { id: string }) => id === old.id)).toMatchObject({ company: null })
    const merged = await call("POST", "/leads/merge", { survivor: old.id, losers: [twin.id] })
    expect(merged).toMatchObject({ status: 200, body: { survivor: { id: old.id, company: "Müller" } } })
  })
})
