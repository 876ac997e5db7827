// What is exported and imported into another account is the same leads.
import { describe, expect } from "bun:test"
import fc from "fast-check"
import { type Call, type TestAccount, test } from "../support/app.ts"

const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
  ndjson: "application/x-ndjson",
}

// biome-ignore lint/suspicious/noExplicitAny: leads of any kind
type Lead = any

/** A lead without what each account gives it. */
function told({
  id,
  created_at,
  updated_at,
  last_interaction_at,
  last_touched_at,
  score,
  attributes,
  ...lead
}: Lead) {
  const own = attributes.map(({ name, type, value }: Lead) => ({ name, type, value }))
  return { ...lead, attributes: own.toSorted((a: Lead, b: Lead) => (a.name < b.name ? -1 : 1)) }
}

async function leadsOf(call: Call) {
  const { body } = await call("GET", "/leads?limit=1000&sort_by=source_id")
  return body.leads.map(told)
}

async function roundTrip(app: TestAccount, leads: readonly object[], format: string) {
  const [from, to] = [await app.addAccount(), await app.addAccount()]
  const pushed = await app.as(from.key)("POST", "/leads/batch", { leads })
  expect(pushed.body).toMatchObject({ failed: 0 })
  const { status, report, file } = await passOn(app, from.key, to.key, format)
  expect([status, report.rejected, report.warnings, file]).toEqual([200, 0, [], file])
  return [await leadsOf(app.as(from.key)), await leadsOf(app.as(to.key))]
}

/** Imports the export of one account into another. */
async function passOn(app: TestAccount, from: string, to: string, format: string, more = "") {
  const wanted = format === "ndjson" ? "json" : format
  const answer = await fetch(`${app.app.url}/leads/export?format=${wanted}${more}`, {
    headers: { "X-API-Key": from },
  })
  const bytes = await answer.arrayBuffer()
  const lines = () =>
    JSON.parse(Buffer.from(bytes).toString())
      .map((one: object) => JSON.stringify(one))
      .join("\n")
  const sent = await fetch(`${app.app.url}/leads/import?name=leads.${format}`, {
    method: "POST",
    headers: { "X-API-Key": to, "Content-Type": TYPES[format]! },
    body: format === "ndjson" ? lines() : bytes,
  })
  const report = (await sent.json()) as Lead
  const file = format === "csv" ? Buffer.from(bytes).toString() : ""
  return { status: sent.status, report, file }
}

const AWKWARD = {
  tags: [
    ["a|b"],
    ["a|b", "c"],
    ['"quoted"'],
    ["* star"],
    ["[x]"],
    ['["x"]'],
    ["a,b;c"],
    ["'apostrophe"],
    ["-1"],
    ["true"],
  ],
  attributes: [
    { name: "text", type: "text", value: "true and more" },
    { name: "truth", type: "text", value: "true" },
    { name: "zip", type: "text", value: "01067" },
    { name: "figure", type: "text", value: "12" },
    { name: "said day", type: "text", value: "2026-03-31" },
    { name: "German day", type: "text", value: "31.03.2026" },
    { name: "barred", type: "text", value: "a|b" },
    { name: "json", type: "text", value: '{"a":1}' },
    { name: "nothing", type: "text", value: "n/a" },
    { name: "one", type: "list", value: ["single"] },
    { name: "none", type: "list", value: [] },
    { name: "items", type: "object", value: { items: [1, 2] } },
    { name: "attr:odd", type: "text", value: "odd" },
    { name: "a:list", type: "text", value: "x" },
    { name: "attributes", type: "text", value: "y" },
    { name: "list", type: "list", value: ["a|b", "c"] },
    { name: "two", type: "list", value: ["a", "b"] },
    { name: "spaced", type: "list", value: ["a", "b c", "[d]"] },
    { name: "object", type: "object", value: { a: [1, "x|y"], b: null } },
    { name: "emails", type: "text", value: "not an address" },
    { name: "phones", type: "text", value: "none" },
    { name: "day", type: "date", value: "2026-03-31" },
    { name: "moment", type: "date", value: "2026-03-31T09:30:00Z" },
    { name: "number", type: "number", value: -12.5 },
    { name: "bool", type: "bool", value: false },
    { name: "Name", type: "text", value: "in capitals" },
    { name: "name", type: "text", value: "taken" },
    { name: "company", type: "text", value: "a synonym" },
    { name: "=risky", type: "text", value: "=1+1" },
  ],
  phones: [
    "+49 30 8073069",
    "030 1 / 2",
    "030 8073070; 030 8073071",
    "Tel. 030 8073072 (Zentrale)",
    "ask Klaus",
    "+49 30 8073073 ext. 5",
    "=1+2",
    "'0151 12345678",
  ],
  emails: [
    "anna@example.com",
    "<bob@example.com>",
    "mailto:c@example.com",
    "d@müller.example",
    "jürgen@müller",
    "e.f+g@example.com",
  ],
}

