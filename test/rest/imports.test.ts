import { describe, expect } from "bun:test"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { type Call, openTestAccount, openTestApp, test } from "../support/app.ts"
import { openBeside, sqlBeside } from "../support/database.ts"
import { openPlace } from "../support/service.ts"
import { importDone } from "../support/settled.ts"
import { until } from "../support/until.ts"

const CSV = { "Content-Type": "text/csv" }
const send = (call: Call, query: string, rows: string) => call("POST", `/leads/import?${query}`, rows, CSV)
const names = async (call: Call, filter = "") =>
  (await call("GET", `/leads?limit=1000&sort_by=name${filter && `&filter=${filter}`}`)).body.leads.map(
    ({ name }: { name: string }) => name,
  )

describe("imports", () => {
  test("are kept with who, when, counts and columns; leads know theirs", async ({ call }) => {
    await call("POST", "/leads", { name: "Cy", source: "web", email: "cy@x.de" })
    const { body: first } = await send(call, "name=fair", "name,email\nAda,ada@x.de\nCy C,cy@x.de\n")
    const { body: second } = await send(call, "", "name,rating\nBea,good\n")
    const { body: list } = await call("GET", "/imports")
    expect(list.count).toBe(2)
    expect(list.imports).toMatchObject([
      { id: second.id, state: "done", created: 1, warnings: 1 },
      { id: first.id, name: "fair", state: "done", created: 1, merged: 1, progress: { done: 2, of: 2 } },
    ])
    expect(list.imports[0].actor_id).toMatch(/^key_/)
    const { body: one } = await call("GET", `/imports/${first.id}`)
    expect(one.report.columns).toMatchObject([{ column: "name" }, { column: "email" }])
    expect(await names(call, `and.eq.import.${first.id}`)).toEqual(["Ada", "Cy C"])
    expect(await names(call, `and.neq.import.${first.id}`)).toEqual(["Bea"])
    expect((await call("GET", "/imports?limit=1")).body.imports).toHaveLength(1)
    const { body: dry } = await send(call, "dry_run=true", "name\nDee\n")
    expect(dry.id).toBeNull()
    expect((await call("GET", "/imports")).body.count).toBe(2)
  })

  test("are taken back: created leads go, merged ones get what they had, changed ones are listed and left", async () => {
    const { call } = await openTestAccount()
    await call("POST", "/leads", { name: "Cy", source: "web", email: "cy@x.de", city: "Ulm", tags: ["old"] })
    const { body } = await send(
      call,
      "",
      "name,source,email,city,tags\nAda,f,ada@x.de,,\nBea,f,bea@x.de,,\nCy C,f,cy@x.de,Bonn,new\n",
    )
    const { body: page } = await call("GET", "/leads?filter=and.eq.name.Bea")
    const [bea] = page.leads
    await call("PUT", `/leads/${bea.id}`, { city: "Köln" })
    const dry = await call("POST", `/imports/${body.id}/undo?dry_run=true`)
    expect(dry.body).toMatchObject({ matched: 3, reverted: 2, dry_run: true, skipped: [{ lead_id: bea.id }] })
    expect(await names(call)).toEqual(["Ada", "Bea", "Cy C"])
    const undone = await call("POST", `/imports/${body.id}/undo`)
    expect(undone.body).toMatchObject({ matched: 3, reverted: 2, skipped: [{ lead_id: bea.id }] })
    expect(await names(call)).toEqual(["Bea", "Cy"])
    const { body: cy } = await call("GET", "/leads?filter=and.eq.name.Cy")
    expect(cy.leads[0]).toMatchObject({ source: "web", city: "Ulm", tags: ["old"] })
    expect((await call("GET", `/imports/${body.id}`)).body.state).toBe("undone")
    expect((await call("POST", `/imports/${body.id}/undo`)).status).toBe(409)
  })

  test.each([
    ["a note", "POST", "/notes", { content: "Calls back" }],
    ["a contact", "PUT", "", { status: "contacted" }],
    ["a next step", "PUT", "", { next_step: "Call", next_step_at: 1_900_000_000 }],
    ["an attribute", "POST", "/attributes", { name: "seats", type: "number", value: 4 }],
    ["a value", "PUT", "", { city: "Bonn" }],
    ["a tag", "PUT", "", { tags: ["hot"] }],
    ["a second email", "PUT", "", { emails: [{ value: "ada@x.de" }, { value: "ada@y.de" }] }],
  ])("that are taken back leave a lead that got %s since", async (_, method, path, body) => {
    const { call } = await openTestAccount()
    const { body: made } = await send(call, "", "name,email\nAda,ada@x.de\nBea,bea@x.de\n")
    const [ada] = (await call("GET", "/leads?filter=and.eq.name.Ada")).body.leads
    expect((await call(method, `/leads/${ada.id}${path}`, body)).status).toBeWithin(200, 202)
    const undo = `/imports/${made.id}/undo`
    const kept = [{ lead_id: ada.id, message: expect.stringContaining("since") }]
    const dry = (await call("POST", `${undo}?dry_run=true`)).body
    expect(dry).toMatchObject({ matched: 2, reverted: 1, kept: 1, skipped: kept })
    expect(dry.sample).toMatchObject([{ name: "Bea" }])
    expect((await call("POST", undo)).body).toMatchObject({ matched: 2, reverted: 1, skipped: kept })
    expect(await names(call)).toEqual(["Ada"])
    expect((await call("POST", `${undo}?force=true`)).body).toMatchObject({ skipped: [] })
    expect(await names(call)).toEqual([])
  })

  test("of the same bytes as an earlier one warn, whatever the file is called", async ({ call }) => {
    const rows = "name,email\nAda,ada@x.de\nBea,bea@x.de\n"
    const { body: first } = await send(call, "name=fair", rows)
    expect(first.warnings).toEqual([])
    const warned = {
      warnings: [{ line: 1, column: "", value: first.id, kind: "imported_before" }],
      summary: { warnings: { imported_before: 1 } },
    }
    expect((await send(call, "name=other&dry_run=true&details=true", rows)).body).toMatchObject(warned)
    expect((await send(call, "name=other&dry_run=true", `${rows}Cem,\n`)).body.warnings).toEqual([])
    const { body: second } = await send(call, "background=true", rows)
    expect((await importDone(call, second.id)).report).toMatchObject(warned)
    for (const { id } of [first, second]) await call("POST", `/imports/${id}/undo`)
    expect((await send(call, "dry_run=true", rows)).body.warnings).toEqual([])
  })

  test("of files without a header are read from their first row on", async ({ call }) => {
    const rows = "Ada Berg,ada@x.de\nBea Cole,bea@x.de\n"
    const { body } = await send(call, "header=false&map=Column 1:name&map=Column 2:email", rows)
    expect(body).toMatchObject({
      created: 2,
      columns: [
        { column: "Column 1", target: "name" },
        { column: "Column 2", target: "email" },
      ],
    })
    expect(await names(call)).toEqual(["Ada Berg", "Bea Cole"])
    const titled = "Foo,Bar\nname,email\nCem,cem@x.de\n"
    const columns = async (query: string) =>
      (await send(call, `dry_run=true&${query}`, titled)).body.columns.map(
        ({ column }: { column: string }) => column,
      )
    expect(await columns("")).toEqual(["name", "email"])
    expect(await columns("header=true&map=Foo:name")).toEqual(["Foo", "Bar"])
    expect((await send(call, "header=maybe", rows)).status).toBe(400)
    expect((await send(call, "header=false", rows)).body.message).toBe(
      "no column is the lead's name: say which one, such as map=Column%201:name",
    )
  })

  test("go on behind their answer, tell how far they are, and leave no file behind", async () => {
    const service = await openTestApp()
    const { call } = service
    const rows = Array.from({ length: 1_200 }, (_, i) => `Lead ${i},l${i}@x.de,${i === 5 ? "bad" : 4}`)
    const { status, body } = await send(
      call,
      "background=true&name=big",
      `name,email,rating\n${rows.join("\n")}\n`,
    )
    expect(status).toBe(202)
    expect(body).toMatchObject({
      name: "big",
      columns: [{ column: "name" }, { column: "email" }, { column: "rating" }],
    })
    const done = await importDone(call, body.id)
    expect(done).toMatchObject({
      created: 1_200,
      warnings: 1,
      progress: { done: 1_200, of: 1_200, seconds_left: 0 },
    })
    expect(done.report.warnings).toMatchObject([{ line: 7, column: "rating", value: "bad" }])
    expect((await call("GET", `/jobs/${body.job}`)).body).toMatchObject({
      state: "done",
      done: 1_200,
      of: 1_200,
    })
    const folder = join(dirname(service.config.file), "imports")
    await until("the file is gone", () => existsSync(folder) && readdirSync(folder).length === 0)
    const undone = await call("POST", `/imports/${body.id}/undo`)
    expect(undone.status).toBe(202)
    await until("all are gone", async () => (await call("GET", "/stats")).body.total_leads === 0)
  }, 120_000)

  test.each([
    ["revoked", "The API key of this request was revoked meanwhile"],
    ["over", "The API key that started the job has expired meanwhile"],
  ])(
    "end with the key that started them, once it is %s, and can be taken back",
    async (how, message) => {
      const service = await openTestApp()
      const { call } = service
      const { body: key } = await call("POST", "/api-keys", { name: "scraper", role: "editor" })
      const rows = Array.from({ length: 20_000 }, (_, i) => `Lead ${i},l${i}@x.de`)
      const { body } = await send(service.as(key.key), "background=true", `name,email\n${rows.join("\n")}\n`)
      await until("it has begun", async () => (await call("GET", `/jobs/${body.job}`)).body.done > 0)
      if (how === "revoked") expect((await call("DELETE", `/api-keys/${key.id}`)).status).toBe(204)
      else await sqlBeside(service.config.file, `UPDATE api_keys SET expires_at = 1 WHERE id = '${key.id}'`)
      const job = await until("it has ended", async () => {
        const { body: one } = await call("GET", `/jobs/${body.job}`)
        return one.state === "failed" && one
      })
      expect(job.errors[0].message).toBe(message)
      const { body: one } = await call("GET", `/imports/${body.id}`)
      expect(one).toMatchObject({ state: "failed", error: job.errors[0].message })
      expect((await call("GET", "/stats")).body.total_leads).toBe(one.progress.done)
      // Of few leads it is done at once.
      expect([200, 202]).toContain((await call("POST", `/imports/${body.id}/undo`)).status)
    },
    120_000,
  )

  test("whose job is stopped end where they are, say so, and can be taken back", async () => {
    const service = await openTestApp()
    const { call } = service
    const rows = Array.from({ length: 20_000 }, (_, i) => `Lead ${i},l${i}@x.de`)
    const { body } = await send(call, "background=true", `name,email\n${rows.join("\n")}\n`)
    await until("it has begun", async () => (await call("GET", `/jobs/${body.job}`)).body.done > 0)
    expect((await call("POST", `/jobs/${body.job}/stop`)).body.state).toBe("stopped")
    const { body: one } = await call("GET", `/imports/${body.id}`)
    expect(one).toMatchObject({ state: "failed", error: `It was stopped after ${one.progress.done} rows` })
    const folder = join(dirname(service.config.file), "imports")
    await until("the file is gone", () => readdirSync(folder).length === 0)
    expect((await call("GET", "/stats")).body.total_leads).toBe(one.progress.done)
    expect((await call("POST", `/imports/${body.id}/undo`)).status).toBeWithin(200, 203)
    await until("all are gone", async () => (await call("GET", "/stats")).body.total_leads === 0)
  })

  test("count every rejected row behind their answer, though they name 1,000", async ({ call }) => {
    const rows = Array.from({ length: 3_000 }, (_, i) => (i % 2 ? `Lead ${i},x` : ",x"))
    const { body } = await send(call, "background=true", `name,city\n${rows.join("\n")}\n`)
    const done = await importDone(call, body.id)
    expect(done).toMatchObject({ created: 1_500, rejected: 1_500, progress: { done: 3_000 } })
    expect(done.report).toMatchObject({ total: 3_000, rejected: 1_500, errors_truncated: true })
    expect(done.report.errors).toHaveLength(1_000)
  }, 120_000)

  test("leave no file behind that nobody will read: what an end in the middle left goes at the next start", async () => {
    await using place = openPlace()
    const folder = join(place.folder, "data", "imports")
    mkdirSync(folder, { recursive: true })
    const [old, young] = ["left", "young"].map((name) => join(folder, name)) as [string, string]
    for (const path of [old, young]) writeFileSync(path, "name\nAda\n")
    const hourAgo = Date.now() / 1_000 - 3_600
    utimesSync(old, hourAgo, hourAgo)
    await place.serve()
    await until("the old file is gone", () => !existsSync(old))
    // Somebody may be about to begin its import.
    expect(existsSync(young)).toBe(true)
  })

  test("that cannot be read are refused before they begin", async ({ call }) => {
    const { status, body } = await send(call, "background=true", "city\nUlm\n")
    expect([status, body.message]).toEqual([400, expect.stringContaining("no column is the lead's name")])
    expect((await call("GET", "/imports")).body.imports).toEqual([])
  })
})

