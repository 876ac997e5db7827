// The filter language of docs/filters.md, read strictly and applied to one lead at a time.

import { phoneKey } from "../../../src/text/text.ts"
import { valuesOf } from "./contacts.ts"
import { asList } from "./filter-lists.ts"
import { asNumber, asTime, items, parseNumber, within } from "./filter-values.ts"
import { type ModelAttribute, type ModelLead, NUMBERS, TEXTS, TIMES } from "./lead.ts"
import { lower } from "./text.ts"

export { haversine } from "./filter-values.ts"

interface Filter {
  logic: "and" | "or"
  holds(lead: ModelLead): boolean
}

/** What is asked of one kind of value, once the operator and its value are read. */
type Test<T> = (stored: T) => boolean

/** Every `and` filter must hold, and if there are `or` filters at least one of them. */
export function matches(lead: ModelLead, filters: readonly Filter[]): boolean {
  const any = filters.filter(({ logic }) => logic === "or")
  return (
    filters.every(({ logic, holds }) => logic === "or" || holds(lead)) &&
    (any.length === 0 || any.some(({ holds }) => holds(lead)))
  )
}

// Every negative operator is the opposite of a positive one, which never holds for an empty field: that is how
// `neq`, `not_contains` and `not_in` come to match empty fields.
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["neq", "eq"],
  ["not_contains", "contains"],
  ["not_in", "in"],
  ["array_not_contains", "array_contains"],
  ["is_not_empty", "is_empty"],
  ["not_empty", "is_empty"],
  ["array_not_empty", "array_empty"],
  ["is_not_set", "is_set"],
])

/** Reads `logic.operator.field.value`; the value keeps its dots and may be missing. Throws on what would get 400. */
export function parseFilter(text: string): Filter {
  if (!text.isWellFormed() || text.includes("\0")) throw new Error("nothing like it can be stored")
  const { logic, operator, field, value } = split(text)
  if (logic !== "and" && logic !== "or") throw new Error(`no logic: ${text}`)
  if (!operatorsOf(field).includes(operator)) throw new Error(`no ${operator} on ${field}`)
  const opposite = OPPOSITES.get(operator)
  const test = testOf(field, opposite ?? operator, value)
  return { logic, holds: opposite === undefined ? test : (lead) => !test(lead) }
}

function split(text: string) {
  const [logic = "", operator = "", ...rest] = text.split(".")
  if (rest.length === 0) throw new Error(`not a filter: ${text}`)
  const afterOperator = rest.join(".")
  const prefix = afterOperator.startsWith('attr:"') ? "attr:" : ""
  const named = afterOperator.slice(prefix.length)
  if (!named.startsWith('"')) {
    const [field = "", ...value] = rest
    return { logic, operator, field, value: value.join(".") }
  }
  const { name, after } = unquote(named)
  if (after !== "" && !after.startsWith(".")) throw new Error(`something after the quotes: ${text}`)
  return { logic, operator, field: prefix + name, value: after.slice(1) }
}

/** The name in quotes that a text begins with, in which a quote is written twice, and what comes after it. */
export function unquote(text: string): { name: string; after: string } {
  let name = ""
  for (let i = 1; i < text.length; i++) {
    if (text[i] !== '"') name += text[i]
    else if (text[i + 1] === '"') name += text[i++]
    else return { name, after: text.slice(i + 1) }
  }
  throw new Error(`no closing quote: ${text}`)
}

const EMPTINESS = ["is_empty", "is_not_empty", "not_empty"]
const TEXT_OPERATORS = "eq neq contains not_contains starts_with ends_with in not_in".split(" ")
const NUMBER_OPERATORS = "eq neq gt gte lt lte between in not_in".split(" ")
const ARRAY_OPERATORS = "contains not_contains contains_any contains_all empty not_empty"
  .split(" ")
  .map((name) => `array_${name}`)
const LIST_OPERATORS = [...ARRAY_OPERATORS, "contains", "not_contains"]

function operatorsOf(field: string): readonly string[] {
  if (field.startsWith("attr:") && field !== "attr:")
    return [...TEXT_OPERATORS, ...NUMBER_OPERATORS, ...ARRAY_OPERATORS, ...EMPTINESS]
  if (field === "tags") return [...LIST_OPERATORS, ...EMPTINESS]
  if (field === "location") return ["within_radius", "is_set", "is_not_set"]
  if (includes(TEXTS, field)) return [...TEXT_OPERATORS, ...EMPTINESS]
  if (field === "score" || includes([...NUMBERS, ...TIMES], field)) return [...NUMBER_OPERATORS, ...EMPTINESS]
  throw new Error(`no field ${field}`)
}

