// Whether the columns by which a lead is searched and sorted say what its document says.
import type { LeadData } from "../../../lead/lead.ts"
import { dedupKeys } from "../../../lead/lead-keys.ts"
import { counted } from "../../../text/text.ts"
import type { Finding, Repaired } from "../../shared/file-care.ts"
import { COLUMNS, type ColumnValue, columnValues } from "../../sql/schema/lead-rows.ts"

/** The international form of a phone follows the account's country some time later. */
const COMPARED = COLUMNS.filter((name) => name !== "phone_number")
export type ComparedColumn = (typeof COMPARED)[number]

/** SQL for the columns that are compared, of `leads` as `l`. */
export const COMPARED_COLUMNS = COMPARED.map((name) => `l.${name}`).join(", ")

export type ComparedRow = Readonly<Record<ComparedColumn, ColumnValue>>

/** Columns of a lead that differ from its document, with the values that they should have. */
export function wrongColumns(row: ComparedRow, document: string): [ComparedColumn, ColumnValue][] {
  const lead: LeadData = JSON.parse(document)
  const values = columnValues(lead, dedupKeys(lead, null))
  return COLUMNS.flatMap((name, i) => {
    if (name === "phone_number" || row[name] === values[i]) return []
    return [[name, values[i] ?? null] as [ComparedColumn, ColumnValue]]
  })
}

/** The finding for so many leads, of which the first is named; none where there are none. */
export function columnFindings(leads: number, first: string | undefined, advice: string): Finding[] {
  if (leads === 0) return []
  const message =
    `${counted(leads, "lead differs", "leads differ")} from what ${leads === 1 ? "it is" : "they are"} found and sorted by` +
    (first ? `, such as ${first}` : "")
  return [{ code: "columns_differ", severity: "error", check: "lead tables", message, advice }]
}

/** Message of a repair for so many leads. */
export function columnsRepaired(leads: number): Repaired[] {
  if (leads === 0) return []
  return [{ what: "derived", account: null, from: `columns of ${counted(leads, "lead")} wrong`, to: "whole" }]
}
