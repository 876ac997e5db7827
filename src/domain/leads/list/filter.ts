import * as v from "valibot"
import type { AttributeCondition, Condition, LeadFilter } from "../../../filters/lead-query.ts"
import { NUMBER, type NumberOperator, namesOf, TEXT, type TextOperator } from "../../../filters/operators.ts"
import { emailText, ownScript } from "../../../lead/contacts.ts"
import { fail, listOf, type Parts, SAME, split, textsOf } from "../../../lead/filter-parts.ts"
import {
  NUMBER_FIELDS,
  type NumberField,
  STATUSES,
  type Status,
  TEXT_FIELDS,
  type TextField,
  TIME_FIELDS,
  type TimeField,
} from "../../../lead/lead.ts"
import { comparedText } from "../../../lead/lead-keys.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { attributeSpanOf, type Calendar, RELATIVE_DATES } from "../../../text/dates.ts"
import { withoutInvisible } from "../../../text/invisible.ts"
import { parseNumber } from "../../../text/moment.ts"
import { soughtPhone } from "../../../text/phone.ts"
import { closest, excerpt, fold } from "../../../text/text.ts"
import { refuseOddRange, refuseOddSpans, spans, timeTests } from "./filter-times.ts"

export const FILTERS_MAX = 50
/** Filters as an input for `parseFilters`; a single filter may come without the list around it. */
export const Filters = v.array(v.string("must be text"), "must be a list of filters")
/** Characters of a filter's text value. */
export const FILTER_TEXT_MAX = 1_000
/** Bytes of all filters of a request. */
export const FILTERS_BYTES_MAX = 16 * 1024

export const TEXT_OPERATORS = namesOf(TEXT)
export const NUMBER_OPERATORS = namesOf(NUMBER)
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
export const ID_OPERATORS = ["eq", "in"] as const
export const CONTACTABLE_OPERATORS = ["eq", "neq"] as const
export const ATTRIBUTE_OPERATORS = [
  ...new Set([...TEXT_OPERATORS, ...NUMBER_OPERATORS, ...TAG_OPERATORS.slice(0, 6)]),
]

const SAMEABLE: ReadonlySet<string> = new Set(["phone", "source_id"])
const NUMBERS: ReadonlySet<string> = new Set([...NUMBER_FIELDS, "score"])
const TIMES: ReadonlySet<string> = new Set(TIME_FIELDS)
const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS)
/** Whether a lead may be written to, and whether it is on the do-not-contact list: each is the other's opposite. */
export const CONTACTABLE: readonly string[] = ["contactable", "suppressed"]
const FIELDS = [
  ...TEXT_FIELDS,
  ...NUMBER_FIELDS,
  "score",
  ...TIME_FIELDS,
  "tags",
  "location",
  "import",
  ...CONTACTABLE,
  "id",
]

/**
 * Parses filters of the form `logic.operator.field.value`; days are those of the calendar's zone. Throws a `bad_request` that quotes the filter and lists
 * what would be valid.
 */
export function parseFilters(filters: readonly string[], calendar: Calendar): LeadFilter {
  if (filters.length > FILTERS_MAX)
    throw badRequest(`at most ${FILTERS_MAX} filters are taken, got ${filters.length}`)
  const bytes = filters.reduce((sum, sent) => sum + Buffer.byteLength(sent), 0)
  if (bytes > FILTERS_BYTES_MAX)
    throw badRequest(`all filters together are at most 16 KiB, these are ${Math.ceil(bytes / 1024)} KiB`)
  const filter: LeadFilter = { all: [], any: [] }
  for (const sent of filters) {
    const { where, condition } = parsedFilters.get(sent) ?? parsed(sent, calendar)
    filter[where].push(condition)
  }
  return filter
}

/** A condition, and where it belongs in a filter. */
interface Parsed {
  where: keyof LeadFilter
  condition: Condition
}

