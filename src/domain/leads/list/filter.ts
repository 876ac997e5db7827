import * as v from "valibot"
import { badRequest } from "../../../core/errors.ts"
import {
  NUMBER_FIELDS,
  type NumberField,
  STATUSES,
  type Status,
  TEXT_FIELDS,
  type TextField,
  TIME_FIELDS,
  type TimeField,
} from "../../../core/lead.ts"
import type {
  AttributeCondition,
  Condition,
  LeadFilter,
  NumberOperator,
  TextOperator,
} from "../../../core/lead-query.ts"
import { isoSeconds, parseNumber, parseTime, unitProblem } from "../../../core/moment.ts"
import { soughtPhone } from "../../../core/phone.ts"
import { closest, excerpt, fold, isStorable } from "../../../core/text.ts"

export const FILTERS_MAX = 50
/** Filters as an input for `parseFilters`; a single filter may come without the list around it. */
export const Filters = v.array(v.string("must be text"), "must be a list of filters")
/** Characters of a filter's text value. */
export const FILTER_TEXT_MAX = 1_000
/** Bytes of all filters of a request. */
export const FILTERS_BYTES_MAX = 16 * 1024

export const TEXT_OPERATORS = [
  "eq",
  "neq",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "in",
  "not_in",
  "is_empty",
  "is_not_empty",
] as const
/** An operator of phones, which compares numbers in any notation, and of source_id, which compares exactly. */
export const SAME = "same"
export const NUMBER_OPERATORS = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "between",
  "in",
  "not_in",
  "is_empty",
  "is_not_empty",
] as const
export const TAG_OPERATORS = [
  "array_contains",
  "array_not_contains",
  "array_contains_any",
  "array_contains_all",
  "array_empty",
  "array_not_empty",
  "contains",
  "not_contains",
  "is_empty",
  "is_not_empty",
] as const
export const LOCATION_OPERATORS = ["within_radius", "is_set", "is_not_set"] as const
const IMPORT_OPERATORS = ["eq", "neq"] as const
export const CONTACTABLE_OPERATORS = ["eq", "neq"] as const
export const ATTRIBUTE_OPERATORS = [
  ...new Set([...TEXT_OPERATORS, ...NUMBER_OPERATORS, ...TAG_OPERATORS.slice(0, 6)]),
] as const

const SAMEABLE: ReadonlySet<string> = new Set(["phone", "source_id"])
const NUMBERS: ReadonlySet<string> = new Set([...NUMBER_FIELDS, "score"])
const TIMES: ReadonlySet<string> = new Set(TIME_FIELDS)
const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS)
const FIELDS = [
  ...TEXT_FIELDS,
  ...NUMBER_FIELDS,
  "score",
  ...TIME_FIELDS,
  "tags",
  "location",
  "import",
  "contactable",
]

/** The parts of a filter, and the filter as it was sent, for messages. */
interface Parts {
  sent: string
  operator: string
  field: string
  value: string
}

/**
 * Parses filters of the form `logic.operator.field.value`. Throws a `bad_request` that quotes the filter and lists
 * what would be valid.
 */
export function parseFilters(filters: readonly string[]): LeadFilter {
  if (filters.length > FILTERS_MAX)
    throw badRequest(`at most ${FILTERS_MAX} filters are taken, got ${filters.length}`)
  const bytes = filters.reduce((sum, sent) => sum + Buffer.byteLength(sent), 0)
  if (bytes > FILTERS_BYTES_MAX)
    throw badRequest(`all filters together are at most 16 KiB, these are ${Math.ceil(bytes / 1024)} KiB`)
  const filter: LeadFilter = { all: [], any: [] }
  for (const sent of filters) {
    const { logic, ...parts } = split(sent)
    filter[logic === "or" ? "any" : "all"].push(condition(parts))
  }
  return filter
}

function fail(sent: string, problem: string): never {
  throw badRequest(`filter "${excerpt(sent, 80)}": ${problem}`)
}

