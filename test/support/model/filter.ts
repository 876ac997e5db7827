// The filter language of DECISIONS "Filters", read and applied to one lead at a time.
import { type ModelAttribute, type ModelLead, NUMBERS, TEXTS, TIMES } from "./lead.ts"
import { lower } from "./text.ts"

export interface Filter {
  logic: "and" | "or"
  operator: string
  /** A standard field, `tags`, `location` or `attr:<name>`, without quotes. */
  field: string
  value: string
}

/** Reads `logic.operator.field.value`; the value keeps its dots and may be missing. Throws on anything unknown. */
export function parseFilter(text: string): Filter {
  const match = text.match(/^(and|or)\.([a-z_]+)\.(attr:)?(?:"([^"]*)"|([^.]*))(?:\.(.*))?$/s)
  if (!match) throw new Error(`not a filter: ${text}`)
  const [, logic, operator = "", attribute = "", quoted, bare = "", value = ""] = match
  const field = attribute + (quoted ?? bare)
  if (!operatorsOf(field).includes(operator)) throw new Error(`no ${operator} on ${field}`)
  checkValue(field, operator, value)
  return { logic: logic as Filter["logic"], operator, field, value }
}

/** Throws when a standard field that takes numbers is held against something else. */
function checkValue(field: string, operator: string, value: string): void {
  if (EMPTINESS.includes(operator) || operator.endsWith("_set")) return
  const isTime = includes(TIMES, field)
  if (!isTime && !includes(NUMBERS, field) && field !== "score" && field !== "location") return
  const numbers = items(value).map(isTime ? parseTime : parseNumber)
  const wanted = { between: 2, within_radius: 3, in: numbers.length, not_in: numbers.length }[operator] ?? 1
  if (numbers.length !== wanted || numbers.some(Number.isNaN))
    throw new Error(`not a value for ${operator}: ${value}`)
}

function includes(fields: readonly string[], field: string): boolean {
  return fields.includes(field)
}

const EMPTINESS = ["is_empty", "is_not_empty", "not_empty"]
const TEXT_OPERATORS = [
  "eq",
  "neq",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "in",
  "not_in",
  ...EMPTINESS,
]
const NUMBER_OPERATORS = ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "not_in", ...EMPTINESS]
const LIST_OPERATORS = [
  ...["array_contains", "array_not_contains", "array_contains_any", "array_contains_all", "array_empty"],
  ...["array_not_empty", "contains", "not_contains", ...EMPTINESS],
]

function operatorsOf(field: string): readonly string[] {
  if (field.startsWith("attr:")) return [...TEXT_OPERATORS, ...NUMBER_OPERATORS, ...LIST_OPERATORS]
  if (field === "tags") return LIST_OPERATORS
  if (field === "location") return ["within_radius", "is_set", "is_not_set"]
  if (includes(TEXTS, field)) return TEXT_OPERATORS
  if (field === "score" || includes([...NUMBERS, ...TIMES], field)) return NUMBER_OPERATORS
  throw new Error(`no field ${field}`)
}

/** Every `and` filter must hold, and if there are `or` filters at least one of them. */
export function matches(lead: ModelLead, filters: readonly Filter[]): boolean {
  const all = filters.filter((filter) => filter.logic === "and")
  const any = filters.filter((filter) => filter.logic === "or")
  return (
    all.every((filter) => holds(lead, filter)) &&
    (any.length === 0 || any.some((filter) => holds(lead, filter)))
  )
}

// Every negative operator is the opposite of a positive one, which never holds for an empty field: that is how
// `neq`, `not_contains` and `not_in` come to match empty fields.
const OPPOSITES: Record<string, string> = {
  neq: "eq",
  not_contains: "contains",
  not_in: "in",
  array_not_contains: "array_contains",
  is_not_empty: "is_empty",
  not_empty: "is_empty",
  array_not_empty: "array_empty",
  is_not_set: "is_set",
}