/** Conditions without a date by the text of their filter, of all accounts: most lists are asked for again and again. */
const parsedFilters = new Map<string, Parsed>()
const KEPT_MOST = 1_000
const KEPT_CHARACTERS = 200

function parsed(sent: string, calendar: Calendar): Parsed {
  const { logic, ...parts } = split(sent)
  const one: Parsed = {
    where: logic === "or" ? "any" : "all",
    condition: condition({ ...parts, calendar }),
  }
  const isDated = TIMES.has(parts.field) || parts.field.startsWith("attr:")
  if (isDated || sent.length > KEPT_CHARACTERS) return one
  if (parsedFilters.size >= KEPT_MOST) parsedFilters.clear()
  parsedFilters.set(sent, one)
  return one
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
  if (CONTACTABLE.includes(field)) return contactableCondition(parts)
  if (field === "id") return idCondition(parts)
  const near = closest(field, FIELDS)
  const hint = (FIELDS as readonly string[]).includes(parts.operator)
    ? `The operator comes before the field: ${excerpt(field)}.${parts.operator}`
    : near
      ? `Did you mean "${near}"?`
      : `A custom attribute is attr:${excerpt(field)}.`
  fail(
    parts.sent,
    `unknown field "${excerpt(field)}". ${hint} Fields are ${FIELDS.join(", ")} and attr:<name>`,
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
  const not = NEGATED[name]
  return not ? { not: true, name: not } : { not: false, name }
}

const ENTRIES = [...Object.entries(TEXT), ...Object.entries(NUMBER)]
/** What an operator turns round. */
const NEGATED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ENTRIES.flatMap(([name, { negated }]) => (negated ? [[negated, name]] : []))),
  array_not_contains: "array_contains",
  array_not_empty: "array_empty",
  is_not_set: "is_set",
}
const taking = (what: string) => ENTRIES.flatMap(([name, { takes }]) => (takes === what ? [name] : []))
const LISTING = new Set([...taking("list"), "array_contains_any", "array_contains_all"])
const NO_VALUE = new Set([...taking("nothing"), "array_empty", "is_set"])

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

function textCondition(parts: Parts, field: TextField): Condition {
  const { not, name } = positive(parts, SAMEABLE.has(field) ? [...TEXT_OPERATORS, SAME] : TEXT_OPERATORS)
  checkValue(parts, name)
  const values = name === "in" ? listOf(parts) : [parts.value]
  const digits =
    field === "phone" && (name === "contains" || name === "ends_with") && partOfPhone(parts.value)
  if (digits) {
    const text: Condition = {
      on: "text",
      not: false,
      field,
      operator: name,
      values: [sought(field, name, parts.value)],
    }
    return { on: "any", not, conditions: [text, { on: "digits", not: false, operator: name, digits }] }
  }
  if (field === "status" && (name === "eq" || name === "in")) refuseOtherStatus(parts, values)
  return {
    on: "text",
    not,
    field,
    operator: name as TextOperator,
    values: values.map((value) => sought(field, name, value)),
  }
}

/** Fewer digits are looked for as the text that they are. */
const DIGITS_LEAST = 3
/** From so many on, one 0 before them is that of a number within its country. */
const NATIONAL_LEAST = 9

/** The digits of a part of a phone; undefined for another text. */
export function partOfPhone(text: string): string | undefined {
  const digits = /^[\d\s()/.+-]+$/.test(text) ? text.replaceAll(/\D+/g, "") : ""
  if (digits.length < DIGITS_LEAST) return undefined
  return digits.length < NATIONAL_LEAST ? digits : digits.replace(/^0+/, "")
}

/** A text as it is looked for in a field: a whole email or address, or a part of one. */
function sought(field: TextField, operator: string, value: string): string {
  const isWhole = operator === "eq" || operator === "in"
  if (field === "email") return isWhole ? emailText(value) : ownScript(fold(withoutInvisible(value)))
  return comparedText(field, value)
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
  const operator = name as NumberOperator
  if (NO_VALUE.has(name)) return { on: "number", not, field, operator, values: [] }
  if (!TIMES.has(field)) return { on: "number", not, field, operator, values: numbers(parts, name) }
  const tests = timeTests(operator, spans(parts, name))
  return oneOf(
    not,
    tests.map((test) => ({ on: "number", not: false, field, ...test })),
  )
}