function split(sent: string): Parts & { logic: string } {
  if (!isStorable(sent))
    fail(sent, "it must be well-formed Unicode without NUL characters, as all that is stored")
  const form = 'the form is logic.operator.field.value, such as "and.eq.city.Berlin"'
  const head = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(sent)
  if (!head) fail(sent, form)
  const [, logic = "", operator = "", rest = ""] = head
  if (logic !== "and" && logic !== "or")
    fail(sent, `it begins with "${excerpt(logic)}" instead of and or or; ${form}`)
  const named = /^((?:attr:)?)"((?:[^"]|"")*)"(?:\.(.*))?$/s.exec(rest)
  if (named) {
    const [, prefix = "", name = "", value = ""] = named
    return { sent, logic, operator, field: prefix + name.replaceAll('""', '"'), value }
  }
  if (/^(attr:)?"/.test(rest)) {
    fail(
      sent,
      'a name in quotes ends with a quote and a dot; a quote inside it is written twice, as in "a ""b"""',
    )
  }
  const dot = rest.indexOf(".")
  const field = dot < 0 ? rest : rest.slice(0, dot)
  return { sent, logic, operator, field, value: dot < 0 ? "" : rest.slice(dot + 1) }
}

function condition(parts: Parts): Condition {
  const { field } = parts
  if (field.startsWith("attr:")) return attributeCondition(parts, field.slice("attr:".length))
  if (field === "phone" && parts.operator === SAME) return phoneCondition(parts)
  if (field === "source_id" && parts.operator === SAME) return exactCondition(parts)
  if (TEXTS.has(field)) return textCondition(parts, field as TextField)
  if (NUMBERS.has(field) || TIMES.has(field))
    return numberCondition(parts, field as NumberField | TimeField | "score")
  if (field === "tags") return tagsCondition(parts)
  if (field === "location") return locationCondition(parts)
  if (field === "import") return importCondition(parts)
  if (field === "contactable") return contactableCondition(parts)
  const near = closest(field, FIELDS)
  fail(
    parts.sent,
    `unknown field "${excerpt(field)}". ${near ? `Did you mean "${near}"? ` : ""}` +
      `Fields are ${FIELDS.join(", ")} and attr:<name>`,
  )
}

/** Strips the negation from an operator. Throws for an operator that the field does not have. */
function positive(
  { sent, operator, field }: Parts,
  valid: readonly string[],
): { not: boolean; name: string } {
  const name = operator === "not_empty" ? "is_not_empty" : operator
  if (!valid.includes(name)) {
    const near = closest(name, valid)
    fail(
      sent,
      `${excerpt(field)} takes no operator "${excerpt(operator)}". ${near ? `Did you mean "${near}"? ` : ""}` +
        `Valid: ${valid.join(", ")}`,
    )
  }
  const turned: Record<string, string> = {
    neq: "eq",
    not_contains: "contains",
    not_in: "in",
    is_not_empty: "is_empty",
    array_not_contains: "array_contains",
    array_not_empty: "array_empty",
    is_not_set: "is_set",
  }
  return name in turned ? { not: true, name: turned[name]! } : { not: false, name }
}

const LISTING = new Set(["in", "between", "array_contains_any", "array_contains_all"])
const NO_VALUE = new Set(["is_empty", "array_empty", "is_set"])

function checkValue({ sent, operator, value }: Parts, name: string): void {
  if (NO_VALUE.has(name)) {
    if (value !== "" && value !== "true") fail(sent, `${operator} takes no value, got "${excerpt(value)}"`)
  } else if (value === "") {
    fail(sent, `${operator} needs a value after the field; to find empty fields use is_empty`)
  } else {
    const isList = LISTING.has(name)
    const longest = isList ? Math.max(...value.split(",").map(({ length }) => length)) : value.length
    if (longest > FILTER_TEXT_MAX)
      fail(sent, `${isList ? "each text of the list" : "the text"} must be at most 1,000 characters`)
  }
}

