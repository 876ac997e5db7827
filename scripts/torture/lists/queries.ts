// Lists to ask for: right ones made from what the leads hold, the same with mistakes in them, and rubbish.
import fc from "fast-check"
import { NUMBERS, TEXTS as TEXT_FIELDS, TIMES } from "../../../test/support/model/lead.ts"
import { orderOf } from "../../../test/support/model/sort.ts"
import type { Model, ModelLead } from "../../../test/support/model.ts"
import { ATTRIBUTE_NAMES, TAGS, TEXTS } from "./data.ts"

export interface Query {
  filter: string[]
  sort_by?: string | undefined
  sort_order?: string | undefined
  limit: number
}

/** A query as an address can say it: half a character cannot travel there. */
export function wellFormed({ filter, sort_by, sort_order, limit }: Query): Query {
  return {
    filter: filter.map((one) => one.toWellFormed()),
    sort_by: sort_by?.toWellFormed(),
    sort_order: sort_order?.toWellFormed(),
    limit,
  }
}

/** The leads that a query gives, behind the last one that was read; undefined when it must be refused. */
export function listed(
  model: Model,
  { filter, sort_by = "created_at", sort_order = "ASC" }: Query,
  last?: ModelLead,
): ModelLead[] | undefined {
  const order = sort_order.toUpperCase()
  if (order !== "ASC" && order !== "DESC") return undefined
  try {
    const leads = model.list({ filter, sort_by, sort_order: order })
    if (!last) return leads
    const compare = orderOf(model.shelf, sort_by, order)
    return leads.filter((lead) => compare(lead, last) > 0)
  } catch {
    return undefined
  }
}

const NUMBER_FIELDS = [...NUMBERS, "score"]
const FIELDS = [...TEXT_FIELDS, ...NUMBER_FIELDS, ...TIMES, "id"]

/** How a filter and a sort key name an attribute. */
const named = (name: string) => `attr:${/[."]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name}`
const ATTRIBUTES = [...ATTRIBUTE_NAMES, "none"].map(named)

/** Queries over these leads; most are right, in others something was changed by hand. */
export function queries(leads: readonly ModelLead[]): fc.Arbitrary<Query> {
  const filter = fc.oneof(
    { weight: 8, arbitrary: rightFilter(leads) },
    { weight: 2, arbitrary: wrong(rightFilter(leads)) },
  )
  const sortBy = fc.constantFrom(...FIELDS, ...ATTRIBUTES)
  return fc.record({
    filter: fc.oneof(
      { weight: 30, arbitrary: fc.array(filter, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(rightFilter(leads), { minLength: 5, maxLength: 52 }) },
    ),
    sort_by: fc.oneof(
      { weight: 8, arbitrary: fc.option(sortBy, { nil: undefined }) },
      { weight: 1, arbitrary: wrong(sortBy) },
    ),
    sort_order: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(undefined, "ASC", "DESC", "desc") },
      { weight: 1, arbitrary: wrong(fc.constantFrom("ASC", "DESC")) },
    ),
    limit: fc.constantFrom(1, 2, 3, 7, 7, 20, 20, 50, 50, 1000, 1000),
  })
}

const character = fc.oneof(
  fc.constantFrom(
    ...".\"',:%_\\0123456789-+eE()*? \0\n",
    "attr:",
    "and.",
    "or.",
    "σ",
    "ß",
    "İ",
    "\u0307",
    "\u{10ffff}",
  ),
  fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
)

/** The texts of another arbitrary with a few characters added, taken out, doubled or put elsewhere; or rubbish. */
function wrong(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(60), how: fc.nat(4), with: character })
  const changed = fc.tuple(texts, fc.array(change, { minLength: 1, maxLength: 3 })).map(([text, changes]) => {
    let characters = [...text]
    for (const { at, how, with: added } of changes) {
      const place = at % (characters.length + 1)
      if (how === 0) characters.splice(place, 0, added)
      else if (how === 1) characters.splice(place, 1)
      else if (how === 2) characters.splice(place, 1, added)
      else if (how === 3) characters.splice(place, 0, ...characters.slice(0, place))
      else characters = characters.slice(place)
    }
    return characters.join("")
  })
  const rubbish = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.array(character, { maxLength: 12 }).map((all) => all.join("")),
  )
  return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: rubbish })
}

function rightFilter(leads: readonly ModelLead[]): fc.Arbitrary<string> {
  const byText = TEXT_FIELDS.map((field) =>
    on(field, TEXT(textsOf(leads.flatMap((lead) => lead[field] ?? [])))),
  )
  const byNumber = NUMBER_FIELDS.map((field) =>
    on(field, NUMBER(amountsOf(leads.flatMap((lead) => lead[field as "rating"] ?? [])))),
  )
  const byTime = TIMES.map((field) => on(field, NUMBER(timesOf(leads.flatMap((lead) => lead[field] ?? [])))))
  const byAttribute = ATTRIBUTES.map((field) => on(field, ATTRIBUTE()))
  const quoted = on('"city"', TEXT(textsOf(leads.flatMap(({ city }) => city ?? []))))
  return fc.oneof(
    { weight: 5, arbitrary: fc.oneof(...byText, quoted) },
    { weight: 2, arbitrary: fc.oneof(...byNumber) },
    { weight: 1, arbitrary: fc.oneof(...byTime) },
    { weight: 2, arbitrary: on("tags", LIST(textsOf([...TAGS, ...TEXTS.slice(0, 10)]))) },
    { weight: 1, arbitrary: on("location", LOCATION) },
    { weight: 4, arbitrary: fc.oneof(...byAttribute) },
  )
}

