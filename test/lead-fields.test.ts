// The table of lead fields against what cannot be derived from it: the engine's columns and the tables of the docs.
import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { COLUMN_ROLES } from "../src/domain/imports/cells/vocabulary.ts"
import {
  CONTACTABLE_OPERATORS,
  LOCATION_OPERATORS,
  NUMBER_OPERATORS,
  TAG_OPERATORS,
  TEXT_OPERATORS,
} from "../src/domain/leads/list/filter.ts"
import { SORT_FIELDS } from "../src/domain/leads/list/list.ts"
import { DATA_FIELDS } from "../src/lead/lead.ts"
import {
  fieldsThatAre,
  LEAD_FIELD_NAMES,
  type LeadFieldName,
  leadField,
  STATUSES,
} from "../src/lead/lead-fields.ts"
import { migrate } from "../src/store/sqlite/file/migrations.ts"
import { NUMBERS_BESIDE, packNames, unpackNames } from "../src/store/tables/trail/change-facts.ts"
import { golden, goldenPart } from "./support/golden.ts"
import { readMarkdown } from "./support/markdown.ts"

const read = (page: string) => readFileSync(join(import.meta.dir, "..", page), "utf8")
const rowsUnder = (heading: string, column: string) =>
  readMarkdown(read("docs/filters.md")).tables.find(
    (one) => one.heading === heading && one.columns[0] === column,
  )?.rows

test("a field of a later shape is nullable: leads of an older one have nothing there", () => {
  const later = LEAD_FIELD_NAMES.filter((name) => leadField(name).since)
  expect(later.filter((name) => !leadField(name).nullable)).toEqual([])
})

test("no name of a column stands for two fields", () => {
  const names = LEAD_FIELD_NAMES.flatMap((name) => leadField(name).synonyms ?? [])
  expect(names).toEqual([...new Set(names)])
})

test("every field has its column, and an index where it says so", () => {
  const db = new Database(":memory:", { strict: true })
  migrate(db)
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('leads')").all()
  const missing = DATA_FIELDS.filter((name) => name !== "tags" && !columns.some((one) => one.name === name))
  expect(missing).toEqual([])
  const indexes = db.query<{ name: string }, []>("SELECT name FROM pragma_index_list('leads')").all()
  const indexed = [...fieldsThatAre("indexed")].filter((name) => name !== "score")
  expect(indexed.filter((name) => !indexes.some((one) => one.name === `leads_${name}`))).toEqual([])
})

test("imports recognise every field that clients set by a column's name", () => {
  const settable = LEAD_FIELD_NAMES.filter((name) => !leadField(name).readOnly)
  expect(settable.filter((name) => !(COLUMN_ROLES as readonly string[]).includes(name))).toEqual([])
})

test("the trail has a number of its own for every field that is stored, without a gap", () => {
  const stored = DATA_FIELDS.filter((name) => name !== "id")
  for (const name of stored) expect(unpackNames(packNames([name]))).toEqual([name])
  const numbers = [...stored.map((name) => leadField(name).trail!), ...Object.values(NUMBERS_BESIDE)]
  const next = numbers.length
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, i) => i))
})

test("no field's number in the trail has changed since it was released", () => {
  const numbers = LEAD_FIELD_NAMES.map((name) => [leadField(name).trail, name] as const)
  const lines = numbers.filter(([number]) => number !== undefined).toSorted(([a = 0], [b = 0]) => a - b)
  const text = lines.map(([number, name]) => `${number} ${name}`).join("\n")
  expect(text).toBe(golden("trail-fields.txt", text))
})

/** What docs/reference.md says of a field beside its name. */
const REMARKS: Partial<Record<LeadFieldName, string>> = {
  name: " (required)",
  source: " (required)",
  owner: " (a member's id; a name, an email or `me` are taken for it)",
  status: ` (${STATUSES.map((status) => `\`${status}\``).join(", ")})`,
}

/** A moment is filtered as a time, the score as a number. */
const shownKind = (kind: string) => ({ score: "number", moment: "time" })[kind] ?? kind

test("docs/filters.md has a row for every field that lists are filtered or sorted by", () => {
  const right = LEAD_FIELD_NAMES.map((name) => {
    const { kind, nullable, indexed } = leadField(name)
    return [`\`${name}\``, shownKind(kind), nullable ? "yes" : "", indexed ? "yes" : ""]
  }).filter(([, kind]) => kind !== "id")
  const rows = right.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
  expect(goldenPart("docs/filters.md", /(?<=^\| Field .*\n.*\n)(?:\|.*\n)*\|.*(?=\n\n)/m, rows)).toBe(rows)
  const sorted = right.map(([name = ""]) => name.slice(1, -1)).filter((name) => name !== "tags")
  expect([...sorted, "id"].toSorted()).toEqual([...SORT_FIELDS].toSorted())
})

test("docs/filters.md has the operators of every kind", () => {
  const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ")
  expect(rowsUnder("Fields", "Kind")).toEqual([
    ["text, status", codes(TEXT_OPERATORS)],
    ["number, integer, time", codes(NUMBER_OPERATORS)],
    ["tags", codes(TAG_OPERATORS)],
    ["`location`", codes(LOCATION_OPERATORS)],
    ["`id`", "`eq` `in`"],
    ["`contactable`", codes(CONTACTABLE_OPERATORS)],
  ])
})

test("docs/reference.md names every field that clients set", () => {
  const settable = LEAD_FIELD_NAMES.filter((name) => !leadField(name).readOnly)
  const line = `Fields: ${settable.map((name) => `\`${name}\`${REMARKS[name] ?? ""}`).join(", ")} and typed`
  expect(goldenPart("docs/reference.md", /^Fields: .*? and typed$/m, line)).toBe(line)
})
