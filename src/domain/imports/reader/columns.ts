// Detects the columns of a file, reads its rows by them, and reports what an import did with each: lays rows out in one
// order, plans the columns, refuses a file whose columns cannot be imported.

import { numberedName } from "../../../formats/header.ts"
import type { SourceRow, Typing } from "../../../formats/rows.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { excerpt, grouped } from "../../../text/text.ts"
import type { FileColumn } from "../cells/file-columns.ts"
import { wordKey } from "../cells/mapped-values.ts"
import type { Decimal } from "../cells/numbers.ts"
import type { ColumnReport, ColumnValue, Dropped, Guess } from "../cells/told.ts"
import { cellTextOf, cutCells } from "../cells/values.ts"
import { type ColumnRole, listOfRole, plainName } from "../cells/vocabulary.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import { type CellCounter, leadReader } from "../convert/row-leads.ts"
import { linkedBy } from "../detect/header.ts"
import {
  type ColumnTarget,
  mapHint,
  optionHint,
  parseMap,
  SKIP,
  targetText,
  type Wording,
} from "../detect/mapping.ts"
import { type ColumnOptions, type ColumnPlan, planOf } from "../detect/plan.ts"

/** Columns that exports of every version have. */
const OLDEST_COLUMNS = LEAD_FIELD_NAMES.filter((name) => {
  const { since, activity, derived } = leadField(name)
  return !since && !activity && !derived
})

interface ImportColumns {
  /** Converts a row into a lead. */
  leadOf(row: SourceRow): ConvertedRow
  /** The columns, with the counts of the rows read so far. */
  reports(): ColumnReport[]
  /** The commonest statuses and tags of the rows read so far. */
  values(): ValueReport[]
  guesses: readonly Guess[]
  /** Words for no value in the rows read so far. */
  dropped(): Dropped[]
  preset: string | null
  decimal: Decimal
}

/** Columns of a file at most: scrapers that spread lists over columns have thousands. */
const COLUMNS_MAX = 5_000
/** Columns that a message names. */
const NAMED_MAX = 20

/**
 * Detects the columns from their names and the first rows. Throws `bad_request` for unknown columns where they are
 * refused, for a `map` that names a column which the file lacks, and for a file without a column for the lead's name.
 */
export function createColumns(
  names: readonly string[] | undefined,
  sample: readonly SourceRow[],
  typing: Typing,
  options: ColumnOptions,
): ImportColumns {
  const map = parseMap(options.map)
  const all = namesOf(names, sample)
  refuseUnused(map, all, names !== undefined, options.wording)
  const rows = sample
    .filter(({ problem }) => problem === undefined)
    .map((row) => ({ ...row, values: cutCells(inOrder(row, all)) }))
  const linked = all.map((name) => linkedBy(name, options.map))
  const texts = (values: readonly unknown[]) => values.map((cell, at) => cellTextOf(cell, linked[at]))
  const file = {
    names: all,
    rows: typing === "none" ? rows.map((row) => ({ ...row, values: texts(row.values) })) : rows,
    typing,
    isTable: names !== undefined,
    isExport: OLDEST_COLUMNS.every((column) => all.includes(column)),
  }
  const plan = planOf(file, map, options)
  if (plan.isRefused && plan.unknown.length > 0) refuseUnknown(plan, options.wording)
  if (names) refuseNameless(plan, all, options.wording)
  const reader = leadReader(plan, all, options.countsValues)
  return {
    leadOf: (row) =>
      reader.leadOf(row, names && row.names === names ? row.values : inOrder(row, all, reader.extra)),
    reports: () => columnReports(plan, reader.cells),
    values: () => valueReports(plan, reader.cells),
    guesses: plan.guesses,
    dropped: reader.cells.dropped,
    preset: plan.preset?.name ?? null,
    decimal: plan.decimal,
  }
}

/** The column names of a table, or those of the first rows. */
function namesOf(names: readonly string[] | undefined, sample: readonly SourceRow[]): readonly string[] {
  const all = names ?? [...new Set(sample.filter((row) => !row.problem).flatMap((row) => row.names))]
  if (all.length > COLUMNS_MAX) {
    if (names)
      throw badRequest(`there are ${grouped(all.length)} columns; at most ${grouped(COLUMNS_MAX)} are taken`)
    return all.slice(0, COLUMNS_MAX)
  }
  return all
}

const places = new WeakMap<readonly string[], Map<string, number>>()

/** The values of a row in the order of `names`; values under other names go to `extra`. */
function inOrder(
  row: SourceRow,
  names: readonly string[],
  extra?: (name: string, value: unknown) => void,
): readonly unknown[] {
  if (row.names === names) return row.values
  let at = places.get(names)
  if (!at) {
    at = new Map(names.map((name, i) => [name, i]))
    places.set(names, at)
  }
  const values = new Array<unknown>(names.length)
  for (const [i, name] of row.names.entries()) {
    const place = at.get(name)
    if (place !== undefined) values[place] = row.values[i]
    else extra?.(name, row.values[i])
  }
  return values
}

