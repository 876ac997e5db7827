import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { csvLines, leadLines } from "../../src/domain/exports/csv.ts"
import { allColumns, STANDARD_COLUMNS, shapeOfFields } from "../../src/domain/exports/shape.ts"
import type { Json } from "../../src/lead/lead.ts"
import { createPlainCells } from "../../src/store/sqlite/leads/plain-cells.ts"
import { createPlainLines } from "../../src/store/sqlite/leads/plain-lines.ts"
import { sampleLead, stored } from "../domain/export-sample.ts"
import { openTestAccount } from "../support/app.ts"

const NAMES = ["a", "größe", "size, in m²", "=1", "constructor"]

/** Whether a lead's line is copied from its bytes. */
function isPlain(lead: string): boolean {
  return createPlainCells(STANDARD_COLUMNS, NAMES).find(stored(lead).bytes)
}

/** Columns that were chosen: some fields, not in the order that they are kept in, and attributes behind them. */
const CHOSEN = shapeOfFields(["score", "updated_at", "note_count", "tags", "name", "attr:größe", "attr:a"])

function expectSameLines(leads: string[]): void {
  for (const columns of [allColumns(NAMES), CHOSEN]) {
    expect(columns.plain).toBeDefined()
    const rows = leads.map((lead) => columns.cells(stored(lead)))
    expect(String(leadLines(columns, createPlainLines)(leads.map(stored)))).toBe(
      String(Buffer.from(csvLines(rows).join(""))),
    )
  }
}

const TEXTS = [
  "",
  "a",
  "a, b",
  ",",
  "größe",
  "寿司",
  "+49 (30) 12-3/4.5",
  "x\u2028y",
  " ",
  "a=b",
  "😀",
  "|",
  "]}",
]
const OTHERS = ['"', 'say "x"', "a\nb", "a\tb", "=1", "@x", "-x", "＝1", "+1x", "\\", "\u0001", "\ud800"]
const OBJECTS: Json[] = [{}, { mon: "9:00-17:00", tue: { from: 9, to: [17.5, null, true] } }, { a: "}{" }]

describe("a lead with nothing to escape", () => {
  test.each(TEXTS)("is copied with the text %j", (text) => {
    const lead = sampleLead({ name: text, city: text, tags: [] }, { a: text })
    expect(isPlain(lead)).toBe(true)
    expectSameLines([lead])
  })

  const values: Json[] = [...OBJECTS, ["x", "y z"], 0, -0.5, 1e-7, 1e21, true, false]
  test.each(values.map((value) => [value]))("is copied with the value %j", (value) => {
    const lead = sampleLead({ rating: 4.5, longitude: -0.08 }, { a: value, größe: value, unlisted: value })
    expect(isPlain(lead)).toBe(true)
    expectSameLines([lead])
  })

  const lists = [[], ["a|b"], [""], [" a"], ["a", "b "], ["\u3000a"], ["[a]"], ["{"]]
  test.each(lists.map((list) => [list]))(
    "a list that does not come back as it is is not copied: %j",
    (list) => {
      const lead = sampleLead({}, { a: list })
      expect(isPlain(lead)).toBe(false)
      expectSameLines([lead])
    },
  )

  test("as the service keeps it is among them", async () => {
    const { call } = await openTestAccount()
    const attributes = [{ name: "a", type: "list", value: ["b", "c"] }]
    const input = {
      name: "Ada",
      source: "x",
      tags: ["hot"],
      rating: 4.5,
      latitude: 1,
      longitude: 2,
      attributes,
    }
    const { id } = (await call("POST", "/leads", input)).body
    await call("PATCH", `/leads/${id}`, { city: "Berlin", review_count: 3 })
    expect(isPlain(JSON.stringify((await call("GET", `/leads/${id}`)).body))).toBe(true)
  })
})

describe("a lead with something to escape", () => {
  test.each(OTHERS)("is not copied: %j in a field, a tag, an attribute or its name", (text) => {
    const leads = [
      sampleLead({ description: text }),
      sampleLead({ tags: ["x", text] }),
      sampleLead({}, { a: text }),
      sampleLead({}, { a: [text] }),
      sampleLead({}, { [text]: 1 }),
    ]
    expect(leads.map(isPlain)).toEqual(leads.map(() => false))
    expectSameLines(leads)
  })

  test("is not copied with a list that begins with a phone number", () => {
    const lead = sampleLead({ tags: ["+49 30 1234", "x"] })
    expect(isPlain(lead)).toBe(false)
    expectSameLines([lead])
  })

  test("is not copied when its entries stand in another order", () => {
    const { name, ...rest } = JSON.parse(sampleLead())
    const lead = JSON.stringify({ ...rest, name })
    expect(isPlain(lead)).toBe(false)
    expectSameLines([lead])
  })
})

test("lines are the same whether they are copied or written anew", () => {
  const text = fc.oneof(fc.constantFrom(...TEXTS, ...OTHERS), fc.string({ unit: "grapheme" }))
  const list = fc.array(text, { maxLength: 3 })
  const value = fc.oneof(
    text,
    list,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.object(),
  )
  const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })
  const lead = fc
    .record({
      fields: fc.record({
        name: text,
        ...{ email: maybe(text), phone: maybe(text), description: maybe(text), source_id: maybe(text) },
        ...{ rating: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })), tags: list },
        score: fc.double({ min: 0, max: 100, noNaN: true }),
      }),
      attributes: fc.dictionary(fc.constantFrom(...NAMES, "unlisted"), value, { maxKeys: 4 }),
    })
    .map(({ fields, attributes }) => sampleLead(fields, attributes))
  fc.assert(fc.property(fc.array(lead, { maxLength: 5 }), expectSameLines), { numRuns: 300 })
})
