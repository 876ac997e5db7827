// Row 8: the lives of accounts by commands of every kind. Few values, so that duplicates, conflicts and hits are frequent.
import fc from "fast-check"
import { RULES } from "../../test/support/model/rules.ts"
import { createModel, type ModelAttribute, type ModelInput } from "../../test/support/model.ts"
import { createRandom } from "../seed/random.ts"
import type { Way } from "./ask.ts"
import { trickyLead } from "./lists/data.ts"
import { queries } from "./lists/queries.ts"
import type { Command, Sequence } from "./sequences/commands.ts"
import { sequencesRow } from "./sequences/row.ts"

const EMAILS = [
  "a@x.y",
  "A@X.Y",
  "b@x.y",
  "ß@x.y",
  "İ@x.y",
  "i\u0307@x.y",
  "Σ@x.y",
  "ς@x.y",
  "é@x.y",
  "e\u0301@x.y",
]
const NAMES = [
  "Anna Weber",
  "anna weber",
  "Anna Webers",
  " Anna Weber ",
  "ANNA WEBER GMBH",
  "Straße",
  "STRASSE",
  "🚀🚀🚀🚀🚀🚀",
  "🚀🚀🚀🚀🚀🚁",
]
const CITIES = ["Ulm", "ULM", "ulm ", "Köln", "Ko\u0308ln", "", null, "ΟΔΟΣ", "οδος"]
const PHONES = [
  "030 1234567",
  "0301234567",
  "+49 30 7654321",
  "0049307654321",
  "(+49)307654321",
  "+",
  "",
  null,
]
const TAGS = ["VIP", "vip", "hot", "a,b", "Köln", "ΟΔΟΣ", "οδος", " hot "]

const attribute: fc.Arbitrary<ModelAttribute> = fc
  .tuple(
    fc.constantFrom("size", "kind", "net.x", '"', " size ", "__proto__"),
    fc.oneof(
      fc.record({ type: fc.constant("number" as const), value: fc.constantFrom(0, 1, 2.5, -3, 1e300) }),
      fc.record({
        type: fc.constant("text" as const),
        value: fc.constantFrom("Ulm", "ulm", "", "12", "true"),
      }),
      fc.record({ type: fc.constant("bool" as const), value: fc.boolean() }),
      fc.record({ type: fc.constant("list" as const), value: fc.subarray(["hot", "Ulm", "1", ""]) }),
      fc.record({
        type: fc.constant("object" as const),
        value: fc.constantFrom({}, { size: 1 }, { value: 2, x: [1] }),
      }),
    ),
  )
  .map(([name, rest]) => ({ name, ...rest }))

const number = fc.constantFrom(0, 1, 2.5, 10, -3, null)
const tags = fc.uniqueArray(fc.constantFrom(...TAGS), {
  maxLength: 3,
  selector: (tag) => tag.trim().toLowerCase().replaceAll("ς", "σ"),
})
const changes: fc.Arbitrary<ModelInput> = fc.record(
  {
    name: fc.constantFrom(...NAMES),
    city: fc.constantFrom(...CITIES),
    category: fc.constantFrom("A", "a", "B", "", null),
    description: fc.constantFrom("long text", "", null),
    email: fc.constantFrom(...EMAILS, null, ""),
    source_id: fc.constantFrom("S", "s", "T", null),
    phone: fc.constantFrom(...PHONES),
    status: fc.constantFrom("new", "contacted", "qualified", "converted", null),
    rating: number,
    review_count: fc.constantFrom(0, 1, 2, null),
    latitude: fc.constantFrom(52.5, 52.4, -10, null),
    longitude: fc.constantFrom(13.4, 13, 179.9, null),
    tags: fc.option(tags),
  },
  { requiredKeys: [] },
)
const attributes = fc.uniqueArray(attribute, { maxLength: 2, selector: ({ name }) => name.trim() })
const push: fc.Arbitrary<ModelInput> = fc
  .tuple(
    changes,
    fc.constantFrom(...NAMES),
    fc.constantFrom("web", "WEB", "Messe"),
    fc.option(attributes, { nil: undefined }),
  )
  .map(([changes, name, source, attributes]) => ({
    name,
    source,
    ...changes,
    ...(attributes && { attributes }),
  }))
