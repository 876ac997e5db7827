// Where a column of a file goes.
import { badRequest } from "../../../core/errors.ts"
import { LeadInput, readOnlyEntries } from "../../../core/fields.ts"
import { ATTRIBUTE_TYPES, type AttributeType } from "../../../core/lead.ts"
import { closest, excerpt } from "../../../core/text.ts"

export type Target =
  | { kind: "field"; field: string }
  /** `type` when the file or its sender says it, else `guess`, which a value that does not fit may overrule. */
  | { kind: "attribute"; name: string; type?: AttributeType; guess?: AttributeType }
  | { kind: "skip" }

export const SKIP: Target = { kind: "skip" }

/** The column in which rejected rows say why: a corrected file may still have it. */
export const REASON_COLUMN = "rejected_because"

export const READ_ONLY: readonly string[] = Object.keys(readOnlyEntries)
/** What a lead's columns may be, without those that the service sets. */
export const FIELDS: readonly string[] = Object.keys(LeadInput.entries).filter(
  (field) => !READ_ONLY.includes(field),
)

/** The target of a column that needs no telling: as exports write it. */
export function ownTarget(name: string): Target | undefined {
  if (FIELDS.includes(name)) return { kind: "field", field: name }
  if (READ_ONLY.includes(name) || name === REASON_COLUMN) return SKIP
  return name.startsWith("attr:") && name.length > 5 ? attributeTarget(name) : undefined
}

/** `attr:seats` or `attr:seats:number`. */
function attributeTarget(text: string): Target {
  const at = text.lastIndexOf(":")
  const type = ATTRIBUTE_TYPES.find((one) => one === text.slice(at + 1))
  return type && at > 5
    ? { kind: "attribute", name: text.slice(5, at), type }
    : { kind: "attribute", name: text.slice(5) }
}

/** How a target is written: the other way round of `parseMap`. */
export function targetText(target: Target): string {
  if (target.kind === "skip") return "-"
  if (target.kind === "field") return target.field
  const type = target.type ?? target.guess
  return `attr:${target.name}${type ? `:${type}` : ""}`
}

/** Targets by column, from `COLUMN:TARGET`: a field, `attr:NAME`, `attr:NAME:TYPE`, or `-` to leave it out. */
export function parseMap(texts: readonly string[]): Map<string, Target> {
  const map = new Map<string, Target>()
  for (const text of texts) {
    const attribute = text.indexOf(":attr:", 1)
    const at = attribute > 0 ? attribute : text.lastIndexOf(":")
    if (at <= 0) throw badRequest(`map ${shape(text)}`)
    const column = text.slice(0, at)
    if (map.has(column)) throw badRequest(`map names the column "${excerpt(column)}" twice`)
    map.set(column, targetOf(text.slice(at + 1), text))
  }
  return map
}

function targetOf(text: string, whole: string): Target {
  if (text === "-") return SKIP
  if (text.startsWith("attr:") && text.length > 5) return attributeTarget(text)
  if (FIELDS.includes(text)) return { kind: "field", field: text }
  const near = closest(text, FIELDS)
  const hint = near ? ` Did you mean ${near}?` : ""
  throw badRequest(
    `map ${shape(whole)}; "${excerpt(text)}" is no lead field.${hint} Lead fields: ${FIELDS.join(", ")}`,
  )
}

function shape(text: string): string {
  return `must be COLUMN:FIELD, COLUMN:attr:NAME, COLUMN:attr:NAME:TYPE or COLUMN:-, got "${excerpt(text)}"`
}

/** How people are told to map columns: in a query string or on a command line. */
export type Wording = "query" | "flags"

export function mapHint(column: string, target: Target, wording: Wording): string {
  const text = `${column}:${targetText(target)}`
  if (wording === "query") return `map=${encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":")}`
  return `--map ${/^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`}`
}

export function optionHint(name: "unknown" | "source", value: string, wording: Wording): string {
  return wording === "query" ? `${name}=${value}` : `--${name} ${value}`
}
