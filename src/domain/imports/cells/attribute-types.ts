// Detects the attribute type of a column that fills no field, and converts its values to it.

import { jsonIn } from "../../../formats/rows.ts"
import { OBJECT_BYTES_MAX, OBJECT_DEPTH_MAX } from "../../../lead/fields.ts"
import type { AttributeType, AttributeValue, Json } from "../../../lead/lead.ts"
import { isObject } from "../../../lead/parse.ts"
import { isoSeconds } from "../../../text/moment.ts"
import { boolIn, type DayOrder, type Decimal, dateIn, dayOrder, numberIn } from "./numbers.ts"

/** The form that a column's values are converted to. */
export interface ValueForm {
  type: AttributeType
  /** For dates, and texts that are dates: the order of day and month. */
  date?: DayOrder
  decimal: Decimal
  /** Keeps texts such as "n/a" and empty lists, which are otherwise no value. */
  isExact?: boolean
  /** Identifiers, which pandas writes with `.0` where one of them is missing. */
  isId?: boolean
  /** `NA` is a value. */
  hasNa?: boolean
  /** Whether a dot groups thousands is a guess. */
  isGuess?: boolean
  /** Two dates that cannot both be read by one order, for which all are kept as text. */
  contradiction?: readonly [dayFirst: string, monthFirst: string]
}

/** The notation of a file's numbers and booleans. */
export interface Notation {
  decimal: Decimal
  /** Our own export wrote the file: a number must print as it is written, and booleans are `true` and `false`. */
  isExact: boolean
  /** The file's order of day and month, for dates that allow both. */
  order?: DayOrder
  /** The order was said, and holds for dates that show another one as well. */
  isOrderSaid?: boolean
}

export interface Formed {
  type: AttributeType
  value: AttributeValue
  /** The problem with the value, as a predicate. */
  problem?: string
}

/** What Google writes between the values of one field. */
export const BETWEEN = " ::: "

/** Placeholders for "no value". */
const NOTHING = /^(n\.?\/?a\.?|<na>|-+|–|—|null|\\n|none|nan|undefined|k\.?\s?a\.?|\?+)$/i
/** What spreadsheets show where a formula fails. */
const FAILED =
  /^#(?:n\/a|n\/d|nv|value!|wert!|valeur!|valor!|¡valor!|ref!|bezug!|rif!|¡ref!|name\?|nom\?|nombre\?|¿nombre\?|nome\?|div\/0!|¡div\/0!|null!|nul!|nulo!|num!|zahl!|nombre!|¡num!|spill!|überlauf!|calc!|error!|getal!|naam\?|waarde!|verw!|deel\/0!)$/i

export function isNothing(text: string): boolean {
  return text.length <= 12 && (NOTHING.test(text.trim()) || isFailed(text))
}

/** True for the error that a spreadsheet shows instead of a value, such as `#REF!`. */
export function isFailed(text: string): boolean {
  return text.includes("#") && text.length <= 12 && FAILED.test(text.trim())
}

/** `NA` as R writes it where a value is missing; elsewhere it is Namibia, North America, Naples. */
export const NOT_AVAILABLE = "NA"

/** Names of identifiers: their digits are text, not a number. */
const IDENTIFIER =
  /(^|[^\p{L}])(id|ids|uuid|iban|bic|ean|isbn|sku|asin|cid|plz|zip|postcode|postal|tel|telefon|phone|fax|mobile|handy|vat|ustid|siret|siren|nif|gtin|upc|code|cif|kvk|ssn|ip|nip|regon|krs|cnpj|cpf|vkn|cui|ein|abn|cvr|rut|nit|barcode)([^\p{L}]|$)|(id|ids|nummer|nr|number|plz|zip|postleitzahl|postcode|postalcode|phone|telefon|fax)$|[a-z]Id$/iu
