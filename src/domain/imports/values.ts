// A cell as the value of a lead field or attribute.
import { type AttributeType, type Json, NUMBER_FIELDS } from "../../core/lead.ts"
import { isObject } from "../../core/parse.ts"
import { withoutFormula } from "../../formats/csv/formula.ts"
import type { Typing } from "../../formats/rows.ts"

/** What lists are joined by in a cell, as exports do it. */
const SEPARATOR = "|"
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const NUMBERS: ReadonlySet<string> = new Set(NUMBER_FIELDS)

/** True for "no value". */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "")
}

/** The text of a CSV cell: an export puts an apostrophe before what a spreadsheet would run. */
export function cellText(cell: string): string {
  if (!cell.startsWith("'")) return cell
  const text = cell.slice(1)
  return withoutFormula(text) === cell ? text : cell
}

/** The value of a lead field. What does not convert stays, and validation says what it should be. */
export function fieldValue(field: string, value: unknown, typing: Typing): unknown {
  if (typing === "all") return value
  if (NUMBERS.has(field)) return typeof value === "string" ? (numberOf(value) ?? value.trim()) : value
  const text = String(value)
  if (field === "tags") return listOf(text)
  if (field === "status") return text.trim().toLowerCase()
  if (field !== "attributes") return text
  return parsed(text) ?? text
}

/** The type of a value by itself. */
export function typeOf(value: unknown, typing: Typing): AttributeType {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (Array.isArray(value)) return "list"
  if (typeof value === "object") return "object"
  if (typeof value !== "string" || typing === "all") return "text"
  if (typing === "none") {
    if (value === "true" || value === "false") return "bool"
    // Only what would be written so again: 007 and +49 are texts.
    if (NUMBER.test(value) && String(Number(value)) === value) return "number"
  }
  if (isObject(parsed(value))) return "object"
  return value.includes(SEPARATOR) ? "list" : "text"
}

/** The one type of a column's values: lists among texts make it a list, anything else mixed a text. */
export function commonType(types: ReadonlySet<AttributeType>): AttributeType | undefined {
  if (types.size === 1) return [...types][0]
  if (types.size === 0) return undefined
  return types.size === 2 && types.has("list") && types.has("text") ? "list" : "text"
}

/** A value as an attribute of this type, as far as it can be made one. */
export function attributeValue(type: AttributeType, value: unknown, typing: Typing): Json {
  if (typing === "all") return value as Json
  if (type === "number") return typeof value === "string" ? (numberOf(value) ?? value) : (value as Json)
  if (type === "bool")
    return typeof value === "boolean" ? value : (BOOLS[String(value).trim().toLowerCase()] ?? String(value))
  const text = String(value)
  if (type === "list") return listOf(text)
  return type === "object" ? ((parsed(text) as Json | undefined) ?? text) : text
}

/** Whether a value may have the type that the others of its column have. */
export function fits(type: AttributeType, value: unknown, typing: Typing): boolean {
  return type === "text"
    ? typing !== "all" || typeof value === "string"
    : typeOf(value, typing) === type || (type === "list" && typing !== "all")
}

const BOOLS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
}

function numberOf(text: string): number | undefined {
  const trimmed = text.trim()
  return NUMBER.test(trimmed) ? Number(trimmed) : undefined
}

function listOf(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((item) => item.trim())
    .filter((item) => item !== "")
}

/** The JSON array or object in a text. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
