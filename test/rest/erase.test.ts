import { expect } from "bun:test"
import { type Call, openTestAccount, openTestApp, test } from "../support/app.ts"
import { onPostgres, sqlBeside } from "../support/database.ts"
import { until } from "../support/until.ts"

const PERSON = {
  name: "Ottilie Zimtstern",
  source: "web",
  email: "ottilie@zimtstern.example",
  phone: "+4915112345678",
  attributes: [{ name: "hobby", type: "text", value: "Zimtsternbacken" }],
}
const SECRET = /ottilie|zimtstern|15112345678/i

/** A lead with a name of its own in every place where one can be kept: trail, notes, events, words. */
async function withPerson(call: Call) {
  await call("POST", "/webhooks", { url: "http://127.0.0.1:9/" })
  const other = (await call("POST", "/leads", { name: "Other Person", source: "web" })).body.id
  const { id } = (await call("POST", "/leads", PERSON)).body
  await call("PUT", `/leads/${id}`, { city: "Zimtsternhausen" })
  const pushed = Array.from({ length: 66 }, (_, i) => ({ ...PERSON, address: `Zimtsternweg ${i}` }))
  await call("POST", "/leads/batch", { leads: pushed })
  await call("POST", `/leads/${id}/notes`, { content: "Ottilie calls back" })
  await call("PUT", `/leads/${id}`, { status: "contacted" })
  await call("PUT", `/leads/${id}`, { name: "Ottilie Zimtstern-Berg", email: null })
  return { id, other }
}

/** What is in the events, the words and the text index, whatever may read it. */
async function keptIn(file: string): Promise<string> {
  const ofEngine = onPostgres
    ? ["SELECT words::text FROM lead_words", "SELECT data FROM leads"]
    : [
        "SELECT 'zimtstern' FROM lead_texts WHERE lead_texts MATCH 'zim AND imt AND mts'",
        "SELECT data FROM lead_documents",
      ]
  const all = [
    "SELECT body FROM events",
    "SELECT answer FROM deliveries",
    "SELECT word FROM known_words",
    "SELECT content FROM notes",
    ...ofEngine,
  ].map(async (sql) => JSON.stringify(await sqlBeside(file, sql)))
  return (await Promise.all(all)).join("\n")
}

test("erasing removes a person from trail, notes, events and indexes, and leaves that it took place", async () => {
  const { call, config } = await openTestApp()
  const { id, other } = await withPerson(call)
  await until("the words are indexed", async () => (await keptIn(config.file)).includes('"zimtstern"'))
  expect((await call("DELETE", `/leads/${id}?erase=true`)).status).toBe(204)

  expect((await call("GET", `/leads/${id}`)).status).toBe(404)
  const changes = (await call("GET", `/changes?lead_id=${id}&limit=100`)).body
  expect(JSON.stringify(changes)).not.toMatch(SECRET)
  const [newest] = (await call("GET", `/changes?lead_id=${id}&order=desc&limit=1`)).body.changes
  expect(newest).toMatchObject({ action: "deleted", reason: "erased", lead_id: id })
  expect(JSON.stringify((await call("GET", `/leads/${id}/changes`)).body)).not.toMatch(SECRET)
  await until("nothing is left", async () => !SECRET.test(await keptIn(config.file)))

  const [entry] = (await call("GET", "/admin-log")).body.entries
  expect(entry).toMatchObject({ action: "lead.erased", target_id: id })
  expect((await call("GET", `/leads/${other}`)).body.name).toBe("Other Person")
  expect((await call("GET", `/changes?lead_id=${other}`)).body.changes).toHaveLength(1)
})

test("events that wait go out without the person, and one tells that it was erased", async () => {
  const { call, config } = await openTestApp()
  const { id } = await withPerson(call)
  await call("DELETE", `/leads/${id}?erase=true`)
  const bodies = await sqlBeside(config.file, "SELECT body FROM events ORDER BY rid")
  const told = bodies
    .map(({ body }) => JSON.parse(String(body)))
    .filter(({ data }) => (data.lead_id ?? data.id) === id)
  expect(told.length).toBeGreaterThan(4)
  for (const { data } of told) expect(data.erased).toBe(true)
  expect(told.at(-1)).toMatchObject({ event: "lead.deleted", data: { id, erased: true } })
  const { deliveries } = (
    await call("GET", `/webhooks/${(await call("GET", "/webhooks")).body[0].id}/deliveries?limit=100`)
  ).body
  expect(deliveries.length).toBeGreaterThan(4)
})