const bad = fc.constantFrom<unknown>(
  ...[
    { source: "web" },
    { name: " ", source: "web" },
    { name: "x" },
    { name: "x", source: null },
    null,
    5,
    "lead",
    [],
  ],
  ...[
    { name: "x", source: "web", rating: "high" },
    { name: "x", source: "web", email: "no" },
  ],
  ...[
    { name: "x", source: "web", nope: 1 },
    { name: "x", source: "web", tags: 5 },
    { name: "x\0", source: "web" },
  ],
  { name: "x", source: "web", attributes: [{ name: "a", type: "number", value: "1" }] },
)
const badObject = bad.filter((lead): lead is Record<string, unknown> => lead?.constructor === Object)

const target = fc.nat(11)
const targets = fc.array(target, { minLength: 0, maxLength: 5 })
const content = fc.constantFrom("called", " called back ", "", "🚀", "x".repeat(1_000))

/** Some leads whose values lists are asked for. */
const sample = () => {
  const model = createModel()
  const random = createRandom(8)
  for (let i = 0; i < 15; i++) model.push(trickyLead(random, i), 1_767_225_600 + i)
  for (const city of CITIES)
    model.push({ name: "Anna Weber", source: "web", city, tags: ["VIP"], rating: 2.5 }, 1_767_225_600)
  return model.list()
}

const change = fc.oneof<fc.Arbitrary<Command>[]>(
  fc.record({ do: fc.constant("push" as const), lead: push }),
  fc.record({ do: fc.constant("update" as const), lead: target, changes }),
  fc.record({ do: fc.constant("remove" as const), lead: target }),
)

const command = fc.oneof<fc.WeightedArbitrary<Command>[]>(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("push"), lead: push }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refused push"), lead: badObject }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("batch push"),
      leads: fc.array(fc.oneof(push, push, push, fc.record({ bad })), { maxLength: 6 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("update"), lead: target, changes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("send back"), lead: target }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("batch update"), leads: targets, changes }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("remove"), lead: target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("batch remove"), leads: targets }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom("get", "changes", "attributes", "notes"), lead: target }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("tag"), lead: target, tag: fc.constantFrom(...TAGS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("merge"), lead: target, losers: targets }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("add attribute"), lead: target, attribute }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("set attribute"),
      lead: target,
      at: target,
      value: attribute.map(({ value }) => value),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("drop attribute"), lead: target, at: target }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add note"), lead: target, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("set note"), note: target, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("drop note"), note: target }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("add rule"),
      rule: fc.nat(RULES.length - 1),
      weight: fc.constantFrom(1, 0.5, -2, 0, 3),
      priority: fc.constantFrom(0, 0, 1, -1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("set rule"),
      at: target,
      rule: fc.nat(RULES.length - 1),
      weight: fc.constantFrom(1, 0.1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop rule"), at: target }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("score"), lead: target }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("score all", "rules", "stats", "cities", "index") }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("list"),
      query: queries(sample()),
      between: fc.array(change, { maxLength: 2 }),
    }),
  },
)

const sequence: fc.Arbitrary<Sequence> = fc.record({
  limit: fc.constantFrom(null, null, null, 2, 4),
  commands: fc.array(
    fc.tuple(command, fc.constantFrom<Way>("rest", "rest", "tool")).map(([one, way]) => ({ ...one, way })),
    { minLength: 1, maxLength: 24, size: "max" },
  ),
})

export const sequences = sequencesRow({
  number: 8,
  name: "sequences",
  must: ">= 20,000 random command sequences: 0 differences from the model",
  sequence,
  long: 20_000,
  short: 30,
})
