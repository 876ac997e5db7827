// The table of an export in any format: its columns, and a lead's cells.
import type { Json, LeadData } from "../../core/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../core/lead-fields.ts"
import type { StoredLead } from "../../store/contract/store.ts"

/** A cell; null means "no value". */
export type ExportCell = string | number | boolean | null

const ATTRIBUTE_WIDTH = 18

export const STANDARD_COLUMNS: readonly string[] = LEAD_FIELD_NAMES
/** Columns that exports of every version have. */
export const OLDEST_COLUMNS: readonly string[] = LEAD_FIELD_NAMES.filter((name) => {
  const { since, activity, derived } = leadField(name)
  return !since && !activity && !derived
})

/**
 * The header texts: the standard columns, then one for each attribute. An attribute whose text is taken gets the
 * prefix `attr:`, so that all headers differ.
 */
export function headerTexts(
  attributeNames: readonly string[],
  present: (name: string) => string = (name) => name,
): string[] {
  const used = new Set<string>(STANDARD_COLUMNS)
  for (const name of attributeNames) {
    let header = present(name)
    while (used.has(header)) header = `attr:${header}`
    used.add(header)
  }
  return [...used]
}

/** The width of every column in characters, in the order of the headers. */
export function columnWidths(attributeNames: readonly string[]): number[] {
  return [
    ...LEAD_FIELD_NAMES.map((name) => leadField(name).width),
    ...attributeNames.map(() => ATTRIBUTE_WIDTH),
  ]
}

/**
 * Returns the function that converts a lead to its cells, in the order of the headers. Lists are joined by `|`,
 * objects are JSON text, times stay Unix seconds. Attributes created during the export have no column and are left
 * out.
 */
export function leadCells(attributeNames: readonly string[]): (lead: StoredLead) => ExportCell[] {
  const width = STANDARD_COLUMNS.length + attributeNames.length
  const columnOf = new Map(attributeNames.map((name, index) => [name, STANDARD_COLUMNS.length + index]))
  return (stored) => {
    const { score } = stored
    const lead = Object.assign(stored.data() as LeadData & Record<string, Json>, stored.activity, {
      last_touched_at: stored.lastTouchedAt,
      score,
    })
    const cells = new Array<ExportCell>(width).fill(null)
    for (let i = 0; i < STANDARD_COLUMNS.length; i++) cells[i] = cellOf(lead[STANDARD_COLUMNS[i]!])
    for (const { name, value } of lead.attributes) {
      const column = columnOf.get(name)
      if (column !== undefined) cells[column] = cellOf(value)
    }
    return cells
  }
}

/** The cell of a lead's value. */
export function cellOf(value: Json | undefined): ExportCell {
  if (value === undefined || value === null || value === "") return null
  if (typeof value !== "object") return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.join("|") || null
}
