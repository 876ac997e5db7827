// The table of an export in any format: its columns, and a lead's cells.

import type { ContactList } from "../../lead/contacts.ts"
import { textOfContacts } from "../../lead/contacts-text.ts"
import type { AttributeType, Json, LeadData } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../lead/lead-fields.ts"
import type { StoredLead } from "../../store/contract/store.ts"
import { ownTarget } from "../imports/detect/mapping.ts"

/** A cell; null means "no value". */
export type ExportCell = string | number | boolean | null

const ATTRIBUTE_WIDTH = 18

export const STANDARD_COLUMNS: readonly string[] = LEAD_FIELD_NAMES

/**
 * The header texts: the standard columns, then one for each attribute. An attribute whose text is taken gets the
 * prefix `attr:`, so that all headers differ, and one of `types` its type as well.
 */
export function headerTexts(
  attributeNames: readonly string[],
  lists: readonly ContactList[],
  types?: ReadonlyMap<string, AttributeType>,
): string[] {
  const used = new Set<string>(STANDARD_COLUMNS)
  for (const name of attributeNames) {
    const type = types?.get(name)
    let header = type === undefined ? name : `attr:${name}:${type}`
    // What an import would take for something else says that it is an attribute.
    if (type === undefined && ownTarget(name)) header = `attr:${name}`
    while (used.has(header)) header = `attr:${header}`
    used.add(header)
  }
  return [...used, ...lists]
}

/** The width of every column in characters, in the order of the headers. */
export function columnWidths(attributeNames: readonly string[], lists: readonly ContactList[]): number[] {
  return [
    ...LEAD_FIELD_NAMES.map((name) => leadField(name).width),
    ...[...attributeNames, ...lists].map(() => ATTRIBUTE_WIDTH),
  ]
}

/**
 * Returns the function that converts a lead to its cells, in the order of the headers. Lists are joined by `|`,
 * objects are JSON text, times stay Unix seconds. Attributes created during the export have no column and are left
 * out. All emails and phones of a lead with several come last.
 */
export function leadCells(
  attributeNames: readonly string[],
  lists: readonly ContactList[],
): (lead: StoredLead) => ExportCell[] {
  const behind = STANDARD_COLUMNS.length + attributeNames.length
  const width = behind + lists.length
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
      if (column !== undefined) cells[column] = cellOfAttribute(value)
    }
    for (const [i, list] of lists.entries()) {
      const all = stored.data()[list]
      cells[behind + i] = all ? textOfContacts(all) : null
    }
    return cells
  }
}

/** Puts names in place of the ids of owners and stages. */
export function withNames(
  cells: ExportCell[],
  named: readonly number[],
  names: ReadonlyMap<string, string>,
): ExportCell[] {
  for (const at of named) cells[at] = names.get(String(cells[at])) ?? cells[at]!
  return cells
}

/** The cell of an attribute's value, of which an empty list is one. */
export const cellOfAttribute = (value: Json): ExportCell =>
  Array.isArray(value) && value.length === 0 ? "[]" : cellOf(value)

/** The cell of a lead's value. */
export function cellOf(value: Json | undefined): ExportCell {
  if (value === undefined || value === null || value === "") return null
  if (typeof value !== "object") return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.every(isJoinable) ? value.join("|") || null : JSON.stringify(value)
}

/** Whether a text among others with bars between them comes back as it is. */
const isJoinable = (item: Json): boolean =>
  typeof item === "string" && item !== "" && item.trim() === item && !/^[[{]|\|/.test(item)
