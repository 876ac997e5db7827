// A filter means the same wherever it is taken: lists, counts, groups, bulk work, exports, segments with their events, keys
// that are bound to one, rules of retention, and duplicates with their merges.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Call, openTestApp } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { watchOutbox } from "../support/outbox.ts"
import { compared } from "../support/settled.ts"
import { words } from "../support/words.ts"

const EMAILS = [
  "ann@customer.example",
  "bob@other.example",
  "eve@mail.customer.example",
  "Zoë@städte.example",
]
const PHONES = ["+49 30 8073069", "030 8073070", "+1 415 555 2671", "0800 CALL"]
const KIND = { name: "kind", type: "text", value: "Customer" }
/** Two of these are a pair that no push merges. */
const LIKELY = { name: "Hotel Seeblick", city: "Berlin", website: "https://seeblick.example" }
const lead = fc.record({
  name: fc.constantFrom("Acme", "Bäcker", "Zahnarzt 24"),
  city: fc.option(fc.constantFrom("Berlin", "bonn"), { nil: undefined }),
  country: fc.option(fc.constantFrom("DE", "US"), { nil: undefined }),
  rating: fc.option(fc.constantFrom(0, 3.5, 5), { nil: undefined }),
  status: fc.constantFrom("new", "contacted", "qualified"),
  company: fc.option(fc.constantFrom("ACME, Inc.", "Straße 1"), { nil: undefined }),
  value: fc.option(fc.constantFrom(0, 12.5), { nil: undefined }),
  lost_reason: fc.option(fc.constantFrom("Too dear", "Größe"), { nil: undefined }),
  stage: fc.option(fc.constantFrom("Offer", "Won"), { nil: undefined }),
  next_step_at: fc.option(fc.constantFrom("2026-05-31", "2026-06-30"), { nil: undefined }),
  email_status: fc.option(fc.constantFrom("valid", "invalid"), { nil: undefined }),
  place: fc.option(fc.constantFrom({ latitude: 52.52, longitude: 13.405 }, { latitude: 0, longitude: 180 }), {
    nil: undefined,
  }),
  tags: fc.subarray(["vip", "Küche"]),
  emails: fc.uniqueArray(fc.constantFrom(...EMAILS), { maxLength: 2 }),
  phones: fc.uniqueArray(fc.constantFrom(...PHONES), { maxLength: 2 }),
  attributes: fc.subarray([
    { name: "size", type: "number", value: 12 },
    { name: "due", type: "date", value: "2026-03-31" },
    KIND,
  ]),
})
const texts = ["eq", "neq", "contains", "not_contains", "starts_with", "ends_with", "in", "not_in"]
const filled = (field: string, operators: readonly string[], values: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...operators), fc.constantFrom(...values))
    .map(([operator, value]) => `${operator}.${field}.${value}`)
const empty = (field: string) =>
  fc.constantFrom("is_empty", "is_not_empty").map((operator) => `${operator}.${field}`)
const condition = fc.oneof(
  { weight: 4, arbitrary: filled("email", texts, [...EMAILS, "@customer.example", "customer"]) },
  { weight: 4, arbitrary: filled("phone", [...texts, "same"], [...PHONES, "8073"]) },
  { weight: 3, arbitrary: filled("contactable", ["eq", "neq"], ["true", "false"]) },
  ...words(`
    email phone city rating tags attr:size attr:kind company last_contacted_at stage value lost_reason
    company_id owner next_step_at email_status
  `).map(empty),
  filled("value", ["eq", "neq", "gt", "lte", "in", "not_in"], ["0", "12.5"]),
  filled("lost_reason", texts, ["too dear", "GRÖSSE", "o"]),
  filled("stage", ["eq", "neq", "in", "not_in", "contains"], ["stg_a", "Offer", "s"]),
  filled("company_id", ["eq", "neq", "in", "not_in", "starts_with"], ["co_0", "co_"]),
  filled("owner", ["eq", "neq", "not_in"], ["mem_019aa6f5-2c31-7d40-9b7e-1f60c2a8d934"]),
  filled("next_step_at", ["gt", "lt", "eq"], ["2026-06-01", "2026-05-31", "today"]),
  filled("email_status", ["eq", "neq", "in"], ["valid", "VALID,invalid"]),
  filled("suppressed", ["eq"], ["true"]),
  filled("source_id", [...texts, "same"], ["Ab1", "aB1", "ab"]),
  filled("city", texts, ["Berlin", "BONN", "b"]),
  filled("rating", ["eq", "neq", "gt", "gte", "lt", "lte", "in", "not_in"], ["0", "3.5", "5"]),
  filled("tags", ["array_contains", "array_not_contains", "array_contains_all"], ["vip", "vip,küche"]),
  filled("status", ["eq", "neq"], ["new", "CONTACTED"]),
  filled("status", ["in", "not_in"], ["new,qualified"]),
  filled("company", texts, ["acme, inc.", "strasse 1", "STRASSE", "a"]),
  filled("location", ["within_radius"], ["52.5,13.4,20", "0,-179.9,50"]),
  fc.constantFrom("is_set", "is_not_set").map((operator) => `${operator}.location`),
  filled("score", ["eq", "gte", "lt"], ["0", "20"]),
  filled("attr:size", ["eq", "neq", "gt", "lte"], ["12", "3"]),
  filled("attr:due", ["eq", "gte", "lt"], ["2026-03-31", "2026-04-01"]),
  filled("attr:kind", texts, ["customer", "c"]),
  filled("created_at", ["gt", "lte"], ["2026-01-01"]),
)
const filters = fc.array(
  fc.tuple(fc.constantFrom("and", "and", "or"), condition).map((parts) => parts.join(".")),
  { minLength: 1, maxLength: 3 },
)

