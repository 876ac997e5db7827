import { describe, expect } from "bun:test"
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { writeXlsx } from "hucre"
import { generateLeads } from "../../scripts/seed/leads.ts"
import { importLeadsOperation } from "../../src/domain/imports/import.ts"
import {
  type Answer,
  appTest,
  type Call,
  openTestAccount,
  openTestAccountForReading,
  type TestAccount,
  test,
} from "../support/app.ts"
import { watchOutbox } from "../support/outbox.ts"
import { pluck } from "../support/pluck.ts"
import { until } from "../support/until.ts"

const CSV = { "Content-Type": "text/csv" }
const XLSX = { "Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" }

const importing = (call: Call, query: string, body: unknown, headers: Record<string, string> = CSV) =>
  call("POST", `/leads/import?${query}`, body, headers)

/** Sends bytes, which `Call` cannot. */
async function importBytes(
  { app, key }: TestAccount,
  query: string,
  body: BodyInit,
  headers = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}/leads/import?${query}`, {
    method: "POST",
    headers: { "X-API-Key": key, ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function leadsOf(call: Call) {
  const { body } = await call("GET", "/leads?limit=1000&sort_by=id")
  return body.leads
}

const empty = {
  dry_run: false,
  format: "csv",
  total: 0,
  created: 0,
  merged: 0,
  merged_by: { email: 0, source_id: 0, phone: 0 },
  potential_duplicates: 0,
  rejected: 0,
  errors: [],
  errors_truncated: false,
}

describe("POST /leads/import", () => {
  test("creates, merges by each criterion, and rejects row by row", async ({ call }) => {
    await call("POST", "/leads", { name: "Ada", source: "web", email: "ada@x.de" })
    const rows = [
      "name,source,email,source_id,phone,city,rating",
      "Ada L,import,ADA@X.de,,,,",
      "Bob,import,,S1,+49 30 1234567,,4.5",
      "Bob,import,,S1,,Berlin,",
      "Bob,import,,,0049 (30) 1234567,Berlin,",
      "bob,import,,,,BERLIN,",
      ",import,,,,,",
      "Cy,import,,,,,high",
    ]
    const { status, body } = await importing(call, "", `${rows.join("\n")}\n`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...empty,
      total: 7,
      created: 3,
      merged: 3,
      merged_by: { email: 1, source_id: 1, phone: 1 },
      potential_duplicates: 1,
      rejected: 1,
      errors: [{ line: 7, message: "name is required" }],
      warnings: [{ line: 8, column: "rating", value: "high", kind: "left_out" }],
    })
    expect(pluck(await leadsOf(call), "name").toSorted()).toEqual(["Ada L", "Bob", "Cy", "bob"])
  })

  test("takes its documented example as documented", async ({ call }) => {
    const { body, answers } = importLeadsOperation.example!
    await call("POST", "/leads", { name: "Nino", source: "web", email: "nino@example.com" })
    const [lead] = await leadsOf(call)
    const { body: said } = await importing(call, "source=fair&dry_run=true", body)
    const documented = answers![200] as { merges: { samples: object[] } }
    const samples = [{ ...documented.merges.samples[0], lead_id: lead.id }]
    expect(said).toEqual({ ...documented, merges: { ...documented.merges, samples } })
  })

  test("takes JSON, NDJSON, and a workbook with text of any script", async (service) => {
    const { call } = service
    const leads = [
      { name: "東京タワー", source: "web", city: "東京" },
      { name: "Ελλάδα", source: "web", tags: ["a"] },
    ]
    const json = await importing(call, "", leads, { "Content-Type": "application/json" })
    expect(json.body).toMatchObject({ format: "json", created: 2 })
    const ndjson = await importing(
      call,
      "format=ndjson",
      '{"name":"Æ","source":"w"}\n{"name":1,"source":"w"}\n[1]',
      {},
    )
    expect(ndjson.body).toMatchObject({
      created: 2,
      rejected: 1,
      errors: [{ line: 3, message: "the row is not a JSON object" }],
    })
    const sheets = [
      { name: "First", rows: [["name", "source", "rating"], ["😀 Ünï", "w", 4.5], [], ["", "w", 1]] },
      {
        name: "Second",
        rows: [
          ["name", "source"],
          ["Two", "w"],
        ],
      },
    ]
    const workbook = Buffer.from(await writeXlsx({ sheets }))
    const first = await importBytes(service, "", workbook, XLSX)
    expect(first.body).toMatchObject({
      format: "xlsx",
      created: 1,
      errors: [{ line: 4, message: "name is required" }],
    })
    const second = await importBytes(service, "sheet=second", workbook, XLSX)
    expect(second.body).toMatchObject({ created: 1 })
    const third = await importBytes(service, "sheet=third", workbook, XLSX)
    expect(third.body.message).toContain('no sheet "third". It has "First", "Second"')
    expect(pluck(await leadsOf(call), "name")).toEqual(["東京タワー", "Ελλάδα", "Æ", "1", "😀 Ünï", "Two"])
  })

  test("takes the file of a form; other fields are refused, its name tells the format", async (service) => {
    const form = new FormData()
    form.set("upload", new File(["name\tsource\nA\tw\n"], "a b.tsv", { type: "text/plain" }))
    expect((await importBytes(service, "", form)).body).toMatchObject({ format: "csv", created: 1 })
    form.set("source", "web")
    const two = await importBytes(service, "", form)
    expect([two.status, two.body.message]).toEqual([400, expect.stringContaining("more than one part")])
    const field = new FormData()
    field.set("source", "web")
    const { status, body } = await importBytes(service, "", field)
    expect([status, body.message]).toEqual([400, expect.stringContaining('"source" is not a file')])
  })

  appTest("ends a transaction after a few megabytes, however few rows they are", async (service) => {
    const sent = await watchOutbox(service.config.file)
    const rows = Array.from({ length: 60 }, (_, i) => `L${i},${"x".repeat(90_000)}\n`)
    const { body } = await importing(service.call, "source=w", `name,description\n${rows.join("")}`)
    expect([body.created, body.rejected]).toEqual([60, 0])
    const counts = (await sent()).map(({ data }) => data.count)
    expect(counts.length).toBeGreaterThan(1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60)
  })

  appTest("sends one grouped event for each transaction and records every lead", async (service) => {
    const sent = await watchOutbox(service.config.file)
    await importing(service.call, "source=w", "name,email\nA,a@x.de\nB,b@x.de\nA2,a@x.de\n")
    const [first, second] = await leadsOf(service.call)
    expect((await sent()).map(({ event, data }) => [event, data])).toEqual([
      ["leads.created", { ids: [first.id, second.id], count: 2 }],
      ["leads.updated", { ids: [first.id], count: 1 }],
    ])
    const { body } = await service.call("GET", `/leads/${first.id}/changes`)
    expect(pluck(body.changes, "action", "reason")).toEqual([
      ["merged", "dedup:email"],
      ["created", null],
    ])
  })

  test("takes more rows than any batch, and counts as one request", async (service) => {
    const { key } = await service.addAccount({
      plan: "pro",
      limits: { leads_limit: 5_000, requests_limit: 3 },
    })
    const call = service.as(key)
    const lines = Array.from({ length: 1_001 }, (_, i) => `Lead ${i},w,lead${i}@x.de`)
    const { body, headers } = await importing(call, "", `name,source,email\n${lines.join("\n")}`)
    expect(body).toMatchObject({ total: 1_001, created: 1_001, rejected: 0 })
    expect(headers.get("x-ratelimit-remaining")).toBe("2")
    const last = await call("GET", "/leads?filter=and.eq.email.lead1000@x.de")
    expect(last.body.leads).toMatchObject([{ name: "Lead 1000" }])
  }, 120_000)

  test("stops creating at the plan's leads and goes on merging", async (service) => {
    const { key } = await service.addAccount({ plan: "free", limits: { leads_limit: 2 } })
    const rows = "name,source,email\nA,w,a@x.de\nB,w,b@x.de\nC,w,c@x.de\nA2,w,a@x.de\n"
    for (const query of ["dry_run=true", ""]) {
      const { body } = await importing(service.as(key), query, rows)
      expect(body).toMatchObject({ created: 2, merged: 1, rejected: 1 })
      expect(body.errors[0]).toEqual({ line: 4, message: expect.stringContaining("keeps at most 2 leads") })
    }
  })

  test("names the first 1,000 rejected rows and says that there are more", async ({ call }) => {
    const { body } = await importing(call, "source=w", `name,city\n${",x\n".repeat(1_001)}`)
    expect(body).toMatchObject({ total: 1_001, rejected: 1_001, errors_truncated: true })
    expect(body.errors).toHaveLength(1_000)
  })

  test("never touches another account's leads", async (service) => {
    const other = await service.addAccount()
    await service.call("POST", "/leads", { name: "Mine", source: "w", email: "a@x.de", source_id: "1" })
    const before = await leadsOf(service.call)
    const { body } = await importing(
      service.as(other.key),
      "",
      "name,source,email,source_id\nTheirs,w,a@x.de,1\n",
    )
    expect(body).toMatchObject({ created: 1, merged: 0 })
    expect(await leadsOf(service.call)).toEqual(before)
  })

  test("is not for viewers, who are told before their file is read", async (service) => {
    const viewer = await service.addAccount({ role: "viewer" })
    const { status, body } = await importing(service.as(viewer.key), "", "name,source\nA,w\n")
    expect([status, body.message]).toEqual([403, "viewer role cannot modify data"])
  })

  test("a body that is cut off in the middle leaves what was read, and the service answering", async () => {
    const { app, key, call } = await openTestAccount()
    const rows = Array.from({ length: 2_200 }, (_, i) => `Lead ${i},w,lead${i}@x.de`).join("\n")
    const head = [
      "POST /api/v1/leads/import HTTP/1.1",
      `X-API-Key: ${key}`,
      "Content-Type: text/csv",
      `Content-Length: ${rows.length + 100_000}`,
    ]
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.write(`${head.join("\r\n")}\r\nHost: localhost\r\n\r\nname,source,email\n${rows}`)
    const count = async () => (await call("GET", "/stats")).body.total_leads
    const before = await until("the first rows are in", async () => (await count()) || false)
    socket.destroy()
    expect(await count()).toBeGreaterThanOrEqual(before)
    const { body } = await importing(call, "", `name,source,email\n${rows}`)
    expect(body.merged).toBeGreaterThanOrEqual(before)
    expect(await count()).toBe(2_200)
  })

  test("a file that breaks off inside says how much of it is in", async ({ call }) => {
    const rows = Array.from(
      { length: 2_200 },
      (_, i) => `{"name":"Lead ${i}","source":"w","email":"l${i}@x.de"}`,
    )
    const { status, body } = await importing(call, "format=json", `[${rows.join(",\n")}`, {})
    expect(status).toBe(400)
    expect(body.message).toMatch(
      /^the JSON array is never closed: .* line 2200\. [\d,]+ rows were done before: [\d,]+ created, 0 merged, 0 rejected\. The whole file can be imported again/,
    )
    const again = await importing(call, "format=json", `[${rows.join(",\n")}]`, {})
    expect(again.body.merged).toBeGreaterThan(100)
    expect(again.body.created + again.body.merged).toBe(2_200)
  })

  const service = openTestAccountForReading(async () => {})

  test.each<[string, string, BodyInit, Record<string, string>, string]>([
    [
      "no format",
      "",
      "name\nA",
      { "Content-Type": "text/html" },
      "text/html does not say what the file is: give its format, one of csv",
    ],
    [
      "a type that every object has",
      "",
      "name\nA",
      { "Content-Type": "constructor" },
      "constructor does not say what the file is",
    ],
    ["a wrong format", "format=pdf", "x", CSV, "format must be one of csv, json, ndjson, xlsx"],
    ["an unknown option", "formt=csv", "x", CSV, 'unknown query parameter "formt". Did you mean format?'],
    ["an empty file", "", "", CSV, "empty"],
    [
      "half a gzip file",
      "",
      gzipSync("name,source\nA,w\n".repeat(100)).subarray(0, 30),
      CSV,
      "damaged or cut off",
    ],
    ["a web page", "", "<html><body>Not found</body></html>", {}, "looks like a web page"],
    ["a workbook that is none", "", Buffer.from("PK\u0003\u0004...."), CSV, "damaged or cut off"],
    ["CSV sent as a workbook", "", "name,source\nA,w\n", XLSX, "is no XLSX workbook"],
    ["an old workbook", "", Buffer.from("d0cf11e0a1b11ae1", "hex"), XLSX, "save it as .xlsx"],
    [
      "a forged ZIP",
      "",
      Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(5_000, 80)]),
      XLSX,
      "damaged or cut off",
    ],
    [
      "a ZIP that is no workbook",
      "",
      Buffer.from(`504b0506${"00".repeat(18)}`, "hex"),
      XLSX,
      "no CSV or JSON file in it",
    ],
    ["columns that nobody may know", "unknown=refuse", "name,seats\nA,4\n", CSV, '"seats" is no lead field'],
    [
      "an encoding that nobody knows",
      "encoding=klingon",
      "name\nA\n",
      CSV,
      'encoding "klingon" is not known',
    ],
    [
      "a policy that there is none of",
      "on_duplicate=merge",
      "name\nA\n",
      CSV,
      "one of overwrite, fill, skip",
    ],
  ])("refuses %s with 400 and nothing changed", async (_, query, body, headers, why) => {
    const answer = await importBytes(service(), query, body, headers)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(why)])
    expect((await service().call("GET", "/leads?limit=1")).body.count).toBe(0)
  })

  test("a header alone imports nothing; NUL bytes go, huge cells are cut, huge rows are rejected alone", async () => {
    const { call } = await openTestAccount()
    expect((await importing(call, "", "name,source\n")).body).toMatchObject(empty)
    const rows = `name,source,description\nA\0B,w,\nHuge,w,${"x".repeat(100_001)}\nMore,w,${"x".repeat(1_100_000)}\nC,w,fine\n`
    const { body } = await importing(call, "", rows)
    expect(body).toMatchObject({
      created: 3,
      errors: [{ message: "the row is larger than 1 MiB" }],
      warnings: [{ line: 3, column: "description", kind: "cut" }],
    })
    expect(pluck(await leadsOf(call), "name")).toEqual(["AB", "Huge", "C"])
  })
})

/** What a dry run and the import after it have in common. */
const alike = ({ id: _, dry_run: __, merges: ___, ...rest }: Record<string, unknown>) => rest

describe("a dry run", () => {
  /** Few names, emails, phones and cities, so that nearly every row repeats some other. */
  function crowded(count: number, seed: number): string {
    let state = seed
    const pick = (most: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % most
    }
    const maybe = (text: (n: number) => string, most: number) => (pick(2) ? text(pick(most)) : "")
    const rows = Array.from({ length: count }, () =>
      [
        `Company Number ${"ABCDEFGH"[pick(8)]}`,
        maybe((n) => `mail${n}@x.de`, 30),
        maybe((n) => `S${n}`, 30),
        maybe((n) => `030 ${n}`, 12),
        maybe((n) => `City ${n}`, 4),
        pick(20) ? "4" : "bad",
      ].join(","),
    )
    return `name,email,source_id,phone,city,rating\n${rows.join("\n")}\n`
  }

  test.for([1, 2])(
    "says exactly what the import does, on crowded data (%i)",
    async (seed, service) => {
      const call = service.as((await service.addAccount({ limits: { leads_limit: 130 } })).key)
      await importing(call, "source=w", crowded(150, seed))
      const before = await leadsOf(call)
      const file = crowded(700, seed + 100)
      const dry = await importing(call, "source=w&dry_run=true", file)
      expect(await leadsOf(call)).toEqual(before)
      const real = await importing(call, "source=w", file)
      expect(alike(dry.body)).toEqual(alike(real.body))
      const { within_file, into_leads, samples } = dry.body.merges
      expect(within_file + into_leads).toBe(real.body.merged)
      expect(Math.min(within_file, into_leads, samples.length)).toBeGreaterThan(20)
      const ids = new Set(pluck(before, "id"))
      for (const { lead_id } of samples) if (lead_id) expect(ids).toContain(lead_id)
      expect(real.body.merges).toBeNull()
      expect(real.body.rejected).toBeGreaterThan(20)
      for (const kind of ["email", "source_id", "phone"]) expect(real.body.merged_by[kind]).toBeGreaterThan(5)
      expect(real.body.summary.warnings.conflict).toBeGreaterThan(5)
    },
    120_000,
  )

  appTest("leaves no trace: no event, no change, no lead counted", async (service) => {
    const sent = await watchOutbox(service.config.file)
    const leads = [...generateLeads(400, 5)]
    const json = { "Content-Type": "application/json" }
    const { body } = await importing(service.call, "dry_run=true", leads, json)
    expect(body).toMatchObject({ dry_run: true, total: 400 })
    expect(body.merged).toBeGreaterThan(5)
    expect(await sent()).toEqual([])
    expect((await service.call("GET", "/stats")).body).toMatchObject({
      total_leads: 0,
      plan: { leads_used: 0 },
    })
    expect(alike((await importing(service.call, "", leads, json)).body)).toEqual(alike(body))
  })
})
