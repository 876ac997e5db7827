// A filter means the same wherever it is taken: lists, counts, groups, bulk work, exports, segments, keys that are bound to
// one, and rules of retention.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Call, openTestApp } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"

const EMAILS = [
  "ann@customer.example",
  "bob@other.example",
  "eve@mail.customer.example",
  "Zoë@städte.example",
]
const PHONES = ["+49 30 8073069", "030 8073070", "+1 415 555 2671", "0800 CALL"]
const lead = fc.record({
  name: fc.constantFrom("Acme", "Bäcker", "Zahnarzt 24"),
  city: fc.option(fc.constantFrom("Berlin", "bonn"), { nil: undefined }),
  country: fc.option(fc.constantFrom("DE", "US"), { nil: undefined }),
  rating: fc.option(fc.constantFrom(0, 3.5, 5), { nil: undefined }),
  tags: fc.subarray(["vip", "Küche"]),
  emails: fc.uniqueArray(fc.constantFrom(...EMAILS), { maxLength: 2 }),
  phones: fc.uniqueArray(fc.constantFrom(...PHONES), { maxLength: 2 }),
  attributes: fc.subarray([
    { name: "size", type: "number", value: 12 },
    { name: "due", type: "date", value: "2026-03-31" },
    { name: "kind", type: "text", value: "Customer" },
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
  ...["email", "phone", "city", "rating", "tags", "attr:size", "attr:kind"].map(empty),
  filled("source_id", [...texts, "same"], ["Ab1", "aB1", "ab"]),
  filled("city", texts, ["Berlin", "BONN", "b"]),
  filled("rating", ["eq", "neq", "gt", "gte", "lt", "lte", "in", "not_in"], ["0", "3.5", "5"]),
  filled("tags", ["array_contains", "array_not_contains", "array_contains_all"], ["vip", "vip,küche"]),
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

/** The ids that each surface has for a filter, or their number. */
async function answersOf(call: Call, as: (key: string) => Call, filter: string[], all: string[]) {
  const query = filter.map((one) => `filter=${encodeURIComponent(one)}`).join("&")
  const body = async (method: string, path: string, sent?: object) => {
    const answer = await call(method, path, sent)
    expect([path, answer.status < 300 ? undefined : answer.body]).toEqual([path, undefined])
    return answer.body
  }
  const listed = await body("GET", `/leads?limit=100&total=true&${query}`)
  const groups = (await body("GET", `/leads/aggregate?group_by=status&${query}`)).groups as {
    count: number
  }[]
  const segment = (await body("POST", "/segments", { name: "S", filter })).id
  const { key, id: keyId } = await body("POST", "/api-keys", { name: "k", segment })
  const bound = as(key)
  const within: string[] = []
  for (const id of all) if ((await bound("GET", `/leads/${id}`)).status === 200) within.push(id)
  const rule = await body("POST", "/retention-rules", { name: "R", filter, days: 1 })
  const ran = await body("POST", `/retention-rules/${rule.id}/run?dry_run=true`)
  const answers = {
    ids: {
      list: idsOf(listed.leads),
      export: idsOf(await body("GET", `/leads/export?format=json&${query}`)),
      segment: idsOf((await body("GET", `/leads?limit=100&segment=${segment}`)).leads),
      "list of a bound key": idsOf((await bound("GET", "/leads?limit=100")).body.leads),
      "get by a bound key": within.toSorted(),
      retention: idsOf(ran.sample),
    },
    counts: {
      total: listed.total,
      groups: groups.reduce((sum, { count }) => sum + count, 0),
      bulk: (await body("POST", "/leads/bulk", { action: "delete", filter, dry_run: true })).matched,
      retention: ran.matched,
      "rule's answer": rule.matched,
    },
  }
  await body("DELETE", `/retention-rules/${rule.id}`)
  await body("DELETE", `/api-keys/${keyId}`)
  await body("DELETE", `/segments/${segment}`)
  return answers
}

test("all that takes a filter means the same leads by it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(lead, { minLength: 6, maxLength: 9 }),
      fc.subarray(ENTRIES, { minLength: 1 }),
      fc.array(filters, { minLength: 4, maxLength: 4 }),
      async (leads, entries, asked) => {
        const clock = heldClock(Date.UTC(2026, 5, 1))
        const { call, as, close } = await openTestApp({}, clock)
        for (const [i, { emails, phones, ...one }] of leads.entries()) {
          const many = (values: string[]) => values.map((value) => ({ value }))
          const source_id = ["Ab1", "aB1"][i]
          const contacts = { emails: many(emails), phones: many(phones) }
          await call("POST", "/leads", { ...one, source: "test", source_id, ...contacts })
        }
        for (const entry of entries) await call("POST", "/suppressions", entry)
        const all = idsOf((await call("GET", "/leads?limit=100")).body.leads)
        clock.advance(3 * 86_400_000)
        for (const filter of asked) {
          const { ids, counts } = await answersOf(call, as, filter, all)
          for (const [where, found] of Object.entries(ids))
            expect([filter, where, found]).toEqual([filter, where, ids.list])
          for (const [where, n] of Object.entries(counts))
            expect([filter, where, n]).toEqual([filter, where, ids.list.length])
        }
        await close()
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)
