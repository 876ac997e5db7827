import { expect, test } from "bun:test"
import {
  asAsked,
  asShown,
  DAYS_AGO,
  FILTER_FIELDS,
  OPERATORS,
  writeFilter,
} from "../../src/dashboard/core/filters.ts"
import { columnsOf } from "../../src/dashboard/core/lead-columns.ts"
import { LEAD_FIELD_NAMES } from "../../src/lead/lead-fields.ts"

test("every field of a lead but its id is a column and a filter", () => {
  const names = FILTER_FIELDS.map(({ name }) => name)
  expect(names.toSorted()).toEqual(LEAD_FIELD_NAMES.filter((name) => name !== "id").toSorted())
  expect(FILTER_FIELDS.filter(({ kind }) => OPERATORS[kind].length === 0)).toEqual([])
})

test("leads that were not touched for a number of days are those before a day", () => {
  expect(FILTER_FIELDS.map(({ name }) => name)).toContain("last_touched_at")
  const filter = { logic: "and", operator: DAYS_AGO, field: "last_touched_at", value: "90" } as const
  expect(writeFilter(asAsked(filter))).toBe("and.lt.last_touched_at.90d")
  expect(asShown(asAsked(filter))).toEqual(filter)
  for (const [operator, value] of [
    ["gte", "2026-01-01"],
    ["lt", "2026-01-01"],
  ] as const) {
    const other = { ...filter, operator, value }
    expect(asShown(asAsked(other))).toEqual(other)
  }
})

test("a field that the dashboard does not know is shown behind the others, by its kind", () => {
  const columns = columnsOf([
    ["fax_number", "text"],
    ["id", "id"],
    ["employee_count", "integer"],
    ["name", "text"],
    ["reviewed_at", "time"],
  ])
  expect(columns).toEqual([
    ["name", "Name", "text", 200],
    ["fax_number", "Fax number", "text", 150],
    ["employee_count", "Employee count", "number", 90],
    ["reviewed_at", "Reviewed at", "time", 128],
  ])
})