/** Splits `a,b,c` and drops empty items. */
function listOf({ sent, value }: Parts): string[] {
  const items = value.split(",").flatMap((item) => item.trim() || [])
  if (items.length === 0) fail(sent, "the list of values is empty; write value,value")
  return items
}

function textCondition(parts: Parts, field: TextField): Condition {
  const { not, name } = positive(parts, SAMEABLE.has(field) ? [...TEXT_OPERATORS, SAME] : TEXT_OPERATORS)
  checkValue(parts, name)
  const values = name === "in" ? listOf(parts) : [parts.value]
  if (field === "status" && (name === "eq" || name === "in")) refuseOtherStatus(parts, values)
  return { on: "text", not, field, operator: name as TextOperator, values: values.map(fold) }
}

/** Rejects unknown statuses, which would silently match nothing or everything. */
function refuseOtherStatus({ sent }: Parts, values: readonly string[]): void {
  const other = values.find((value) => !STATUSES.includes(fold(value.trim()) as Status))
  if (other === undefined) return
  const near = closest(other, STATUSES)
  fail(
    sent,
    `there is no status "${excerpt(other)}". ${near ? `Did you mean "${near}"? ` : ""}Valid: ${STATUSES.join(", ")}`,
  )
}

function phoneCondition(parts: Parts): Condition {
  checkValue(parts, SAME)
  const { key, numbers } = soughtPhone(parts.value)
  if (key === null)
    fail(parts.sent, `"${excerpt(parts.value)}" has no letters or digits to compare a phone with`)
  return { on: "phone", not: false, key, numbers }
}

function exactCondition(parts: Parts): Condition {
  checkValue(parts, SAME)
  return { on: "source_id", not: false, value: parts.value.trim() }
}

function numberCondition(parts: Parts, field: NumberField | TimeField | "score"): Condition {
  const { not, name } = positive(parts, NUMBER_OPERATORS)
  checkValue(parts, name)
  const values = NO_VALUE.has(name) ? [] : numbers(parts, name, TIMES.has(field))
  return { on: "number", not, field, operator: name as NumberOperator, values }
}

function numbers(parts: Parts, operator: string, isTime: boolean): number[] {
  const texts = operator === "in" || operator === "between" ? listOf(parts) : [parts.value]
  const values = texts.map((text) => {
    const problem = isTime ? unitProblem(text) : undefined
    if (problem !== undefined) fail(parts.sent, `"${excerpt(text)}" ${problem}`)
    const value = isTime ? parseTime(text) : parseNumber(text)
    if (value === undefined) {
      fail(
        parts.sent,
        `"${excerpt(text)}" is not ${isTime ? "a time: give Unix seconds or an ISO date" : "a number"}` +
          (parts.field.startsWith("attr:") ? ", nor an ISO date" : ""),
      )
    }
    return value
  })
  refuseOddRange(parts, operator, values)
  return values
}

function refuseOddRange({ sent }: Parts, operator: string, values: readonly number[]): void {
  if (operator === "between" && (values.length !== 2 || values[0]! > values[1]!))
    fail(sent, "between takes low,high with low not above high")
}

function tagsCondition(parts: Parts): Condition {
  const { not, name } = positive(parts, TAG_OPERATORS)
  const tags = itemsReading(parts, name)!
  return { on: "tags", not, ...tags }
}

/** The condition that an operator stands for on tags and list attributes. */
function itemsReading(parts: Parts, name: string): AttributeCondition["items"] {
  if (name === "array_empty" || name === "is_empty") {
    checkValue(parts, name)
    return { operator: "is_empty", values: [] }
  }
  checkValue(parts, name)
  if (name === "contains" || name === "array_contains")
    return { operator: "any", values: [fold(parts.value.trim())] }
  const operator = name === "array_contains_all" ? "all" : name === "array_contains_any" ? "any" : undefined
  return operator && { operator, values: [...new Set(listOf(parts).map(fold))] }
}