describe("imports that do not end by themselves", () => {
  /** An app whose first account runs no jobs: one is taken by a worker that never comes back. */
  async function openBusy() {
    const app = await openTestApp()
    const store = await openBeside(app.config.file, createIds(systemClock))
    const { key: account } = (await store.read.accounts.list())[0]!
    const [id, created_at] = ["job_1", 1_800_000_000]
    const job = { id, kind: "none", of: null, input: {}, batch_id: "b", import_id: null, key_id: "k" }
    await store.write(account, (tx) =>
      tx.jobs.insert(account, { ...job, actor_id: "k", role: "owner", created_at }),
    )
    const [open] = await store.read.jobs.open(0)
    await store.writeAcross((tx) => tx.jobs.take(open!.ref, { name: "gone", now: 0, until: 1e15 }))
    await store.close()
    return app
  }

  test("three run in the background at a time, of forty that come at once", async () => {
    const { call, config } = await openBusy()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => send(call, "background=true", `name\nLead ${i}\n`)),
    )
    const accepted = answers.filter(({ status }) => status === 202)
    expect(accepted).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 202)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(["409 conflict"]),
    )
    const ids = accepted.map(({ body }) => body.id)
    const states = async () =>
      (await Promise.all(ids.map((id) => call("GET", `/imports/${id}`)))).map(({ body }) => body.state)
    expect(await states()).toEqual(["running", "running", "running"])
    // Jobs that end without their imports leave none of them running.
    await sqlBeside(config.file, "UPDATE jobs SET state = 'failed' WHERE id <> 'job_1'")
    await until("they are interrupted", async () =>
      (await states()).every((state) => state === "interrupted"),
    )
    expect((await call("GET", `/imports/${ids[0]}`)).body.error).toContain("its job ended")
    expect((await send(call, "background=true", "name\nAda\n")).status).toBe(202)
  })

  test("one that was ended as interrupted while it ran saves nothing more", async () => {
    const { app, key, call, config } = await openTestApp()
    const rowsOf = (from: number) =>
      Array.from({ length: 4_000 }, (_, i) => `Lead ${from + i},l${from + i}@x.de\n`).join("")
    const rest = Promise.withResolvers<void>()
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(encoder.encode(`name,email\n${rowsOf(0)}`))
        await rest.promise
        controller.enqueue(encoder.encode(rowsOf(4_000)))
        controller.close()
      },
    })
    const importing = fetch(`${app.url}/leads/import`, {
      method: "POST",
      headers: { "X-API-Key": key, ...CSV },
      body,
    })
    const find = async () => (await call("GET", "/imports")).body.imports[0]
    const running = await until("rows are in", async () => {
      const one = await find()
      return one?.created > 0 && one.created === one.progress.done && one
    })
    expect(running.state).toBe("running")
    await sqlBeside(config.file, "UPDATE imports SET state = 'interrupted'")
    const before = (await call("GET", "/stats")).body.total_leads
    rest.resolve()
    const answer = await importing
    const { message } = (await answer.json()) as { message: string }
    expect([answer.status, message]).toEqual([409, expect.stringContaining("gave no sign of life")])
    expect(await find()).toMatchObject({ state: "interrupted", created: before })
    expect((await call("GET", "/stats")).body.total_leads).toBe(before)
  })
})