/** Names of booleans written as 1 and 0. */
const YES_OR_NO =
  /^(is|has|can|was|did|opt|optin|opted|active|verified|subscribed|claimed|permanently|temporarily|aktiv|ist|hat)(?![a-z])|^(is|has|can)[A-Z]|(optin|opt_in|opt_out|optout|consent|verified|active|subscribed|claimed|aktiv|newsletter)$/i
/** A date as an export of ours writes it. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:$|T)/
/** The share of values that must fit a type; the rest may be dirty. */
const MOST = 0.9

/** Detects the form that fits the values of a column best. */
export function formOf(
  name: string,
  values: readonly unknown[],
  { decimal, isExact, order: ofFile = "day", isOrderSaid = false }: Notation,
): ValueForm {
  const filled = values.filter((value) => typeof value !== "string" || !isNothing(value))
  const form = (type: AttributeType): ValueForm => ({ type, decimal, isExact })
  if (filled.length === 0) return form("text")
  const types = new Set(filled.map((value) => kindOf(value)))
  if (types.size === 1) {
    const [only] = types
    if (only === "number") return form(filled.some((value) => isLong(value)) ? "text" : "number")
    if (only !== "text") return form(only!)
  } else if (!types.has("text")) {
    return form(types.has("object") ? "object" : "text")
  }
  if (types.has("object") || types.has("list")) return form(types.has("object") ? "object" : "list")
  const texts = filled.map(String)
  if (isExact) return form(exactType(texts))
  if (areMostly(texts, (text) => boolIn(text) !== undefined)) {
    if (!texts.every((text) => /^[01]$/.test(text.trim())) || YES_OR_NO.test(name)) return form("bool")
  }
  if (areMostly(texts, (text) => numberIn(text, decimal) !== undefined)) {
    // 1.10 is no 1.1.
    if (/(?:^|[^\p{L}])ver(?:sion|sión|são|sione)?(?:[^\p{L}]|$)/iu.test(name)) return form("text")
    return isIdentifier(name, texts) ? { ...form("text"), isId: true } : form("number")
  }
  const order = isOrderSaid ? ofFile : (dayOrder(texts) ?? ofFile)
  // Each of its dates would be read by a guess of its own.
  if (order === "mixed") return contradicting(texts, form("text"))
  if (areMostly(texts, (text) => dateIn(text, order) !== undefined)) return { ...form("date"), date: order }
  if (texts.some((text) => text.includes("|")) && areMostly(texts, isListed)) return form("list")
  return form(texts.some((text) => text.includes(BETWEEN)) ? "list" : "text")
}

/** Texts, with what contradicts where they are dates. */
function contradicting(texts: readonly string[], form: ValueForm): ValueForm {
  const ofOrder = (order: string) => texts.find((text) => dayOrder([text]) === order)
  const [day, month] = [ofOrder("day"), ofOrder("month")]
  const areDates = areMostly(texts, (text) => dateIn(text, "day") !== undefined)
  return areDates && day !== undefined && month !== undefined
    ? { ...form, contradiction: [day, month] }
    : form
}

function exactType(texts: readonly string[]): AttributeType {
  if (texts.every((text) => text === "true" || text === "false")) return "bool"
  if (texts.every((text) => numberIn(text, "dot") !== undefined && String(Number(text)) === text))
    return "number"
  if (texts.every((text) => ISO_DATE.test(text) && dateIn(text, "day") === text)) return "date"
  return texts.some((text) => text.includes("|")) ? "list" : "text"
}

/** True for short items separated by bars, as exports write lists. */
function isListed(text: string): boolean {
  return text.length < 1_000 && text.split("|").every((item) => item.trim().length < 80)
}

/** The share of texts of which something holds; 0 of none. */
export function share(texts: readonly string[], holds: (text: string) => boolean): number {
  if (texts.length === 0) return 0
  let count = 0
  for (const text of texts) if (holds(text)) count++
  return count / texts.length
}

const areMostly = (texts: readonly string[], holds: (text: string) => boolean) => share(texts, holds) >= MOST

