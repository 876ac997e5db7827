import { describe, expect } from "bun:test"
import { parse } from "csv-parse/sync"
import { readXlsx } from "../../src/formats/xlsx/read-xlsx.ts"
import { openZip } from "../../src/formats/zip/read-zip.ts"
import { type Call, openTestAccount, openTestAccountForReading } from "../support/app.ts"
import { testWith } from "../support/test-with.ts"

const LEAD = {
  name: "Ada Lovelace",
  source: "web",
  email: "ada@x.de",
  phone: "+49 30 1234567",
  company: "Engines",
  status: "qualified",
  tags: ["vip", "b2b"],
  attributes: [{ name: "seats", type: "number", value: 4 }],
}

async function service() {
  const { app, key, call } = await openTestAccount()
  await call("POST", "/leads", LEAD)
  await call("POST", "/leads", { name: 'Quo "te"', source: "web", company: 'Quo "te"' })
  const bytes = async (query: string) => {
    const response = await fetch(`${app.url}/leads/export?${query}`, { headers: { "X-API-Key": key } })
    return Buffer.from(await response.arrayBuffer())
  }
  const rows = async (query: string) =>
    parse((await bytes(`format=csv&${query}`)).toString(), { columns: true, bom: true }) as Record<
      string,
      string
    >[]
  return { call, bytes, rows }
}

const FORMS: [string, RegExp][] = [
  ["", /^1[5-9]\d{8}$/],
  ["dates=unix", /^1[5-9]\d{8}$/],
  ["dates=iso", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ["dates=excel", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
]
const test = testWith(service)

test.for(FORMS)("times of a CSV asked for with %p look like %p", async ([query, form], { rows }) => {
  const like = expect.stringMatching(form)
  for (const row of await rows(query))
    expect([row.created_at, row.updated_at, row.last_interaction_at]).toEqual([like, like, like])
  const [row] = await rows(`${query}&fields=updated_at`)
  expect(row).toEqual({ updated_at: like })
})

test("times in different forms are the same time", async ({ rows }) => {
  const [unix] = await rows("fields=created_at&dates=unix")
  const [iso] = await rows("fields=created_at&dates=iso")
  const [excel] = await rows("fields=created_at&dates=excel")
  expect(Date.parse(iso!.created_at!) / 1000).toBe(Number(unix!.created_at))
  expect(Date.parse(`${excel!.created_at}Z`) / 1000).toBe(Number(unix!.created_at))
})

test("times of a workbook are dates", async ({ bytes }) => {
  const zip = await openZip(new Blob([await bytes("format=xlsx")]))
  const { names = [], rows: sheet } = await readXlsx(zip)
  const [first] = (await sheet.next()).value ?? []
  expect(first?.values[names.indexOf("created_at")]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
})

test("columns are those that are asked for; a byte order mark comes on request", async () => {
  const { call, bytes, rows } = await service()
  expect(await rows("fields=name,attr:seats&fields=score&filter=and.eq.name.Ada%20Lovelace")).toEqual([
    { name: "Ada Lovelace", "attr:seats": "4", score: "0" },
  ])
  expect((await bytes("format=csv&bom=true")).subarray(0, 3)).toEqual(Buffer.from("\ufeff"))
  expect((await bytes("format=csv")).toString()).toStartWith("id,")
  const refused = async (query: string, call: Call) =>
    (await call("GET", `/leads/export?${query}`)).body.message
  expect(await refused("format=csv&fields=nam", call)).toContain('"nam" is no lead field. Did you mean name?')
  expect(await refused("format=json&bom=true", call)).toContain("are for tables")
  expect(await refused("format=csv&preset=excel", call)).toContain("preset must be one of hubspot")
})

test("JSON shows what is asked for as well, as lists do", async ({ call }) => {
  const query = "format=json&filter=and.eq.name.Ada%20Lovelace"
  const { body: whole } = await call("GET", `/leads/export?${query}`)
  const { id, name, score, attributes } = whole[0]
  const { body: part } = await call("GET", `/leads/export?${query}&fields=name,attr:seats&fields=score`)
  const seats = attributes.filter(({ name }: { name: string }) => name === "seats")
  expect(part).toEqual([{ id, name, score, attributes: seats }])
  expect((await call("GET", `/leads/export?${query}&fields=id`)).body).toEqual([{ id }])
  const none = "format=json&fields=name&filter=and.eq.name.nobody"
  expect((await call("GET", `/leads/export?${none}`)).body).toEqual([])
  const { status, body } = await call("GET", "/leads/export?format=json&fields=nam")
  expect([status, body.message]).toEqual([400, expect.stringContaining('Did you mean "name"?')])
})

test.for([
  [
    "hubspot",
    { "First Name": "Ada", "Last Name": "Lovelace", "Company Name": "Engines", "Lead Status": "Open Deal" },
  ],
  ["salesforce", { "First Name": "Ada", "Last Name": "Lovelace", Company: "Engines", "Lead Source": "web" }],
  [
    "google_contacts",
    { "First Name": "Ada", "E-mail 1 - Value": "ada@x.de", Labels: "vip ::: b2b ::: * myContacts" },
  ],
  ["mailchimp", { "Email Address": "ada@x.de", "First Name": "Ada", Tags: '"vip","b2b"' }],
])("%s takes back its table, and so do we", async ([preset, want], { call, bytes, rows }) => {
  const [ada] = await rows(`preset=${preset}`)
  expect(ada).toMatchObject(want)
  const file = (await bytes(`format=csv&preset=${preset}`)).toString()
  const { body } = await call("POST", "/leads/import?dry_run=true", file, { "Content-Type": "text/csv" })
  expect(body).toMatchObject({ total: 2, rejected: 0 })
  expect(body.preview[0]).toMatchObject({
    name: "Ada Lovelace",
    email: "ada@x.de",
    phone: "+49 30 1234567",
    company: "Engines",
  })
})

describe("further emails and phones in presets", () => {
  const app = openTestAccountForReading(async ({ call }) => {
    const values = (list: string[]) => list.map((value) => ({ value }))
    const emails = values(["a@x.example", "b@x.example", "c@x.example"])
    const phones = values(["+49 30 1234567", "+49 171 1234567", "+49 171 1234568"])
    await call("POST", "/leads", { name: "Anna Adler", source: "t", emails, phones })
    await call("POST", "/leads", { name: "Bob Bär", source: "t", email: "bob@x.example", city: "Ulm" })
  })
  const FURTHER: [preset: string, cells: Record<string, string>][] = [
    [
      "hubspot",
      { "Additional email addresses": "b@x.example;c@x.example", "Mobile Phone Number": "+49 171 1234567" },
    ],
    ["salesforce", { "Mobile Phone": "+49 171 1234567", "Other Phone": "+49 171 1234568" }],
    [
      "google_contacts",
      { "E-mail 3 - Value": "c@x.example", "Phone 2 - Value": "+49 171 1234567", "Phone 3 - Label": "Other" },
    ],
  ]
  test.each(FURTHER)("%s has room for them, where a lead has some", async (preset, cells) => {
    const table = async (query: string) => {
      const { body } = await app().call("GET", `/leads/export?format=csv&preset=${preset}${query}`)
      const [header, line] = body.split("\n").map((text: string) => text.split(","))
      return Object.fromEntries(header.map((name: string, i: number) => [name, line[i]]))
    }
    expect(await table("&filter=and.eq.name.Anna Adler")).toMatchObject(cells)
    expect(Object.keys(await table("&filter=and.eq.city.Ulm"))).not.toContain(Object.keys(cells)[0])
  })
})
