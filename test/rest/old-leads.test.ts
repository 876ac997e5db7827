// Leads that an older leaddb wrote, without the fields that came since, as they are read and changed today.
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import { readXlsx } from "hucre"
import { LEAD_FIELD_NAMES, leadField } from "../../src/core/lead-fields.ts"
import { openTestApp } from "../support/app.ts"
import { onPostgres } from "../support/database.ts"
import { FULL } from "../support/lead.ts"

const LATER = LEAD_FIELD_NAMES.filter((name) => leadField(name).since)
const NOTHING = Object.fromEntries(LATER.map((name) => [name, null]))

/** Makes a lead what an older leaddb stored: its document, and the trail's copies, lack what came since. */
function age(file: string, id: string): void {
  const db = new Database(file, { strict: true })
  const paths = LATER.map((name) => `'$.${name}'`).join(", ")
  const old = db
    .query<{ account_id: number; rid: number; data: string }, [string]>(
      `SELECT d.account_id, d.rid, json_remove(d.data, ${paths}) AS data
       FROM leads l JOIN lead_documents d ON d.rid = l.rid WHERE l.id = ?`,
    )
    .get(id)!
  expect(Object.keys(JSON.parse(old.data))).not.toContain(LATER[0])
  db.query("DELETE FROM lead_documents WHERE rid = ?").run(old.rid)
  db.query("INSERT INTO lead_documents (account_id, rid, data) VALUES (?, ?, ?)").run(
    ...[old.account_id, old.rid, old.data],
  )
  db.query(
    `UPDATE changes SET before = json_remove(before, ${paths}), after = json_remove(after, ${paths}) WHERE lead_id = ?`,
  ).run(id)
  db.close()
}

/** A service with an old lead, and one of today that has something in every field. */
async function withOldLead() {
  const service = await openTestApp()
  const { call } = service
  const attributes = [{ name: "profile", type: "object", value: { a: 1, linkedin_url: "in an attribute" } }]
  const { body: old } = await call("POST", "/leads", { ...FULL, attributes })
  const { body: fresh } = await call("POST", "/leads", {
    ...{ name: "Ada", source: "web", email: "ada@example.com" },
    ...{ company: "Straße & Co", job_title: "CTO", linkedin_url: "https://linkedin.com/in/ada" },
  })
  age(service.config.file, old.id)
  return { ...service, old, fresh }
}

// PostgreSQL has no leads from before: the first leaddb that kept any there wrote all of these fields.
describe.skipIf(onPostgres)("a lead of an older shape", () => {
  test("is read with every field, in the order of today's, with what it held", async () => {
    const { call, old, fresh } = await withOldLead()
    const { body } = await call("GET", `/leads/${old.id}`)
    const { message: _, ...pushed } = old
    expect(body).toEqual({ ...pushed, ...NOTHING })
    expect(Object.keys(body)).toEqual(Object.keys((await call("GET", `/leads/${fresh.id}`)).body))
    expect(JSON.stringify(body)).toBe(JSON.stringify(pushed))
  })

  test("is listed, filtered and sorted with nothing in the new fields", async () => {
    const { call, old, fresh } = await withOldLead()
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
      expect(await ids(`filter=and.neq.${field}.x`)).toEqual([old.id, fresh.id])
      expect(await ids(`sort_by=${field}`)).toEqual([fresh.id, old.id])
      expect(await ids(`sort_by=${field}&sort_order=DESC`)).toEqual([fresh.id, old.id])
    }
    expect(await ids("filter=and.eq.company.STRASSE %26 co")).toEqual([])
    expect(await ids("filter=and.eq.company.straße %26 co")).toEqual([fresh.id])
    expect(await ids("filter=and.contains.linkedin_url.COM/IN/A")).toEqual([fresh.id])
  })

  test("is exported with empty cells in all formats", async () => {
    const { call, app, key, old } = await withOldLead()
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

  test("takes a new field in an update and in a merge, and clears it again", async () => {
    const { call, old } = await withOldLead()
    const updated = await call("PUT", `/leads/${old.id}`, { company: "Müller GmbH" })
    expect(updated).toMatchObject({ status: 200, body: { ...NOTHING, company: "Müller GmbH" } })
    expect(Object.keys(updated.body)).toEqual(Object.keys((await call("GET", `/leads/${old.id}`)).body))
    const { body } = await call("GET", "/leads?filter=and.starts_with.company.müller")
    expect(body.leads.map(({ id }: { id: string }) => id)).toEqual([old.id])
    const cleared = await call("PUT", `/leads/${old.id}`, { company: "" })
    expect(cleared.body).toMatchObject(NOTHING)
  })

  test("is merged into, and leaves what it is not told of", async () => {
    const { call, old } = await withOldLead()
    const merged = await call("POST", "/leads", {
      ...{ name: "Jo", source: "fair", email: FULL.email.toLowerCase(), job_title: "Boss" },
    })
    expect(merged).toMatchObject({ status: 200, body: { id: old.id, job_title: "Boss", company: null } })
    expect(merged.body.city).toBe(FULL.city)
  })

  test("is in the trail with every field, scored by a new one, and deleted", async () => {
    const { call, old } = await withOldLead()
    const rule = { name: "has a company", expression: "company ? 10 : 20" }
    await call("POST", "/scoring-rules", rule)
    expect((await call("POST", `/leads/${old.id}/score`)).body).toMatchObject({ score: 20 })
    const { body } = await call("GET", `/leads/${old.id}/changes`)
    expect(body.changes.at(-1)).toMatchObject({ action: "created", before: null, after: NOTHING })
    expect((await call("DELETE", `/leads/${old.id}`)).status).toBe(204)
  })
})
