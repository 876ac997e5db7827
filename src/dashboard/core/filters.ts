// Filters as people see them, and as the API writes them: `logic.operator.field.value`.

import { day, dayText, words } from "./format.ts"
import { leadColumns } from "./lead-columns.ts" with { type: "macro" }
import { t } from "./text.ts"
import type { Attribute, Lead } from "./types.ts"

type FilterKind = "text" | "number" | "time" | "tags" | "status" | "attribute" | "location"

export interface Filter {
  logic: "and" | "or"
  operator: string
  field: string
  value: string
}

export interface Field {
  name: string
  label: string
  kind: FilterKind
  /** How wide its column is, in pixels. */
  width: number
  /** No value can be typed for it where it is shown: the service sets it, or it has a form of its own. */
  isReadOnly: boolean
}

/** Every field of a lead that can be a column or a filter. */
export const FILTER_FIELDS: readonly Field[] = leadColumns().map(
  ([name, label, kind, width, isReadOnly = false]) => ({
    name,
    // The macro has run without a language.
    label: t(label),
    kind,
    width,
    isReadOnly,
  }),
)

const BY_NAME = new Map(FILTER_FIELDS.map((field) => [field.name, field]))

export function fieldOf(name: string): Field {
  const byName = BY_NAME.get(name)
  if (byName) return byName
  const other = { name, width: 150, isReadOnly: true }
  if (name === "location") return { ...other, label: t("Location"), kind: "location" }
  if (name.startsWith("attr:")) return { ...other, label: name.slice(5), kind: "attribute", width: 140 }
  return { ...other, label: words(name), kind: "text" }
}

/** An operator of the form alone: longer ago than so many days. */
export const DAYS_AGO = "days_ago"

type Operators = readonly (readonly [operator: string, words: string])[]

/** Operators in words, unless a kind of field has others for them. */
const WORDS: Readonly<Record<string, string>> = {
  eq: t("is"),
  neq: t("is not"),
  contains: t("contains"),
  not_contains: t("does not contain"),
  starts_with: t("begins with"),
  ends_with: t("ends with"),
  in: t("is one of"),
  not_in: t("is none of"),
  gte: t("at least"),
  lte: t("at most"),
  gt: t("more than"),
  lt: t("less than"),
  between: t("between"),
  array_contains: t("has"),
  is_empty: t("is empty"),
  is_not_empty: t("is filled in"),
}
const operators = (names: string): Operators => names.split(",").map((name) => [name, WORDS[name] ?? name])

/** The operators of each kind, in words. */
export const OPERATORS: Readonly<Record<FilterKind, Operators>> = {
  text: operators("eq,neq,contains,not_contains,starts_with,ends_with,in,not_in,is_empty,is_not_empty"),
  status: operators("eq,neq,in,not_in"),
  number: operators("gte,lte,eq,neq,gt,lt,between,is_empty,is_not_empty"),
  attribute: operators("eq,neq,contains,gte,lte,between,array_contains,is_empty,is_not_empty"),
  time: [
    ["gte", t("since")],
    ["lt", t("before")],
    ["eq", t("is on")],
    ["lte", t("is up to")],
    [DAYS_AGO, t("was more than so many days ago")],
    ["between", t("between")],
    ["is_empty", t("is never")],
    ["is_not_empty", t("is ever")],
  ],
  tags: [
    ["array_contains", t("has")],
    ["array_not_contains", t("has not")],
    ["array_contains_any", t("has one of")],
    ["array_contains_all", t("has all of")],
    ["array_empty", t("are none")],
    ["array_not_empty", t("are some")],
  ],
  location: [
    ["within_radius", t("within")],
    ["is_set", t("is known")],
    ["is_not_set", t("is not known")],
  ],
}

const WITHOUT_VALUE = new Set(
  "is_empty,is_not_empty,not_empty,array_empty,array_not_empty,is_set,is_not_set".split(","),
)
export const takesValue = (operator: string) => !WITHOUT_VALUE.has(operator)

