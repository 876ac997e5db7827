// Column mappings: what the request or a saved mapping says of a column, parsed and printed.

import { LeadInput, readOnlyEntries } from "../../../lead/fields.ts"
import { ATTRIBUTE_TYPES, type AttributeType } from "../../../lead/lead.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { closest, excerpt } from "../../../text/text.ts"

export type ColumnTarget =
  | { kind: "field"; field: string }
  /** `type` is fixed by the mapping or the header; `guess` gives way to values that do not fit. */
  | { kind: "attribute"; name: string; type?: AttributeType; guess?: AttributeType }
  | { kind: "skip" }

export const SKIP: ColumnTarget = { kind: "skip" }

/** The column with the reason in a file of rejected rows: a corrected file may still have it. */
export const REASON_COLUMN = "rejected_because"

export const READ_ONLY_COLUMNS: readonly string[] = Object.keys(readOnlyEntries)
/** Lead fields that a column may fill: those that the service does not set itself. */
export const IMPORT_FIELDS: readonly string[] = Object.keys(LeadInput.entries).filter(
  (field) => !READ_ONLY_COLUMNS.includes(field),
)

/** The target of a column named as our exports name it. */
export function ownTarget(name: string): ColumnTarget | undefined {
  if (IMPORT_FIELDS.includes(name)) return { kind: "field", field: name }
  if (READ_ONLY_COLUMNS.includes(name) || name === REASON_COLUMN) return SKIP
  return name.startsWith("attr:") && name.length > 5 ? attributeTarget(name) : undefined
}

/** `attr:seats` or `attr:seats:number`. */
function attributeTarget(text: string): ColumnTarget {
  const at = text.lastIndexOf(":")
  const type = ATTRIBUTE_TYPES.find((one) => one === text.slice(at + 1))
  return type && at > 5
    ? { kind: "attribute", name: text.slice(5, at), type }
    : { kind: "attribute", name: text.slice(5) }
}

/** Prints a target: the inverse of `parseMap`. */
export function targetText(target: ColumnTarget): string {
  if (target.kind === "skip") return "-"
  if (target.kind === "field") return target.field
  const type = target.type ?? target.guess
  return `attr:${target.name}${type ? `:${type}` : ""}`
}

/** Targets by column, from `COLUMN:TARGET`: a field, `attr:NAME`, `attr:NAME:TYPE`, or `-` to leave it out. */
export function parseMap(texts: readonly string[]): Map<string, ColumnTarget> {
  const map = new Map<string, ColumnTarget>()
  for (const text of texts) {
    const attribute = text.indexOf(":attr:", 1)
    const at = attribute > 0 ? attribute : text.lastIndexOf(":")
    if (at <= 0) throw badRequest(`map ${mapMessage(text)}`)
    const column = text.slice(0, at)
    if (map.has(column)) throw badRequest(`map names the column "${excerpt(column)}" twice`)
    map.set(column, targetOf(text.slice(at + 1), text))
  }
  return map
}

function targetOf(text: string, whole: string): ColumnTarget {
  if (text === "-") return SKIP
  if (text.startsWith("attr:") && text.length > 5) return attributeTarget(text)
  if (IMPORT_FIELDS.includes(text)) return { kind: "field", field: text }
  const near = closest(text, IMPORT_FIELDS)
  const hint = near ? ` Did you mean ${near}?` : ""
  throw badRequest(
    `map ${mapMessage(whole)}; "${excerpt(text)}" is no lead field.${hint} Lead fields: ${IMPORT_FIELDS.join(", ")}`,
  )
}

function mapMessage(text: string): string {
  return `must be COLUMN:FIELD, COLUMN:attr:NAME, COLUMN:attr:NAME:TYPE or COLUMN:-, got "${excerpt(text)}"`
}

/** Syntax of the hints in messages: a query string, or flags of the command line. */
export type Wording = "query" | "flags"

export function mapHint(column: string, target: ColumnTarget, wording: Wording): string {
  const text = `${column}:${targetText(target)}`
  if (wording === "query") return `map=${encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":")}`
  return `--map ${/^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`}`
}

export function optionHint(name: "unknown" | "source" | "header", value: string, wording: Wording): string {
  return wording === "query" ? `${name}=${value}` : `--${name} ${value}`
}