function holds(lead: ModelLead, { operator, field, value }: Filter): boolean {
  const opposite = OPPOSITES[operator]
  return opposite ? !positive(lead, field, opposite, value) : positive(lead, field, operator, value)
}

function positive(lead: ModelLead, field: string, operator: string, value: string): boolean {
  if (field === "tags") return onList(lead.tags, operator, value)
  if (field === "location") return onLocation(lead, operator, value)
  if (field.startsWith("attr:")) {
    return onAttribute(
      lead.attributes.find(({ name }) => name === field.slice("attr:".length)),
      operator,
      value,
    )
  }
  const stored = lead[field as keyof ModelLead] as string | number | null
  if (includes(TEXTS, field)) return onText(stored as string | null, operator, value)
  return onNumber(stored as number | null, operator, value, includes(TIMES, field) ? parseTime : parseNumber)
}

function onAttribute(attribute: ModelAttribute | undefined, operator: string, value: string): boolean {
  const stored = attribute?.value
  if (stored === undefined) return operator === "is_empty" || operator === "array_empty"
  if (typeof stored === "string") return onText(stored, operator, value)
  if (typeof stored === "number") return onNumber(stored, operator, value, parseNumber)
  if (typeof stored === "boolean") return operator === "eq" && lower(value) === String(stored)
  return Array.isArray(stored) && onList(stored, operator, value)
}

const items = (value: string) => value.split(",").map((item) => item.trim())

function onText(stored: string | null, operator: string, value: string): boolean {
  if (operator === "is_empty") return stored === null || stored === ""
  if (stored === null) return false
  const text = lower(stored)
  const wanted = lower(value)
  switch (operator) {
    case "eq":
      return text === wanted
    case "contains":
      return text.includes(wanted)
    case "starts_with":
      return text.startsWith(wanted)
    case "ends_with":
      return text.endsWith(wanted)
    case "in":
      return items(wanted).includes(text)
    default:
      return false
  }
}

type Parse = (text: string) => number

function onNumber(stored: number | null, operator: string, value: string, parse: Parse): boolean {
  if (operator === "is_empty") return stored === null
  if (stored === null) return false
  switch (operator) {
    case "in":
      return items(value).map(parse).includes(stored)
    case "between": {
      const [low, high] = items(value).map(parse)
      return low! <= stored && stored <= high!
    }
    case "eq":
      return stored === parse(value)
    case "gt":
      return stored > parse(value)
    case "gte":
      return stored >= parse(value)
    case "lt":
      return stored < parse(value)
    case "lte":
      return stored <= parse(value)
    default:
      return false
  }
}

/** NaN, which equals and exceeds nothing, when the text is no number. */
function parseNumber(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text)
}

/** Unix seconds, or an ISO date; one without a zone is UTC. */
function parseTime(text: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes("T")
  return Date.parse(zoned ? text : `${text}Z`) / 1_000
}

function onList(stored: readonly string[], operator: string, value: string): boolean {
  const has = (tag: string) => stored.some((own) => lower(own) === lower(tag))
  switch (operator) {
    case "array_contains":
    case "contains":
      return has(value)
    case "array_contains_any":
      return items(value).some(has)
    case "array_contains_all":
      return items(value).every(has)
    case "array_empty":
    case "is_empty":
      return stored.length === 0
    default:
      return false
  }
}

function onLocation({ latitude, longitude }: ModelLead, operator: string, value: string): boolean {
  if (latitude === null || longitude === null) return false
  if (operator === "is_set") return true
  const [lat, lng, km] = items(value).map(parseNumber)
  return haversine(latitude, longitude, lat!, lng!) <= km!
}

/** Great-circle distance in km between two points in degrees, on a sphere of 6,371 km. */
export function haversine(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const a =
    Math.sin(radians(lat2 - lat1) / 2) ** 2 +
    Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * Math.sin(radians(lng2 - lng1) / 2) ** 2
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)))
}
