// Reports what an import did with each column.
import { excerpt } from "../../../core/text.ts"
import type { FileColumn } from "./file-columns.ts"
import { targetText } from "./mapping.ts"
import type { ColumnPlan } from "./plan.ts"
import type { ColumnRole } from "./vocabulary.ts"

/** A column in an import's report. */
export interface ColumnReport {
  column: string
  /** A lead field, `attr:NAME:TYPE`, or `-` for a column that is left out. */
  target: string
  /** The first value that is not empty. */
  example: string | null
  /** Rows whose value is not empty. */
  filled: number
}

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
  counted: { exampleOf(column: FileColumn): string | null; filledOf(column: FileColumn): number },
): ColumnReport[] {
  const targets = new Map<FileColumn, string>()
  for (const column of plan.skipped) targets.set(column, "-")
  for (const column of plan.attributeLists) targets.set(column, "attributes")
  for (const { column, name, form } of plan.attributes)
    targets.set(column, targetText({ kind: "attribute", name, type: form.type }))
  for (const [role, [column]] of plan.roles) if (column) targets.set(column, FIELD_OF_PART[role] ?? role)
  return [...targets]
    .toSorted(([a], [b]) => a.at - b.at)
    .slice(0, REPORTED_MAX)
    .map(([column, target]) => ({
      column: column.name,
      target,
      example: exampleText(counted.exampleOf(column)),
      filled: counted.filledOf(column),
    }))
}

function exampleText(text: string | null): string | null {
  return text === null ? null : excerpt(text.replaceAll(/\s+/g, " "), EXAMPLE_MAX)
}