const ENTRIES = [
  { kind: "email", value: EMAILS[0] },
  { kind: "domain", value: "customer.example" },
  { kind: "phone", value: PHONES[0] },
]

const idsOf = (leads: { id: string }[]) => leads.map(({ id }) => id).toSorted()

const queryOf = (filter: string[]) => filter.map((one) => `filter=${encodeURIComponent(one)}`).join("&")

/** A call whose body is wanted, and no refusal. */
const bodies = (call: Call) => async (method: string, path: string, sent?: object) => {
  const answer = await call(method, path, sent)
  expect([path, answer.status < 300 ? undefined : answer.body]).toEqual([path, undefined])
  return answer.body
}

/** The ids for which a request with each answers well; the others are not found. */
async function admitted(ids: string[], call: Call, method: string, sent?: object): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) {
    const { status } = await call(method, `/leads/${id}`, sent)
    if (status < 300) found.push(id)
    else expect([method, status]).toEqual([method, 404])
  }
  return found.toSorted()
}

interface Pair {
  a: { id: string }
  b: { id: string }
}

/** The ids that each surface has for a filter, or their number. */
async function answersOf(call: Call, as: (key: string) => Call, filter: string[], all: string[]) {
  const query = queryOf(filter)
  const body = bodies(call)
  const listed = await body("GET", `/leads?limit=100&total=true&${query}`)
  const groups = (await body("GET", `/leads/aggregate?group_by=status&${query}`)).groups as {
    count: number
  }[]
  const segment = (await body("POST", "/segments", { name: "S", filter })).id
  const { key, id: keyId } = await body("POST", "/api-keys", { name: "k", segment })
  const bound = as(key)
  const link = await body("POST", "/links", { segment, fields: ["source"] })
  const shared = await (await fetch(link.csv_url)).text()
  const rule = await body("POST", "/retention-rules", { name: "R", filter, days: 1 })
  const ran = await body("POST", `/retention-rules/${rule.id}/run?dry_run=true`)
  const answers = {
    ids: {
      list: idsOf(listed.leads),
      export: idsOf(await body("GET", `/leads/export?format=json&${query}`)),
      segment: idsOf((await body("GET", `/leads?limit=100&segment=${segment}`)).leads),
      "list of a bound key": idsOf((await bound("GET", "/leads?limit=100")).body.leads),
      "get by a bound key": await admitted(all, bound, "GET"),
      retention: idsOf(ran.sample),
      // Last: a changed lead is touched.
      "put by a bound key": await admitted(all, bound, "PUT", { description: `seen ${keyId}` }),
    },
    counts: {
      total: listed.total,
      groups: groups.reduce((sum, { count }) => sum + count, 0),
      bulk: (await body("POST", "/leads/bulk", { action: "delete", filter, dry_run: true })).matched,
      retention: ran.matched,
      "rule's answer": rule.matched,
      "public link": shared.trim().split(/\r?\n/).length - 1,
    },
  }
  await body("DELETE", `/retention-rules/${rule.id}`)
  await body("DELETE", `/api-keys/${keyId}`)
  await body("DELETE", `/segments/${segment}`)
  return answers
}

/** Pairs and groups of duplicates with a filter are those of which one lead is listed. */
async function expectPairs(call: Call, filter: string[], listed: string[], pairs: Pair[]): Promise<void> {
  const body = bodies(call)
  const found = await body("GET", `/duplicates?min_probability=0&limit=200&${queryOf(filter)}`)
  const namesOf = (some: Pair[]) => some.map(({ a, b }) => `${a.id} ${b.id}`).toSorted()
  const expected = pairs.filter(({ a, b }) => listed.includes(a.id) || listed.includes(b.id))
  expect([filter, namesOf(found.duplicates)]).toEqual([filter, namesOf(expected)])
  const least = { min_probability: 0.5 }
  const merged = await body("POST", "/duplicates/merge", { ...least, filter, dry_run: true })
  const { groups } = await body("GET", `/duplicates?view=groups&limit=200&${queryOf(filter)}`)
  expect([filter, merged.groups]).toEqual([filter, groups.length])
}

