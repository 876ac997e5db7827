import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compileFilter } from "../../src/filters/conditions.ts"
import { SeenLead } from "../../src/filters/seen-lead.ts"
import type { Lead } from "../../src/lead/lead.ts"
import { withContacts } from "../../src/store/tables/leads/contact-filter.ts"
import { openTestApp, type TestApp } from "../support/app.ts"
import { type HeldClock, heldClock } from "../support/clock.ts"
import { parseFilters } from "../support/filters.ts"
import { createModel, type Model, type ModelInput, type ModelLead } from "../support/model.ts"
import { walk } from "../support/walk.ts"

const NOTHING_MORE = { notes: [], imports: new Set<string>(), defaultCountry: null, isSuppressed: false }

// Few values, so that duplicates, ties and hits are frequent.
const text = fc.constantFrom(
  "Anna Weber",
  "anna weber",
  "Anna Webers",
  "Ulm",
  "ULM",
  "Köln",
  "a.b",
  "50% _\\",
  "",
  null,
)
const number = fc.constantFrom(0, 1, 2.5, 10, -3, null)
const tags = fc.uniqueArray(fc.constantFrom("VIP", "hot", "a,b", "Köln"), { maxLength: 3 })
const attribute = fc.oneof(
  fc.record({ type: fc.constant("number" as const), value: fc.constantFrom(0, 1, 2.5) }),
  fc.record({ type: fc.constant("text" as const), value: fc.constantFrom("Ulm", "ulm", "1", "true") }),
  fc.record({ type: fc.constant("bool" as const), value: fc.boolean() }),
  fc.record({ type: fc.constant("list" as const), value: fc.subarray(["hot", "Ulm", "1"]) }),
)
const attributes = fc
  .dictionary(fc.constantFrom("size", "net.x"), attribute, { noNullPrototype: true })
  .map((named) => Object.entries(named).map(([name, rest]) => ({ name, ...rest })))

const changes: fc.Arbitrary<ModelInput> = fc.record(
  {
    name: fc.constantFrom("Anna Weber", "anna weber", "Anna Webers", "Berta", "Ulm GmbH"),
    city: text,
    category: text,
    description: text,
    email: fc.constantFrom("a@x.y", "A@X.Y", "b@x.y", "c@x.y", null),
    source_id: fc.constantFrom("S", "s", "T", null),
    phone: fc.constantFrom("030 1234567", "0301234567", "+49 30 7654321", "0049307654321", "", null),
    status: fc.constantFrom("new", "contacted", "qualified", null),
    rating: number,
    review_count: fc.constantFrom(0, 1, 2, null),
    latitude: fc.constantFrom(52.5, 52.4, -10, null),
    longitude: fc.constantFrom(13.4, 13, 179.9, null),
    tags,
  },
  { requiredKeys: [] },
)
const lead = fc
  .record({ changes, attributes })
  .map(({ changes, attributes }) => ({ name: "Anna Weber", ...changes, source: "s", attributes }))

type Step = { push: ModelInput } | { update: number; changes: ModelInput } | { remove: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ push: lead }) },
  { weight: 3, arbitrary: fc.record({ update: fc.nat(30), changes }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(30) }) },
)

const value = fc.constantFrom(
  "Ulm",
  "ULM",
  "köln",
  "anna",
  "a.b",
  "%",
  "_",
  "webers",
  "S",
  "hot",
  "true",
  "1",
  "a,b",
)
const values = fc
  .array(fc.constantFrom("ulm", "Anna Weber", "1", "hot", "VIP", "0"), { minLength: 1, maxLength: 3 })
  .map(String)
const amount = fc.constantFrom("0", "1", "2.5", "-3", "11")
const amounts = fc.array(amount, { minLength: 1, maxLength: 3 }).map(String)
const range = fc.tuple(amount, amount).map((pair) => pair.toSorted((a, b) => Number(a) - Number(b)).join(","))

/** An operator with a value of its kind. */
const part = (operators: string[], of: fc.Arbitrary<string>) => fc.tuple(fc.constantFrom(...operators), of)
const nothing = fc.constant("")
const TEXT = fc.oneof(
  part(["eq", "neq", "contains", "not_contains", "starts_with", "ends_with"], value),
  part(["in", "not_in"], values),
  part(["is_empty", "is_not_empty", "not_empty"], nothing),
)
const status = fc.constantFrom("new", "NEW", "contacted", "converted")
const STATUS = fc.oneof(
  part(["eq", "neq"], status),
  part(["in", "not_in"], fc.array(status, { minLength: 1, maxLength: 3 }).map(String)),
  part(["contains", "not_contains", "starts_with", "ends_with"], value),
  part(["is_empty", "is_not_empty", "not_empty"], nothing),
)
const NUMBER = fc.oneof(
  part(["eq", "neq", "gt", "gte", "lt", "lte"], amount),
  part(["in", "not_in"], amounts),
  part(["between"], range),
  part(["is_empty", "is_not_empty"], nothing),
)
const LIST = fc.oneof(
  part(["array_contains", "array_not_contains", "contains", "not_contains"], value),
  part(["array_contains_any", "array_contains_all"], values),
  part(["array_empty", "array_not_empty"], nothing),
)
const LOCATION = fc.oneof(
  part(["within_radius"], fc.constantFrom("52.5,13.4,5", "52.5,13.4,40", "-10,-179.9,50", "0,0,20000")),
  part(["is_set", "is_not_set"], nothing),
)
const ATTRIBUTE = fc.oneof(
  part(
    ["eq", "neq", "contains", "not_contains", "starts_with", "array_contains", "array_not_contains"],
    value,
  ),
  part(["in", "not_in", "array_contains_any", "array_contains_all"], values),
  part(["gt", "gte", "lt", "lte"], amount),
  part(["is_empty", "is_not_empty"], nothing),
)
const on = (fields: string[], parts: fc.Arbitrary<[string, string]>) =>
  fc
    .tuple(fc.constantFrom("and", "and", "or"), parts, fc.constantFrom(...fields))
    .map(([logic, [operator, value], field]) => `${logic}.${operator}.${field}${value && `.${value}`}`)