/** At least one of the conditions, which are turned round together. */
function oneOf(not: boolean, conditions: Condition[]): Condition {
  const [only] = conditions
  return conditions.length === 1 ? { ...only!, not } : { on: "any", not, conditions }
}

function numbers(parts: Parts, operator: string): number[] {
  const values = textsOf(parts, operator).map((text) => {
    const value = parseNumber(text)
    if (value !== undefined) return value
    const orDate = parts.field.startsWith("attr:") ? `, nor an ISO date, ${RELATIVE_DATES}` : ""
    return fail(parts.sent, `"${excerpt(text)}" is not a number${orDate}`)
  })
  if (operator === "between") refuseOddRange(parts, values.length, values[0]!, values[1]!)
  return values
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

function idCondition(parts: Parts): Condition {
  const { not, name } = positive(parts, ID_OPERATORS)
  checkValue(parts, name)
  const values = name === "in" ? [...new Set(listOf(parts))] : [parts.value.trim()]
  if (!values.every((id) => id.startsWith("cl_"))) fail(parts.sent, "id takes ids of leads, such as cl_…")
  return { on: "ids", not, values }
}

function contactableCondition(parts: Parts): Condition {
  const { not, name } = positive(parts, CONTACTABLE_OPERATORS)
  checkValue(parts, name)
  const value = fold(parts.value)
  if (value !== "true" && value !== "false") fail(parts.sent, `${parts.field} is true or false`)
  return { on: "suppressed", not: (value === "true") !== (not !== (parts.field === "suppressed")) }
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
  const read = readings(parts, operator)
  return oneOf(
    not,
    read.map((one) => ({ on: "attribute", not: false, name, ...one })),
  )
}

type Reading = Omit<AttributeCondition, "on" | "name">

/** Numbers compare with attributes that are numbers, dates with those that are dates. */
function comparedReading(parts: Parts, operator: NumberOperator): Reading {
  const dateSpans = textsOf(parts, operator).map((text) => attributeSpanOf(text, parts.calendar))
  if (!dateSpans.every((one) => one !== undefined))
    return { numbers: { operator, values: numbers(parts, operator) } }
  refuseOddSpans(parts, operator, dateSpans)
  return { dates: timeTests(operator, dateSpans)[0] }
}

/**
 * The conditions that an operator stands for on a text, a number, a date, a boolean and a list: the type of the stored
 * attribute decides. One of them must hold.
 */
function readings(parts: Parts, operator: string): Reading[] {
  if (Object.hasOwn(NUMBER, operator) && !Object.hasOwn(TEXT, operator))
    return [comparedReading(parts, operator as NumberOperator)]
  if (operator === "eq" || operator === "in") {
    const values = textsOf(parts, operator)
    const numeric = values.flatMap((value) => parseNumber(value) ?? [])
    const days = values.flatMap((value) => attributeSpanOf(value, parts.calendar) ?? [])
    refuseOddSpans(parts, operator, days)
    const [dates, ...others] = timeTests(operator, days)
    const truth =
      operator === "eq" && /^(true|false)$/i.test(parts.value) ? fold(parts.value) === "true" : undefined
    const comparison = {
      texts: { operator, values: values.map(fold) } as const,
      ...(numeric.length > 0 && { numbers: { operator, values: numeric } as const }),
      ...(dates && { dates }),
      ...(truth !== undefined && { bool: truth }),
    }
    return [comparison, ...others.map((dates) => ({ dates }))]
  }
  const isText = Object.hasOwn(TEXT, operator)
  return [
    {
      ...(isText && { texts: { operator: operator as TextOperator, values: [fold(parts.value)] } }),
      items: itemsReading(parts, operator),
    },
  ]
}
