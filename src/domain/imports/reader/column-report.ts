// Reports what an import did with each column.
import { excerpt } from "../../../text/text.ts"
import type { FileColumn } from "../cells/file-columns.ts"
import { wordKey } from "../cells/mapped-values.ts"
import { type ColumnRole, listOfRole } from "../cells/vocabulary.ts"
import type { LeadReader } from "../convert/row-leads.ts"
import { targetText } from "../detect/mapping.ts"
import type { ColumnPlan } from "../detect/plan.ts"

/** A column in an import's report. */
export interface ColumnReport {
  column: string
  /** A lead field, `attr:NAME:TYPE`, or `-` for a column that is left out. */
  target: string
  /** The first value that is not empty. */
  example: string | null
  /** Rows whose value is not empty. */
  filled: number
  /** For statuses and tags, once all rows are read. */
  values?: ColumnValue[]
}

/** A value of the file, its rows, and what it becomes: null for a word that is no status, "" for none. */
interface ColumnValue {
  value: string
  count: number
  becomes: string | null
}

export type ValueReport = [column: number, values: ColumnValue[]]

/** Columns in a report at most. */
const REPORTED_MAX = 1_000
/** Characters of an example. */
const EXAMPLE_MAX = 80

/** The fields that parts of fields are reported as. */
const FIELD_OF_PART: Readonly<Partial<Record<ColumnRole, string>>> = {
  first_name: "name",
  middle_name: "name",
  last_name: "name",
  address_2: "address",
  house_number: "address",
  coordinates: "latitude,longitude",
}

/** The columns of a plan in the order of the file, with what was counted while their rows were read. */
export function columnReports(
  plan: ColumnPlan,
  counted: Pick<LeadReader, "exampleOf" | "filledOf">,
): ColumnReport[] {
  return targetsOf(plan).map(([column, target]) => ({
    column: column.name,
    target,
    example: exampleText(counted.exampleOf(column)),
    filled: counted.filledOf(column),
  }))
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
export function valueReports(plan: ColumnPlan, { valuesOf }: Pick<LeadReader, "valuesOf">): ValueReport[] {
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

function exampleText(text: string | null): string | null {
  return text === null ? null : excerpt(text.replaceAll(/\s+/g, " "), EXAMPLE_MAX)
}