/** Stores the leads and two likely duplicates, and merges the first two. Returns the ids. */
async function fill(call: Call, leads: Drawn[], entries: object[]): Promise<string[]> {
  const body = bodies(call)
  await body("POST", "/stages", { name: "Offer", status: "qualified" })
  await body("POST", "/stages", { name: "Won", status: "converted" })
  await body("POST", "/scoring-rules", { name: "rated", expression: "rating * 5" })
  for (const [i, drawn] of leads.entries())
    await call("POST", "/leads", { ...sentOf(drawn), source: "test", source_id: ["Ab1", "aB1"][i] })
  const [survivor, loser] = idsOf((await body("GET", "/leads?limit=100")).leads)
  if (loser !== undefined) await body("POST", "/leads/merge", { survivor, losers: [loser] })
  for (const more of [{ tags: ["vip"], rating: 5 }, { attributes: [KIND] }])
    await body("POST", "/leads", { ...LIKELY, ...more, source: "test" })
  for (const entry of entries) await body("POST", "/suppressions", entry)
  return idsOf((await body("GET", "/leads?limit=100")).leads)
}

type Drawn = typeof lead extends fc.Arbitrary<infer One> ? One : never

/** A lead as it is sent. */
function sentOf({ emails, phones, place, ...one }: Drawn) {
  const many = (values: string[]) => values.map((value) => ({ value }))
  // A stage says the status.
  const status = one.stage === undefined ? one.status : undefined
  return { ...one, ...place, status, emails: many(emails), phones: many(phones) }
}

const listOf = async (call: Call, segment: string) =>
  idsOf((await bodies(call)("GET", `/leads?limit=100&segment=${segment}`)).leads)

/** Every lead is given the values of another: the events of segments are what their lists gain and lose. */
async function expectEvents(call: Call, file: string, asked: string[][], all: string[], drawn: Drawn[]) {
  const segments: { id: string; before: string[] }[] = []
  for (const filter of asked) {
    const { id } = await bodies(call)("POST", "/segments", { name: filter.join(" "), filter })
    segments.push({ id, before: await listOf(call, id) })
  }
  const sent = await watchOutbox(file)
  for (const [i, id] of all.entries()) {
    // Emails are one lead's: a refused change changes nothing.
    const { attributes: _, name: __, ...values } = sentOf(drawn[(i + 1) % drawn.length]!)
    const { city = null, country = null, rating = null } = values
    await call("PUT", `/leads/${id}`, { ...values, city, country, rating })
  }
  const events = (await sent()).filter(({ event }) => event.startsWith("segment."))
  for (const [i, { id, before }] of segments.entries()) {
    const after = await listOf(call, id)
    const told = (name: string): string[] =>
      events
        .flatMap(({ event, data }) => (event === name && data.segment.id === id ? data.ids : []))
        .toSorted()
    expect([asked[i], "entered", told("segment.entered")]).toEqual([
      asked[i],
      "entered",
      after.filter((one) => !before.includes(one)),
    ])
    expect([asked[i], "left", told("segment.left")]).toEqual([
      asked[i],
      "left",
      before.filter((one) => !after.includes(one)),
    ])
  }
}

/** A bound key deletes what it lists, and finds nothing else. */
async function expectDeletes(call: Call, as: (key: string) => Call, filter: string[], all: string[]) {
  const body = bodies(call)
  const listed = idsOf((await body("GET", `/leads?limit=100&${queryOf(filter)}`)).leads)
  const segment = (await body("POST", "/segments", { name: "D", filter })).id
  const { key } = await body("POST", "/api-keys", { name: "k", segment })
  expect([filter, await admitted(all, as(key), "DELETE")]).toEqual([filter, listed])
}

test("all that takes a filter means the same leads by it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(lead, { minLength: 6, maxLength: 9 }),
      fc.subarray(ENTRIES, { minLength: 1 }),
      fc.array(filters, { minLength: 4, maxLength: 4 }),
      async (leads, entries, asked) => {
        const clock = heldClock(Date.UTC(2026, 5, 1))
        const { call, as, close, config } = await openTestApp({}, clock)
        const all = await fill(call, leads, entries)
        // The leads that were put before are compared again, which may drop a pair.
        const pairsNow = async (): Promise<Pair[]> => {
          await compared(call)
          return (await call("GET", "/duplicates?min_probability=0&limit=200")).body.duplicates
        }
        expect((await pairsNow()).length).toBeGreaterThan(0)
        for (const filter of asked) {
          clock.advance(3 * 86_400_000)
          const { ids, counts } = await answersOf(call, as, filter, all)
          for (const [where, found] of Object.entries(ids))
            expect([filter, where, found]).toEqual([filter, where, ids.list])
          for (const [where, n] of Object.entries(counts))
            expect([filter, where, n]).toEqual([filter, where, ids.list.length])
          await expectPairs(call, filter, ids.list, await pairsNow())
        }
        await expectEvents(call, config.file, asked, all, leads)
        await expectDeletes(call, as, asked[0]!, all)
        await close()
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)