function includes(fields: readonly string[], field: string): boolean {
  return fields.includes(field)
}

function testOf(field: string, operator: string, value: string): Test<ModelLead> {
  checkValue(operator, value)
  if (field === "tags") {
    const test = asList(operator, value)!
    return ({ tags }) => test(tags)
  }
  if (field === "location") return onLocation(operator, value)
  if (field.startsWith("attr:")) return onAttribute(field.slice("attr:".length), operator, value)
  if (field === "status") checkStatus(operator, value)
  const key = field as keyof ModelLead
  if (includes(TEXTS, field)) {
    const test = field === "phone" ? asPhone(operator, value) : asText(operator, value)!
    if ((field === "email" || field === "phone") && operator !== "is_empty")
      return (lead) => valuesOf(lead, `${field}s`).some(test)
    return (lead) => test(lead[key] as string | null)
  }
  const test = (includes(TIMES, field) ? asTime : asNumber)(operator, value)!
  return (lead) => test(lead[key] as number | null)
}

/** A part of a phone is looked for in its digits, too. */
function asPhone(operator: string, value: string): Test<string | null> {
  const test = asText(operator, value)!
  const digits = /^[\d\s()/.+-]+$/.test(value) ? value.replace(/\D+/g, "") : ""
  const sought = digits.length < 9 ? digits : digits.replace(/^0+/, "")
  if (sought.length < 3 || !/(contains|ends_with)$/.test(operator)) return test
  const has = (phone: string | null) => {
    const key = (phone && phoneKey(phone)) ?? ""
    return operator === "ends_with" ? key.endsWith(sought) : key.includes(sought)
  }
  return operator.startsWith("not_")
    ? (phone) => test(phone) && !has(phone)
    : (phone) => test(phone) || has(phone)
}

function checkValue(operator: string, value: string): void {
  const takesNone = ["is_empty", "array_empty", "is_set"].includes(operator)
  if (takesNone ? value !== "" && value !== "true" : value === "")
    throw new Error(`not a value for ${operator}: "${value}"`)
}

function checkStatus(operator: string, value: string): void {
  const named = operator === "in" ? items(value) : operator === "eq" ? [value] : []
  const known = ["new", "contacted", "qualified", "disqualified", "converted"]
  const other = named.find((status) => !known.includes(lower(status.trim())))
  if (other !== undefined) throw new Error(`no status "${other}"`)
}

function onLocation(operator: string, value: string): Test<ModelLead> {
  if (operator === "is_set") return ({ latitude, longitude }) => latitude !== null && longitude !== null
  const test = within(value)
  return ({ latitude, longitude }) => test([latitude, longitude])
}

function asText(operator: string, value: string): Test<string | null> | undefined {
  const wanted = lower(value)
  const about = (test: Test<string>) => (stored: string | null) => stored !== null && test(lower(stored))
  switch (operator) {
    case "is_empty":
      return (stored) => stored === null || stored === ""
    case "eq":
      return about((text) => text === wanted)
    case "contains":
      return about((text) => text.includes(wanted))
    case "starts_with":
      return about((text) => text.startsWith(wanted))
    case "ends_with":
      return about((text) => text.endsWith(wanted))
    case "in": {
      const any = new Set(items(value).map(lower))
      return about((text) => any.has(text))
    }
  }
  return undefined
}

const COMPARISONS = ["gt", "gte", "lt", "lte", "between"]

/** What is asked of an attribute depends on the type that is stored; a type that has no such operator never matches. */
function onAttribute(name: string, operator: string, value: string): Test<ModelLead> {
  const onText = asText(operator, value)
  const onItems = asList(operator, value)
  const onNumber = COMPARISONS.includes(operator) ? asNumber(operator, value) : lenientNumber(operator, value)
  function holds({ value: stored }: ModelAttribute): boolean {
    if (typeof stored === "string") return onText?.(stored) ?? (operator === "array_empty" && stored === "")
    if (typeof stored === "number") return onNumber?.(stored) ?? false
    if (typeof stored === "boolean") return operator === "eq" && lower(value) === String(stored)
    return Array.isArray(stored) && (onItems?.(stored) ?? false)
  }
  const isMissing = operator === "is_empty" || operator === "array_empty"
  return ({ attributes }) => {
    const attribute = attributes.find((one) => one.name === name)
    return attribute ? holds(attribute) : isMissing
  }
}

/** `eq` and `in` also read texts: what is no number among their values equals no number. */
function lenientNumber(operator: string, value: string): Test<number> | undefined {
  if (operator !== "eq" && operator !== "in") return undefined
  const numbers = (operator === "in" ? items(value) : [value]).map(parseNumber)
  return (stored) => numbers.includes(stored)
}