const filter = fc.oneof(
  on(["name", "city", "category", "description", "email", "source_id", "phone"], TEXT),
  on(["status"], STATUS),
  on(["rating", "review_count", "latitude", "score", "created_at", "updated_at"], NUMBER),
  on(["tags"], LIST),
  on(["location"], LOCATION),
  on(["attr:size", 'attr:"net.x"', "attr:none"], ATTRIBUTE),
)
const sort = fc.constantFrom(
  ...[
    "id",
    "name",
    "city",
    "email",
    "phone",
    "description",
    "status",
    "rating",
    "review_count",
    "score",
    "latitude",
  ],
  ...["created_at", "updated_at", "last_interaction_at", "attr:size", "attr:net.x"],
)
const list = fc.record({
  filter: fc.array(filter, { maxLength: 3 }),
  sort_by: sort,
  sort_order: fc.constantFrom("ASC" as const, "DESC" as const),
  limit: fc.constantFrom(2, 3, 5, 50),
})

/** More for a soak: `LEADDB_TEST_RUNS=500 bun test test/rest/list-model.test.ts --timeout 600000`. */
const RUNS = Number(Bun.env.LEADDB_TEST_RUNS ?? 8)

describe("after any pushes, updates and deletes", () => {
  test("any list is what the model says", async () => {
    const scenario = fc.tuple(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.array(list, { minLength: 8, maxLength: 8 }),
    )
    await fc.assert(
      fc.asyncProperty(scenario, async ([steps, lists]) => {
        const clock = heldClock()
        const app = await openTestApp({}, clock)
        const model = createModel()
        for (const step of steps) await takeBoth(app, model, clock, step)
        for (const { limit, ...query } of lists) {
          const params = new URLSearchParams({
            sort_by: query.sort_by,
            sort_order: query.sort_order,
            limit: `${limit}`,
          })
          for (const filter of query.filter) params.append("filter", filter)
          const found = await walk(app.call, String(params))
          expect([query, found.map(shown)]).toEqual([query, model.list(query).map(shown)])
        }
        await app.close()
      }),
      { numRuns: RUNS },
    )
  })

  test("a filter holds for the leads that the list has, and for no other", async () => {
    const scenario = fc.tuple(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.array(fc.array(filter, { minLength: 1, maxLength: 4 }), { minLength: 20, maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(scenario, async ([steps, filters]) => {
        const clock = heldClock()
        const app = await openTestApp({}, clock)
        const model = createModel()
        for (const step of steps) await takeBoth(app, model, clock, step)
        const all = (await walk(app.call, "sort_by=id")) as Lead[]
        for (const filter of filters) {
          const params = new URLSearchParams({ sort_by: "id" })
          for (const one of filter) params.append("filter", one)
          const holds = compileFilter(await withContacts(() => true, 0, parseFilters(filter)))
          const held = all.filter(({ score, ...data }) =>
            holds(new SeenLead(data, score, { ...NOTHING_MORE, activity: data })),
          )
          const found = await walk(app.call, String(params))
          expect([filter, held.map(({ id }) => id)]).toEqual([filter, found.map(({ id }) => id)])
        }
        await app.close()
      }),
      { numRuns: RUNS },
    )
  })
})

/** One step on the service and on the model, which must come to the same. */
async function takeBoth({ call }: TestApp, model: Model, clock: HeldClock, step: Step): Promise<void> {
  clock.advance(400)
  const now = clock.seconds()
  if ("push" in step) {
    const { status, body } = await call("POST", "/leads", step.push)
    const expected = model.push(step.push, now, status === 201 ? body.id : undefined)
    expect([step, status, body.potential_duplicate_id]).toEqual([
      step,
      expected.status,
      expected.potential_duplicate_id,
    ])
    if (status < 300) expect(shown(body)).toEqual(shown(expected.lead))
    return
  }
  const leads = model.list({ sort_by: "id" })
  const at = "update" in step ? step.update : step.remove
  const lead = leads[at % Math.max(1, leads.length)]
  if (!lead) return
  if ("remove" in step) {
    expect((await call("DELETE", `/leads/${lead.id}`)).status).toBe(204)
    model.remove(lead.id)
    return
  }
  const { status, body } = await call("PUT", `/leads/${lead.id}`, step.changes)
  const expected = model.update(lead.id, step.changes, now)
  expect([step, status]).toEqual([step, expected.status])
  if (status === 200) expect(shown(body)).toEqual(shown(expected.lead!))
}

/** A lead without what the model does not know: ids of attributes, and what a push says beside the lead. */
interface Pushed extends ModelLead {
  message?: string
  duplicate?: true
  potential_duplicate_id?: string
  possible_duplicates?: unknown
  changed?: unknown
}
function shown(answer: ModelLead | Pushed) {
  const { message, duplicate, potential_duplicate_id, possible_duplicates, changed, ...lead } =
    answer as Pushed
  return { ...lead, attributes: lead.attributes.map(({ name, type, value }) => ({ name, type, value })) }
}