/** Matches leads that an import created or merged. */
function importCondition(parts: Parts): Condition {
  const { not, name } = positive(parts, IMPORT_OPERATORS)
  checkValue(parts, name)
  return { on: "import", not, id: parts.value.trim() }
}

function contactableCondition(parts: Parts): Condition {
  const { not, name } = positive(parts, CONTACTABLE_OPERATORS)
  checkValue(parts, name)
  const value = fold(parts.value)
  if (value !== "true" && value !== "false") fail(parts.sent, "contactable is true or false")
  return { on: "suppressed", not: (value === "true") !== not }
}

function locationCondition(parts: Parts): Condition {
  const { not, name } = positive(parts, LOCATION_OPERATORS)
  checkValue(parts, name)
  if (name === "is_set") return { on: "location", not, operator: "is_set" }
  const [latitude, longitude, kilometres, ...more] = parts.value.split(",").map(parseNumber)
  if (latitude === undefined || longitude === undefined || kilometres === undefined || more.length > 0) {
    fail(parts.sent, "within_radius takes lat,lng,km such as 52.52,13.405,25")
  }
  if (Math.abs(latitude) > 90)
    fail(parts.sent, "the latitude must be from -90 to 90; the order is lat,lng,km")
  if (Math.abs(longitude) > 180)
    fail(parts.sent, "the longitude must be from -180 to 180; the order is lat,lng,km")
  if (kilometres < 0) fail(parts.sent, "the radius in km must not be negative")
  return { on: "location", not, operator: "within", latitude, longitude, kilometres }
}

function attributeCondition(parts: Parts, name: string): Condition {
  if (name === "") fail(parts.sent, "name the attribute: attr:<name>")
  const { not, name: operator } = positive(parts, ATTRIBUTE_OPERATORS)
  checkValue(parts, operator)
  if (operator === "is_empty" || operator === "array_empty")
    return { on: "attribute", not, name, empty: true }
  return { on: "attribute", not, name, ...readings(parts, operator) }
}

const COMPARING = new Set(["gt", "gte", "lt", "lte", "between"])

/** Numbers compare with attributes that are numbers, ISO dates with those that are dates. */
function comparedReading(
  parts: Parts,
  operator: NumberOperator,
): Pick<AttributeCondition, "numbers" | "dates"> {
  const texts = operator === "between" ? listOf(parts) : [parts.value]
  const dates = texts.flatMap((text) => isoSeconds(text) ?? [])
  if (dates.length < texts.length) return { numbers: { operator, values: numbers(parts, operator, false) } }
  refuseOddRange(parts, operator, dates)
  return { dates: { operator, values: dates } }
}

/**
 * The conditions that an operator stands for on a text, a number, a date, a boolean and a list: the type of the stored
 * attribute decides.
 */
function readings(parts: Parts, operator: string): Omit<AttributeCondition, "on" | "name"> {
  if (COMPARING.has(operator)) return comparedReading(parts, operator as NumberOperator)
  if (operator === "eq" || operator === "in") {
    const values = operator === "in" ? listOf(parts) : [parts.value]
    const numeric = values.flatMap((value) => parseNumber(value) ?? [])
    const dates = values.flatMap((value) => isoSeconds(value) ?? [])
    const truth =
      operator === "eq" && /^(true|false)$/i.test(parts.value) ? fold(parts.value) === "true" : undefined
    return {
      texts: { operator, values: values.map(fold) },
      ...(numeric.length > 0 && { numbers: { operator, values: numeric } }),
      ...(dates.length > 0 && { dates: { operator, values: dates } }),
      ...(truth !== undefined && { bool: truth }),
    }
  }
  const isText = operator === "contains" || operator === "starts_with" || operator === "ends_with"
  return {
    ...(isText && { texts: { operator, values: [fold(parts.value)] } }),
    items: itemsReading(parts, operator),
  }
}