test("a lead that was deleted before is erased, too; again changes nothing; one that never was is 404", async () => {
  const { call } = await openTestAccount()
  const { id } = await withPerson(call)
  await call("DELETE", `/leads/${id}`)
  expect(JSON.stringify((await call("GET", `/changes?lead_id=${id}`)).body)).toMatch(SECRET)
  for (let i = 0; i < 2; i++) expect((await call("DELETE", `/leads/${id}?erase=true`)).status).toBe(204)
  expect(JSON.stringify((await call("GET", `/leads/${id}/changes`)).body)).not.toMatch(SECRET)
  const entries = (await call("GET", "/admin-log")).body.entries
  expect(entries.filter(({ action }: { action: string }) => action === "lead.erased")).toHaveLength(1)
  const never = "cl_01890000-0000-7000-8000-000000000000"
  expect((await call("DELETE", `/leads/${never}?erase=true`)).status).toBe(404)
  expect((await call("DELETE", `/leads/${never}?erase=maybe`)).status).toBe(400)
})

test("what was erased is not put back, with force or without", async ({ call }) => {
  const { id } = await withPerson(call)
  await call("DELETE", `/leads/${id}?erase=true`)
  const all = (await call("GET", `/changes?lead_id=${id}&limit=100`)).body.changes
  const changes = all.map((change: { id: string }) => change.id)
  for (const more of [{}, { force: true, split: true }]) {
    const { status, body } = await call("POST", "/changes/revert", { change_ids: changes, ...more })
    expect([status, body.reverted]).toEqual([200, 0])
    expect(body.skipped).toEqual([{ lead_id: id, message: expect.stringContaining("erased") }])
  }
  expect((await call("GET", `/leads/${id}`)).status).toBe(404)
})

test("answers kept for repeats are emptied, a repeat of the erasure is answered, and of other requests as before", async () => {
  const { call } = await openTestAccount()
  const key = (name: string) => ({ "Idempotency-Key": name })
  const { id } = (await call("POST", "/leads", PERSON, key("made"))).body
  const erase = () => call("DELETE", `/leads/${id}?erase=true`, undefined, key("erase"))
  expect((await erase()).status).toBe(204)
  const other = { name: "Other", source: "web" }
  const made = await call("POST", "/leads", other, key("other"))
  expect((await erase()).status).toBe(204)
  const again = await call("POST", "/leads", PERSON, key("made"))
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining("its answer was erased")])
  expect((await call("POST", "/leads", other, key("other"))).body).toEqual(made.body)
})

test("reports of imports lose the person alone", async ({ call }) => {
  const rows = [
    "name,email,phone,city,tags",
    `Ottilie Zimtstern,${PERSON.email},,Zimtsternhausen,zimt`,
    "Berta Brot,berta@brot.example,12,Zimtsternhausen,",
    ",,,Berlin,",
    "Ottilie Zimtstern,ottilie(at)zimtstern.example,,,",
  ]
  const { id: made } = (
    await call("POST", "/leads/import?name=Zimtsternhausen", rows.join("\n"), { "Content-Type": "text/csv" })
  ).body
  const report = async () => (await call("GET", `/imports/${made}`)).body.report
  const before = await report()
  expect(before.warnings).toMatchObject([{ value: "ottilie(at)zimtstern.example" }])
  const [lead] = (await call("GET", `/leads?filter=and.eq.email.${PERSON.email}`)).body.leads
  expect((await call("DELETE", `/leads/${lead.id}?erase=true`)).status).toBe(204)
  const after = await report()
  const gone = "(erased)"
  expect(after).toEqual({
    ...before,
    columns: before.columns.map((one: { column: string }) =>
      one.column === "phone" ? one : { ...one, example: gone },
    ),
    warnings: [{ ...before.warnings[0], value: gone, message: gone }],
    preview: before.preview.filter(({ name }: { name: string }) => name === "Berta Brot"),
  })
  expect((await call("GET", `/imports/${made}`)).body.name).toBe("Zimtsternhausen")
})

test("only owners erase", async ({ call, as }) => {
  const { id } = await withPerson(call)
  const editor = (await call("POST", "/api-keys", { name: "e", role: "editor" })).body
  expect(await as(editor.key)("DELETE", `/leads/${id}?erase=true`)).toMatchObject({ status: 403 })
  expect((await call("GET", `/leads/${id}`)).status).toBe(200)
  expect((await as(editor.key)("DELETE", `/leads/${id}?erase=false`)).status).toBe(204)
})