describe("mappings", () => {
  test("are saved with an import, used by name, listed, replaced and deleted", async ({ call }) => {
    const file = "Who,Where,Stand\nAda,Ulm,Hot one\n"
    const query = "map=Who:name&map=Where:city&map=Stand:status&map_value=Hot%20one%3Dqualified"
    await send(call, `${query}&save_mapping=fair`, file)
    expect((await call("GET", "/import-mappings")).body).toMatchObject([
      { name: "fair", options: { map: ["Who:name", "Where:city", "Stand:status"] } },
    ])
    const { body } = await send(call, "mapping=fair", "Stand,Who,Where,More\nHot one,Bea,Bonn,1\n")
    expect(body).toMatchObject({ created: 1, mapping: { name: "fair", is_reused: false } })
    expect(body.preview).toMatchObject([{ name: "Bea", city: "Bonn", status: "qualified" }])
    expect((await send(call, "mapping=fairs", file)).body.message).toContain('did you mean "fair"?')
    const made = await call("POST", "/import-mappings", { name: "two", map: ["A:name"], unknown: "ignore" })
    expect([made.status, made.body.options]).toEqual([201, { map: ["A:name"], unknown: "ignore" }])
    expect((await call("POST", "/import-mappings", { name: "two" })).status).toBe(409)
    expect((await call("POST", "/import-mappings", { name: "three", map: ["A:nam"] })).status).toBe(400)
    expect((await call("PUT", "/import-mappings/two", { map: ["B:name"] })).body.options).toEqual({
      map: ["B:name"],
    })
    expect((await call("GET", "/import-mappings/two")).body.options).toEqual({ map: ["B:name"] })
    expect((await call("DELETE", "/import-mappings/two")).status).toBe(204)
    expect((await call("GET", "/import-mappings/two")).status).toBe(404)
  })

  test("of a header that was imported before are used again, which is said", async ({ call }) => {
    const header = "X1,X2"
    await send(call, "map=X1:name&map=X2:city", `${header}\nAda,Ulm\n`)
    const { body } = await send(call, "", `${header}\nBea,Bonn\n`)
    expect(body).toMatchObject({ created: 1, mapping: { name: null, is_reused: true } })
    expect(body.preview).toMatchObject([{ name: "Bea", city: "Bonn" }])
    const other = await send(call, "map=X2:name", `${header}\nCy,Köln\n`)
    expect(other.body).toMatchObject({ mapping: null, preview: [{ name: "Köln" }] })
  })
})