/** True for the name of identifiers, whose digits are text. */
export function isIdentifierName(name: string): boolean {
  return IDENTIFIER.test(name) && !/tel|phone|fax|mobile|handy/i.test(name)
}

function isIdentifier(name: string, texts: readonly string[]): boolean {
  const isWhole = texts.every((text) => /^[+-]?\d+(?:\.0)?$|^\d+(?:[\s-]\d+)+$/.test(text.trim()))
  return (
    texts.some((text) => /^\s*[+-]?0\d/.test(text) || /^\s*\+\d/.test(text) || isLong(text)) ||
    (isWhole && IDENTIFIER.test(name))
  )
}

/** True for integers with more digits than a number holds. */
function isLong(value: unknown): boolean {
  return typeof value === "string" ? /^\s*[+-]?\d{15,}\s*$/.test(value) : Math.abs(value as number) >= 1e15
}

function kindOf(value: unknown): AttributeType {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (Array.isArray(value)) return value.every((item) => typeof item === "string") ? "list" : "object"
  if (isObject(value)) return "object"
  const json = jsonIn(String(value))
  return json === undefined ? "text" : kindOf(json)
}

/** Converts a value to its column's form, or to the type that it looks like when it does not fit. */
export function formed(value: unknown, form: ValueForm): Formed | undefined {
  const made = withForm(value, form)
  if (form.hasNa && value === NOT_AVAILABLE && form.type === "text") return made
  if (typeof value === "string" && !form.isExact && isFailed(value))
    return { type: "text", value: "", problem: FAILED_PROBLEM }
  return form.isExact || !made || !isHollow(made.value) ? made : undefined
}

/** True for a long number as a spreadsheet shows it in a narrow column. */
export const hasLostDigits = (text: string): boolean =>
  text.length < 20 && /^\s*\d(?:[.,]\d+)?E\+(?:1[1-9]|[2-9]\d)\s*$/i.test(text)
export const LOST_DIGITS = "has lost digits in a spreadsheet"

export const FAILED_PROBLEM = "is the error of a spreadsheet's formula: left out"

/** The text of an identifier without the fraction that pandas adds: `2134.0`. */
export function withoutFraction(text: string): string {
  return /^\d+\.0$/.test(text) ? text.slice(0, -2) : text
}

function isHollow(value: AttributeValue): boolean {
  if (typeof value === "string") return isNothing(value)
  if (Array.isArray(value)) return value.length === 0
  return (
    typeof value === "object" &&
    Object.values(value).every(
      (one) => one === null || one === "" || (Array.isArray(one) && one.length === 0),
    )
  )
}

function withForm(value: unknown, form: ValueForm): Formed | undefined {
  if (typeof value === "string") return formedText(value, form)
  if (form.type === "text") {
    if (typeof value === "number" || typeof value === "boolean") return { type: "text", value: String(value) }
    return asObject(value)
  }
  if (form.type === "bool" && (value === 1 || value === 0)) return { type: "bool", value: value === 1 }
  if (typeof value === "number") return { type: "number", value }
  if (typeof value === "boolean") return { type: "bool", value }
  if (Array.isArray(value) && form.type !== "object" && value.every((item) => typeof item === "string")) {
    return value.length > 1_000 ? asObject(value) : { type: "list", value }
  }
  return asObject(value)
}

