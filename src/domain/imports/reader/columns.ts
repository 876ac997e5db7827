// Detects the columns of a file and reads its rows by them: lays rows out in one order, plans the columns, refuses a
// file whose columns cannot be imported.

import { numberedName } from "../../../formats/header.ts"
import type { SourceRow, Typing } from "../../../formats/rows.ts"
import type { AttributeDefinition } from "../../../lead/attribute-definition.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import { type Stage, stageNamed } from "../../../lead/stage.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { excerpt, grouped } from "../../../text/text.ts"
import { UTC } from "../../../text/time-zone.ts"
import { parseMapValue } from "../cells/mapped-values.ts"
import type { DayOrder, Decimal } from "../cells/numbers.ts"
import { cellTextOf, cutCells } from "../cells/values.ts"
import { plainName } from "../cells/vocabulary.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import { type Dropped, leadReader } from "../convert/row-leads.ts"
import type { Guess } from "../detect/guesses.ts"
import { linkedBy } from "../detect/header.ts"
import { type ColumnTarget, mapHint, optionHint, parseMap, SKIP, type Wording } from "../detect/mapping.ts"
import { type ColumnPlan, planOf, type Unknown } from "../detect/plan.ts"
import { type ColumnReport, columnReports, type ValueReport, valueReports } from "./column-report.ts"

/** Columns that exports of every version have. */
const OLDEST_COLUMNS = LEAD_FIELD_NAMES.filter((name) => {
  const { since, activity, derived } = leadField(name)
  return !since && !activity && !derived
})

export interface ColumnOptions {
  map: readonly string[]
  mapValue?: readonly string[]
  unknown?: Unknown | undefined
  decimal?: Decimal | undefined
  order?: DayOrder | undefined
  /** IANA name of the time zone of times that say none; UTC by default. */
  zone?: string
  /** For rows without a source of their own. */
  source?: string | undefined
  /** Attribute definitions of the account. */
  definitions?: readonly AttributeDefinition[]
  /** Stages of the account. */
  stages?: readonly Stage[]
  /** Names of the account's members: columns with some of them say whose lead it is. */
  members?: readonly string[]
  /** Statuses and tags are counted by value, which takes time. */
  countsValues?: boolean
  wording: Wording
}

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
  const plan = planOf({
    names: all,
    sample:
      typing === "none"
        ? rows.map((row) => ({
            ...row,
            values: row.values.map((cell, at) => cellTextOf(cell, linked[at])),
          }))
        : rows,
    map,
    mapValue: parseMapValue(options.mapValue ?? []),
    unknown: options.unknown ?? "attributes",
    decimal: options.decimal,
    order: options.order,
    zone: options.zone ?? UTC,
    source: options.source,
    stageOf: (text) => stageNamed(options.stages ?? [], text),
    members: options.members ?? [],
    definitions: new Map((options.definitions ?? []).map((one) => [one.name, one])),
    typing,
    isTable: names !== undefined,
    isExport: OLDEST_COLUMNS.every((column) => all.includes(column)),
  })
  if (plan.isRefused && plan.unknown.length > 0) refuseUnknown(plan, options.wording)
  if (names) refuseNameless(plan, all, options.wording)
  const reader = leadReader(plan, all, options.countsValues)
  return {
    leadOf: (row) =>
      reader.leadOf(row, names && row.names === names ? row.values : inOrder(row, all, reader.extra)),
    reports: () => columnReports(plan, reader),
    values: () => valueReports(plan, reader),
    guesses: plan.guesses,
    dropped: reader.dropped,
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