function refuseUnused(
  map: ReadonlyMap<string, ColumnTarget>,
  names: readonly string[],
  isTable: boolean,
  wording: Wording,
): void {
  if (!isTable) return
  const plain = new Set(names.map(plainName))
  const unused = [...map.keys()].find((column) => !plain.has(plainName(column)) && !/[./]/.test(column))
  if (unused === undefined) return
  const option = wording === "query" ? "map" : "--map"
  throw badRequest(
    `${option} names the column "${excerpt(unused)}", which the file has not; it has ${quotedList(names)}`,
  )
}

function refuseUnknown(plan: ColumnPlan, wording: Wording): void {
  const unknown = plan.unknown.map(({ column }) => column.name)
  const hints = plan.unknown
    .slice(0, NAMED_MAX)
    .map(({ column, target }) => mapHint(column.name, target, wording))
  const [is, them] = unknown.length === 1 ? ["is no lead field", "it"] : ["are no lead fields", "them"]
  const joined = hints.join(wording === "query" ? "&" : " ")
  throw badRequest(
    `${quotedList(unknown)} ${is}. Take ${them} as attributes with ${optionHint("unknown", "attributes", wording)} or ` +
      `${joined}, leave ${them} out with ${optionHint("unknown", "ignore", wording)} or ` +
      `${mapHint(unknown[0]!, SKIP, wording)}, or map ${them} to fields: ${mapHint(unknown[0]!, { kind: "field", field: "name" }, wording)}`,
  )
}

function refuseNameless(plan: ColumnPlan, names: readonly string[], wording: Wording): void {
  if (plan.canName) return
  const hint = mapHint(names[0] || "Company", { kind: "field", field: "name" }, wording)
  const isNumbered = names.every((name, at) => name === numberedName(at))
  const first = isNumbered
    ? ""
    : `. The first line must name the columns; it has ${quotedList(names)}. Where it is a lead, say ${optionHint("header", "false", wording)}`
  throw badRequest(`no column is the lead's name: say which one, such as ${hint}${first}`)
}

function quotedList(names: readonly string[]): string {
  const quoted = names.slice(0, NAMED_MAX).map((name) => `"${excerpt(name)}"`)
  return `${quoted.join(", ")}${names.length > quoted.length ? ` and ${names.length - quoted.length} more` : ""}`
}

export type ValueReport = [column: number, values: ColumnValue[]]

/** Columns in a report at most. */
const REPORTED_MAX = 1_000
/** Characters of an example. */
const EXAMPLE_MAX = 80

/** The fields that parts of fields are reported as. */
const FIELD_OF_PART: Readonly<Partial<Record<ColumnRole, string>>> = {
  ...{ first_name: "name", middle_name: "name", last_name: "name" },
  ...{ address_2: "address", house_number: "address", coordinates: "latitude,longitude" },
}

/** The columns of a plan in the order of the file, with what was counted while their rows were read. */
function columnReports(plan: ColumnPlan, { exampleOf, filledOf }: CellCounter): ColumnReport[] {
  return targetsOf(plan).map(([column, target]) => {
    const example = exampleOf(column)
    const shown = example === null ? null : excerpt(example.replaceAll(/\s+/g, " "), EXAMPLE_MAX)
    return { column: column.name, target, example: shown, filled: filledOf(column) }
  })
}

function targetsOf(plan: ColumnPlan): [FileColumn, target: string][] {
  const targets = new Map<FileColumn, string>()
  for (const column of plan.skipped) targets.set(column, "-")
  for (const column of plan.attributeLists) targets.set(column, "attributes")
  for (const { column, name, form } of plan.attributes)
    targets.set(column, targetText({ kind: "attribute", name, type: form.type }))
  for (const [role, [column, ...others]] of plan.roles) {
    if (column) targets.set(column, FIELD_OF_PART[role] ?? role)
    const list = listOfRole(role)
    if (list) for (const other of others) targets.set(other, list)
  }
  return [...targets].toSorted(([a], [b]) => a.at - b.at).slice(0, REPORTED_MAX)
}

/** The commonest values of the columns with statuses or tags, by their place in the report. */
function valueReports(plan: ColumnPlan, { valuesOf }: CellCounter): ValueReport[] {
  return targetsOf(plan).flatMap(([column, target], i): ValueReport[] => {
    const counts = valuesOf(column)
    return counts ? [[i, valuesIn(plan, column, target, counts)]] : []
  })
}

function valuesIn(
  { statusOf, stageOf, valueMaps }: ColumnPlan,
  column: FileColumn,
  target: string,
  counts: ReadonlyMap<string, number>,
): ColumnValue[] {
  const map = valueMaps.get(column)
  const isStep = target === "status" || target === "stage"
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([value, count]) => {
      const mapped = map?.get(wordKey(value)) ?? value
      return { value, count, becomes: isStep ? (stageOf(mapped)?.name ?? statusOf(mapped) ?? null) : mapped }
    })
}