function formedText(text: string, form: ValueForm): Formed | undefined {
  switch (form.type) {
    case "text": {
      const date = form.date && dateIn(text, form.date)
      const trimmed = text.trim()
      return { type: "text", value: date ?? (form.isId ? withoutFraction(trimmed) : trimmed) }
    }
    case "date": {
      const date = dateIn(text, form.date ?? "day")
      // A day that its month does not have is no date.
      const isDate = date !== undefined && isoSeconds(date) !== undefined
      return isDate ? { type: "date", value: date } : unfit(text, "is no date")
    }
    case "number": {
      const number = hasLostDigits(text) ? undefined : numberIn(text, form.decimal)
      if (number !== undefined) return { type: "number", value: number }
      if (hasLostDigits(text)) return unfit(text, LOST_DIGITS)
      return unfit(text, "is no number")
    }
    case "bool": {
      const bool = boolIn(text)
      if (bool !== undefined) return { type: "bool", value: bool }
      return unfit(text, "is neither true nor false")
    }
    case "list": {
      const json = jsonIn(text)
      if (json === undefined) return { type: "list", value: isNothing(text) ? [] : listIn(text) }
      return withForm(json, form)
    }
    case "object": {
      const json = jsonIn(text)
      return json === undefined ? unfit(text, "is no JSON") : asObject(json)
    }
  }
}

function unfit(text: string, why: string): Formed | undefined {
  return isNothing(text) ? undefined : { type: "text", value: text.trim(), problem: `${why}: kept as text` }
}

function asObject(value: unknown): Formed {
  const { object, isCut } = fitObject(
    isObject(value) ? (value as { [key: string]: Json }) : { items: value as Json },
  )
  return { type: "object", value: object, ...(isCut && { problem: "is larger than 16 KiB: cut" }) }
}

/** Splits a text at its bars, or as Google does. */
function listIn(text: string): string[] {
  return text
    .split(text.includes(BETWEEN) ? BETWEEN : "|")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .slice(0, 1_000)
}

// Cuts nested data to the size of an attribute.

type JsonObject = { [key: string]: Json }

/** Limits on lists and texts, each stricter than the last, until an object fits. */
const CUTS: readonly (readonly [items: number, characters: number])[] = [
  [100, 2_000],
  [30, 1_000],
  [10, 500],
  [5, 200],
  [3, 100],
  [1, 50],
]

/** Cuts an object to 16 KiB and 32 levels: its lists and texts first, then its largest parts. */
export function fitObject(object: JsonObject): { object: JsonObject; isCut: boolean } {
  const clean = cut(object, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1) as JsonObject
  const isDeep = JSON.stringify(clean) !== JSON.stringify(object)
  if (fits(clean)) return { object: clean, isCut: isDeep }
  for (const [items, characters] of CUTS) {
    const smaller = cut(clean, items, characters, 1) as JsonObject
    if (fits(smaller)) return { object: smaller, isCut: true }
  }
  const rest = cut(clean, 1, 50, 1) as JsonObject
  return { object: withoutLargest(rest), isCut: true }
}

/** The object without as many of its largest parts as do not fit. Sizes are added up: it may have 100,000 parts. */
function withoutLargest(object: JsonObject): JsonObject {
  let size = sizeOf(object)
  const parts = Object.entries(object).map(([key, value]) => ({ key, size: sizeOf(value) }))
  const left = new Set<string>()
  for (const part of parts.toSorted((a, b) => b.size - a.size)) {
    left.add(part.key)
    // With its colon and comma.
    size -= sizeOf(part.key) + part.size + 2
    if (size <= OBJECT_BYTES_MAX) break
  }
  return Object.fromEntries(Object.entries(object).filter(([key]) => !left.has(key)))
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "")
}

function fits(object: JsonObject): boolean {
  return sizeOf(object) <= OBJECT_BYTES_MAX
}

function cut(value: Json, items: number, characters: number, depth: number): Json {
  if (typeof value === "string") {
    const text = value.length > characters ? `${value.slice(0, characters - 1)}…` : value
    return text.toWellFormed().replaceAll("\0", "")
  }
  if (typeof value !== "object" || value === null) return value
  if (depth > OBJECT_DEPTH_MAX) return null
  if (Array.isArray(value))
    return value.slice(0, items).map((item) => cut(item, items, characters, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key.toWellFormed().replaceAll("\0", ""),
      cut(child, items, characters, depth + 1),
    ]),
  )
}