/** An operator with its value. */
type Part = [operator: string, value: string]

function on(field: string, parts: fc.Arbitrary<Part>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("and", "and", "or"), parts)
    .map(([logic, [operator, value]]) => `${logic}.${operator}.${field}${value && `.${value}`}`)
}

const part = (operators: string, value: fc.Arbitrary<string>): fc.Arbitrary<Part> =>
  fc.tuple(fc.constantFrom(...operators.split(" ")), value)
const EMPTY = part("is_empty is_not_empty not_empty", fc.constantFrom("", "", "true"))

function TEXT(value: fc.Arbitrary<string>) {
  return fc.oneof(
    { weight: 6, arbitrary: part("eq neq contains not_contains starts_with ends_with", value) },
    { weight: 2, arbitrary: part("in not_in", several(value)) },
    { weight: 1, arbitrary: EMPTY },
  )
}

function NUMBER(value: fc.Arbitrary<string>) {
  return fc.oneof(
    { weight: 6, arbitrary: part("eq neq gt gte lt lte", value) },
    { weight: 2, arbitrary: part("in not_in", several(value)) },
    { weight: 2, arbitrary: part("between", fc.tuple(value, value).map(ordered)) },
    { weight: 1, arbitrary: EMPTY },
  )
}

function LIST(value: fc.Arbitrary<string>) {
  return fc.oneof(
    { weight: 3, arbitrary: part("array_contains array_not_contains contains not_contains", value) },
    { weight: 3, arbitrary: part("array_contains_any array_contains_all", several(value)) },
    { weight: 1, arbitrary: part("array_empty array_not_empty", fc.constant("")) },
    { weight: 1, arbitrary: EMPTY },
  )
}

function ATTRIBUTE() {
  const text = textsOf([...TEXTS, ...TAGS, "0", "1", "2.5", "true", "FALSE"])
  return fc.oneof(TEXT(text), NUMBER(amountsOf([])), LIST(text))
}

const LOCATION = fc.oneof(
  part(
    "within_radius",
    fc.constantFrom(
      ...[
        "52.52,13.405,0",
        "52.52,13.405,0.001",
        "52.52,13.405,900",
        "0,0,0",
        "0,0,1e-9",
        "90,0,20",
        "-90,180,20",
      ],
      ...[
        "0,180,50",
        "0,-180,50",
        "52.5,179.9999,1",
        "0,0,20016",
        "0,0,1e308",
        " 48.85 , 2.35 , 5 ",
        "+1,-0,3e3",
      ],
    ),
  ),
  part(
    "within_radius",
    fc
      .tuple(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: 0, max: 25_000, noNaN: true }),
      )
      .map(String),
  ),
  part("is_set is_not_set", fc.constant("")),
)

/** Texts that are stored, in other case or form, and pieces of them. */
function textsOf(stored: readonly string[]): fc.Arbitrary<string> {
  const variants = new Set<string>()
  for (const text of new Set([...stored, "nothing has this", "a", "ß", "σ"])) {
    const characters = [...text]
    const middle = Math.floor(characters.length / 3)
    for (const one of [text, text.toUpperCase(), text.toLowerCase(), text.normalize("NFD")]) variants.add(one)
    for (const size of [1, 2, 3, 6]) {
      variants.add(characters.slice(0, size).join(""))
      variants.add(characters.slice(-size).join(""))
      variants.add(
        characters
          .slice(middle, middle + size)
          .join("")
          .toUpperCase(),
      )
    }
    variants.add(`${text}x`)
    variants.add(` ${text}`)
  }
  variants.delete("")
  return fc.constantFrom(...variants)
}

/** Numbers that are stored, the next ones to them, and other ways to write them. */
function amountsOf(stored: readonly number[]): fc.Arbitrary<string> {
  const written = new Set([
    "0",
    "-0",
    "+0",
    "1",
    "1.0",
    "01",
    ".5",
    "5.",
    "1e0",
    "1E3",
    " 2 ",
    "-1",
    "1e308",
    "9007199254740993",
  ])
  for (const number of new Set([...stored, 2.5, 10])) {
    for (const near of [number, number * (1 + Number.EPSILON), number * (1 - Number.EPSILON), number + 1]) {
      if (Number.isFinite(near)) written.add(String(near))
    }
  }
  return fc.constantFrom(...written)
}

/** Times that are stored as numbers and as dates in other zones. */
function timesOf(stored: readonly number[]): fc.Arbitrary<string> {
  const written = new Set([
    "0",
    "1970-01-01",
    "2026-02-28",
    "9999-12-31",
    "2026-01-01T24:00Z",
    "1969-12-31T23:59:59.5Z",
  ])
  for (const time of new Set(stored)) {
    const text = new Date(time * 1_000).toISOString()
    const shifted = new Date((time + 19_800) * 1_000).toISOString()
    for (const one of [
      `${time}`,
      `${time + 0.5}`,
      text,
      text.slice(0, 10),
      text.slice(0, 16),
      text.slice(0, 19),
    ])
      written.add(one)
    written.add(`${shifted.slice(0, 19)}+05:30`)
    written.add(`${shifted.slice(0, 19).replace("T", " ")}+0530`)
  }
  return fc.constantFrom(...written)
}

function several(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(value, { minLength: 1, maxLength: 4 })
    .map((all) => all.join(","))
    .filter((all) => /[^,\s]/.test(all))
}

function ordered([a, b]: [string, string]): string {
  return (Date.parse(a) || Number(a)) <= (Date.parse(b) || Number(b)) ? `${a},${b}` : `${b},${a}`
}