/** `and.eq.city.Berlin` in parts; undefined for what is no filter. */
export function readFilter(text: string): Filter | undefined {
  const [logic = "", operator = "", ...rest] = text.split(".")
  if ((logic !== "and" && logic !== "or") || rest.length === 0) return undefined
  const tail = rest.join(".")
  const quoted = /^(?:attr:)?"(?:[^"]|"")*"/.exec(tail)?.[0]
  if (quoted === undefined) {
    const [field = "", ...value] = rest
    return { logic, operator, field, value: value.join(".") }
  }
  const field = quoted.replace(/"((?:[^"]|"")*)"$/, (_, name: string) => name.replaceAll('""', '"'))
  return { logic, operator, field, value: tail.slice(quoted.length + 1) }
}

/** A filter as the API takes it: before a day that moves on, in place of so many days ago. */
export function asAsked(filter: Filter): Filter {
  return filter.operator === DAYS_AGO ? { ...filter, operator: "lt", value: `${filter.value}d` } : filter
}

/** A filter as the form shows it: the inverse of `asAsked`. */
export function asShown(filter: Filter): Filter {
  const days = /^(\d+)d$/.exec(filter.value)?.[1]
  const isDaysAgo = filter.operator === "lt" && days !== undefined && fieldOf(filter.field).kind === "time"
  return isDaysAgo ? { ...filter, operator: DAYS_AGO, value: days } : filter
}

export function writeFilter({ logic, operator, field, value }: Filter): string {
  const name =
    field.startsWith("attr:") && /[."]/.test(field) ? `attr:"${field.slice(5).replaceAll('"', '""')}"` : field
  return `${logic}.${operator}.${name}.${takesValue(operator) ? value : ""}`.replace(
    /\.$/,
    takesValue(operator) ? "." : "",
  )
}

/** How people call the values of a field, by those who know them. */
export const VALUE_NAMES: Record<string, (value: string) => string> = {}

/** A filter as a phrase: `City is Berlin`. */
export function phrase(filter: Filter): string {
  const { operator, field, value } = asShown(filter)
  const { label, kind } = fieldOf(field)
  if (operator === DAYS_AGO) return t("{label} more than {days} days ago", { label, days: value })
  if (operator === "same") return `${label} ${t("is exactly")} ${value}`
  const all = [...OPERATORS[kind], ...OPERATORS.text, ...OPERATORS.number]
  const verb = all.find(([name]) => name === operator)?.[1] ?? operator.replaceAll("_", " ")
  if (kind === "location" && operator === "within_radius") {
    const [lat, lng, km] = value.split(",")
    return t("Within {km} km of {lat}, {lng}", { km, lat, lng })
  }
  const names = VALUE_NAMES[field]
  if (names && takesValue(operator)) return `${label} ${verb} ${value.split(",").map(names).join(", ")}`
  const written = kind === "time" ? value.split(",").map(dayOf).join(t(" and ")) : value.replaceAll(",", ", ")
  return takesValue(operator) ? `${label} ${verb} ${written}` : `${label} ${verb}`
}

/** The text of a filter as a phrase; what is no filter stays. */
export function phraseOf(text: string): string {
  const filter = readFilter(text)
  return filter ? phrase(filter) : text
}

function dayOf(value: string): string {
  if (/^\d+$/.test(value)) return day(Number(value))
  return /^\d{4}-\d\d-\d\d/.test(value) ? dayText(value) : value
}

/** A field's or an attribute's value of a lead. */
export function leadValue(lead: Lead, name: string): unknown {
  if (!name.startsWith("attr:")) return (lead as unknown as Record<string, unknown>)[name]
  return attributeNamed(lead, name)?.value
}

function attributeNamed(lead: Lead, name: string): Attribute | undefined {
  return lead.attributes?.find((attribute) => attribute.name === name.slice("attr:".length))
}