const contact = (values: readonly string[]) =>
  fc.uniqueArray(
    fc.record({
      value: fc.constantFrom(...values),
      label: fc.constantFrom(null, "work", "mobile", "fax", "work fax", "a: b", "home 2"),
    }),
    { maxLength: 3, selector: ({ value }) => value },
  )
const lead = fc.record({
  name: fc.constantFrom(
    "Acme GmbH",
    "Müller, Hans",
    'Say "hi"',
    "=SUM(A1)",
    "東京",
    "-",
    "NA",
    "1/2",
    "a\tb",
  ),
  city: fc.constantFrom(undefined, "Köln", "NA", "N/A", "00123", "@home"),
  website: fc.constantFrom(undefined, "https://müller.example/a,b", "example.com"),
  description: fc.constantFrom(undefined, 'two\nlines, "quoted"', "a;b|c", "# REF", "null"),
  postal_code: fc.constantFrom(undefined, "01067", "1e5", "123 45"),
  company: fc.constantFrom(undefined, "Acme GmbH & Co. KG", "NA", "123", "1/2", "A ::: B"),
  job_title: fc.constantFrom(undefined, "CEO, CTO", "2024-04-03", "n/a"),
  address: fc.constantFrom(undefined, "Hauptstraße 5, 10115 Berlin", "1/2"),
  country: fc.constantFrom(undefined, "NA", "Deutschland"),
  status: fc.constantFrom(undefined, "new", "contacted", "qualified", "converted"),
  value: fc.constantFrom(undefined, 0, 1200.5, 1e6, 0.1),
  rating: fc.constantFrom(undefined, 4.5, 5),
  review_count: fc.constantFrom(undefined, 0, 1200),
  latitude: fc.constantFrom(undefined, 52.5, -33.865143),
  longitude: fc.constantFrom(undefined, 13.38, -5.25),
  next_step: fc.constantFrom(undefined, "=call", "03/04/2024", "a|b"),
  next_step_at: fc.constantFrom(undefined, 1_798_070_400, 1_743_303_600, 1_798_074_061),
  lawful_basis: fc.constantFrom(undefined, "consent", "legitimate_interests"),
  consent: fc.constantFrom(undefined, "true", "Form of 3.4.2024"),
  consent_at: fc.constantFrom(undefined, 1_700_000_000),
  lost_reason: fc.constantFrom(undefined, "n/a", "price, time"),
  tags: fc.constantFrom([], ...AWKWARD.tags, ["a", "b"]),
  attributes: fc.subarray(AWKWARD.attributes),
  phones: contact(AWKWARD.phones),
})

describe("the way back", () => {
  test.for(["csv", "xlsx", "json", "ndjson"])("of awkward values in %s", async (format, app) => {
    await fc.assert(
      fc.asyncProperty(fc.array(lead, { minLength: 1, maxLength: 8 }), async (all) => {
        const leads = all.map((one, i) => ({
          ...one,
          source: "test",
          source_id: `S${i}`,
          name: `${one.name}${i}${"abcdefgh"[i]!.repeat(12)}`,
          emails: AWKWARD.emails
            .slice(i, i + (i % 3))
            .map((value) => ({ value, label: i % 2 ? "work" : null })),
        }))
        const [before, after] = await roundTrip(app, unlike(leads), format)
        expect(after).toEqual(before)
      }),
      { numRuns: 12 },
    )
  })
})

describe("owners and stages", () => {
  const things = async (call: Call) => {
    const owner = (await call("POST", "/members", { name: 'Kim "K" Weiß', role: "editor" })).body.id
    const stage = (await call("POST", "/stages", { name: "Offer, sent", status: "qualified" })).body.id
    return { owner, stage }
  }
  test.for([
    ["csv", "&dates=excel"],
    ["csv", ""],
    ["xlsx", ""],
    ["json", ""],
  ])("are those of the other account in %s%s, or told", async ([format, more], app) => {
    const [from, to] = [(await app.addAccount()).key, (await app.addAccount()).key]
    const named = format === "xlsx" || more !== ""
    const [own, other] = [await things(app.as(from)), await things(app.as(to))]
    const lead = {
      name: "Ada",
      source: "s",
      ...own,
      attributes: [{ name: "Kim", type: "text", value: own.owner }],
    }
    await app.as(from)("POST", "/leads", lead)
    const { report } = await passOn(app, from, to, format, more)
    expect(report.warnings.map(({ column }: Lead) => column)).toEqual(named ? [] : ["stage", "owner"])
    const [after] = (await app.as(to)("GET", "/leads")).body.leads
    expect(after).toMatchObject({ status: "qualified", ...(named ? other : { owner: null, stage: null }) })
    expect(after.attributes).toContainEqual(expect.objectContaining({ name: "Kim", value: own.owner }))
  })
})

/** The leads without emails that another one has before them. */
function unlike(leads: readonly Lead[]) {
  const seen = new Set<string>()
  return leads.map((one) => {
    const emails = one.emails.filter(({ value }: Lead) => !seen.has(value))
    for (const { value } of emails) seen.add(value)
    return { ...one, emails }
  })
}
