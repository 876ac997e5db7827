// Attributes whose values look like those of another type: their columns say the type, so that imports read it back.
import type { AttributeType } from "../../lead/lead.ts"
import type { LeadQuery, LeadReads, StoredLead } from "../../store/contract/store.ts"
import { formOf } from "../imports/cells/attribute-types.ts"
import { cellOfAttribute } from "./shape.ts"

/** Leads and bytes by which imports decide on the types of a file. */
const SAMPLE = 1_000
const SAMPLE_BYTES = 8 * 1024 * 1024
const AT_ONCE = 100

/** The types of attributes that a reader of the file would take for others, by name. */
export async function typedAttributes(
  leads: Pick<LeadReads, "list">,
  account: number,
  selection: Pick<LeadQuery, "filter" | "sort">,
  format: "csv" | "xlsx",
): Promise<ReadonlyMap<string, AttributeType>> {
  const seen = new Map<string, { types: Set<AttributeType>; cells: unknown[] }>()
  let bytes = 0
  let count = 0
  let after: LeadQuery["after"]
  do {
    const { rows, next } = await leads.list(account, { ...selection, after, limit: AT_ONCE })
    for (const row of rows) {
      look(row, format, seen)
      bytes += row.room
    }
    count += rows.length
    after = next
  } while (after !== undefined && count < SAMPLE && bytes < SAMPLE_BYTES)
  const typed = new Map<string, AttributeType>()
  for (const [name, { types, cells }] of seen) {
    const [type, other] = types
    // A column of several types has none.
    if (type === undefined || other !== undefined) continue
    if (formOf(name, cells, { decimal: "dot", isExact: true }).type !== type) typed.set(name, type)
  }
  return typed
}

function look(
  row: StoredLead,
  format: "csv" | "xlsx",
  seen: Map<string, { types: Set<AttributeType>; cells: unknown[] }>,
): void {
  for (const { name, type, value } of row.data().attributes) {
    const attribute = seen.get(name) ?? { types: new Set(), cells: [] }
    seen.set(name, attribute)
    attribute.types.add(type)
    const cell = cellOfAttribute(value)
    if (cell !== null) attribute.cells.push(format === "csv" ? String(cell) : cell)
  }
}
