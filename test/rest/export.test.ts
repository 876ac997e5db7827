import { describe, expect } from "bun:test"
import { parse } from "csv-parse/sync"
import { readXlsx } from "hucre"
import { generateLeads } from "../../scripts/seed/leads.ts"
import { openTestAccount, openTestAccountForReading, type TestAccount, test } from "../support/app.ts"
import { walk } from "../support/walk.ts"

async function withLeads(count: number): Promise<TestAccount> {
  const service = await openTestAccount()
  await fill(service, count)
  return service
}

async function fill(service: TestAccount, count: number): Promise<void> {
  const leads = [...generateLeads(count, 3)]
  for (let i = 0; i < leads.length; i += 500) {
    await service.call("POST", "/leads/batch", { leads: leads.slice(i, i + 500) })
  }
}

/** Every lead of a list, page by page. */
const listed = ({ call }: TestAccount, query: string) => walk(call, `limit=1000&${query}`)

/** A lead as its cells should read in CSV, from the list. */
function cells(lead: Record<string, unknown>, columns: string[]): string[] {
  const attributes = new Map(
    (lead.attributes as { name: string; type: string; value: unknown }[]).map((one) => [one.name, one]),
  )
  return columns.map((column) => {
    const attribute = attributes.get(column)
    const value = column in lead ? lead[column] : attribute?.value
    if (value === null || value === undefined) return ""
    if (Array.isArray(value)) return value.join("|")
    return typeof value === "object" ? JSON.stringify(value) : String(value)
  })
}

describe("GET /leads/export", () => {
  const many = openTestAccountForReading((service) => fill(service, 1_600))
  const query = "filter=or.gte.rating.4&filter=or.not_empty.email&sort_by=name&sort_order=DESC"

  test("CSV has every matching lead in the order of the list, read by another parser", async () => {
    const service = many()
    const { status, headers, body } = await service.call(
      "GET",
      `/leads/export?format=csv&dates=unix&${query}`,
    )
    expect(status).toBe(200)
    expect(headers.get("content-type")).toStartWith("text/csv")
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="leads-\d{4}-\d\d-\d\d\.csv"$/)
    const [columns = [], ...rows] = parse(body) as string[][]
    expect(columns.slice(0, 3)).toEqual(["id", "name", "source"])
    const leads = await listed(service, query)
    expect(leads.length).toBeGreaterThan(900)
    // What a spreadsheet would take for a formula is marked with a quote.
    const unmarked = rows.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@])/, "")))
    expect(unmarked).toEqual(leads.map((lead) => cells(lead, columns)))
  })

  test("JSON is an array of the same leads as the list", async () => {
    const service = many()
    const { headers, body } = await service.call("GET", `/leads/export?format=json&${query}`)
    expect(headers.get("content-type")).toBe("application/json")
    expect(body).toEqual(await listed(service, query))
  })

  for (const count of [300, 1_600]) {
    test(`XLSX with ${count} leads opens in a reader with the same cells as the list`, async () => {
      const service = count === 1_600 ? many() : await withLeads(count)
      const response = await fetch(`${service.app.url}/leads/export?format=xlsx&dates=unix&sort_by=id`, {
        headers: { "X-API-Key": service.key },
      })
      expect(response.headers.get("content-type")).toBe(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      )
      const workbook = await readXlsx(await response.bytes())
      const [header = [], ...rows] = workbook.sheets[0]!.rows
      const columns = header.map(String)
      const texts = rows.map((row) => columns.map((_, i) => (row[i] == null ? "" : String(row[i]))))
      const leads = await listed(service, "sort_by=id")
      expect(texts).toEqual(leads.map((lead) => cells(lead, columns)))
    })
  }

  test("an account without leads gets a file with the header alone", async ({ call }) => {
    const { body } = await call("GET", "/leads/export?format=csv&dates=unix")
    expect(body.trim().split("\n")).toHaveLength(1)
    expect((await call("GET", "/leads/export?format=json")).body).toEqual([])
  })

  test("formulas are made harmless, phones and negative numbers stay", async ({ call }) => {
    await call("POST", "/leads", {
      name: "=HYPERLINK(1)",
      source: "x",
      phone: "+49 30 1234",
      longitude: -5.5,
    })
    const { body } = await call("GET", "/leads/export?format=csv&dates=unix")
    const [row] = parse(body, { columns: true }) as Record<string, string>[]
    expect(row).toMatchObject({ name: "'=HYPERLINK(1)", phone: "+49 30 1234", longitude: "-5.5" })
  })

  test.each([
    ["", "format is required"],
    ["?format=pdf", "format must be one of csv, json, xlsx"],
    ["?format=csv&dates=unix&limit=5", 'unknown query parameter "limit"'],
    ["?format=csv&dates=unix&filter=and.eq.nope.1", 'unknown field "nope"'],
  ])("refuses %p with 400 saying %p", async (suffix, message) => {
    const { call } = await openTestAccount()
    const { status, body } = await call("GET", `/leads/export${suffix}`)
    expect(status).toBe(400)
    expect(body.message).toContain(message)
  })

  test("a client that goes away leaves the service answering", async () => {
    const service = many()
    const abort = new AbortController()
    const response = await fetch(`${service.app.url}/leads/export?format=csv&dates=unix`, {
      headers: { "X-API-Key": service.key },
      signal: abort.signal,
    })
    await response.body!.getReader().read()
    abort.abort()
    expect((await service.call("GET", "/leads?limit=1")).status).toBe(200)
  })
})
