// Parses `group_by` and `metrics` of aggregations.

import type {
  FigureFound,
  GroupFigure,
  GroupKey,
  GroupValue,
  LeadGroup,
  Measure,
} from "../../../lead/group-query.ts"
import {
  NUMBER_FIELDS,
  type NumberField,
  TEXT_FIELDS,
  type TextField,
  TIME_FIELDS,
  type TimeField,
} from "../../../lead/lead.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { QUARTER } from "../../../text/periods.ts"
import { closest, excerpt, fold } from "../../../text/text.ts"
import { attributeInTerm, terms } from "../list/fields.ts"

const KEYS_MAX = 3
const METRICS_MAX = 20
const NUMBERS = [...NUMBER_FIELDS, "score"] as const
const KEYS = [...TEXT_FIELDS, ...NUMBERS, ...TIME_FIELDS, "tags"] as const
const MEASURES = [...NUMBERS, ...TIME_FIELDS] as const
const KINDS = ["count", "sum", "avg", "min", "max", "median", "share", "distinct"] as const

interface Named<T> {
  /** As the request spells it. */
  name: string
  term: T
}

/** Parses `group_by`; numbers are grouped in bands of `step`. Throws `bad_request`. */
export function parseKeys(sent: readonly string[], step?: number): Named<GroupKey>[] {
  const names = terms(sent)
  if (names.length === 0)
    throw badRequest(`group_by is required: one to three of ${KEYS.join(", ")}, attr:<name>`)
  if (names.length > KEYS_MAX)
    throw badRequest(`group_by takes at most ${KEYS_MAX} fields, got ${names.length}`)
  refuseTwice("group_by", names)
  const keys = names.map((name) => ({ name, term: keyOf(name, "group_by") }))
  if (step === undefined) return keys
  if (!keys.some(({ term }) => term.on === "number"))
    throw badRequest(`step is for numbers: group_by has none of ${NUMBERS.join(", ")}`)
  return keys.map(({ name, term }) => ({ name, term: term.on === "number" ? { ...term, step } : term }))
}

/** The value of a group in answers: a band is shown by its lower end. */
export function toldValue(key: GroupKey, value: GroupValue): GroupValue {
  const isBand = key.on === "number" && key.step !== undefined && typeof value === "number"
  return isBand ? Number((value * key.step!).toPrecision(12)) : value
}

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw badRequest(`${what} has "${excerpt(twice)}" twice`)
}

function keyOf(name: string, where: string): GroupKey {
  const attribute = attributeInTerm(name)
  if (attribute !== undefined) return { on: "attribute", name: attribute }
  if (name === "tags") return { on: "tags" }
  if (TEXT_FIELDS.includes(name as TextField)) return { on: "text", field: name as TextField }
  if (NUMBERS.includes(name as NumberField)) return { on: "number", field: name as NumberField }
  if (TIME_FIELDS.includes(name as TimeField)) return { on: "time", field: name as TimeField, step: QUARTER }
  throw unknown(name, where, [...KEYS, "attr:<name>"])
}

function unknown(name: string, where: string, valid: readonly string[]) {
  const near = closest(name, valid)
  return badRequest(
    `${where} has an unknown field "${excerpt(name)}". ${near ? `Did you mean "${near}"? ` : ""}` +
      `Valid: ${valid.join(", ")}`,
  )
}

/** The definition of a metric: the figure that the store computes, and the value from it. */
interface GroupMetric {
  /** Undefined when the number of leads is all it needs. */
  figure: GroupFigure | undefined
  of(count: number, figure: FigureFound | undefined): number | null
}

/** Parses `metrics`; the default is `count`. Throws `bad_request`. */
export function parseMetrics(sent: readonly string[] | undefined): Named<GroupMetric>[] {
  const names = sent === undefined ? ["count"] : terms(sent)
  if (names.length > METRICS_MAX)
    throw badRequest(`at most ${METRICS_MAX} metrics are taken, got ${names.length}`)
  refuseTwice("metrics", names)
  return names.map((name) => ({ name, term: metricOf(name) }))
}

const EXAMPLES = "count, sum:rating, avg:score, median:review_count, share:status=converted, distinct:city"

function metricOf(name: string): GroupMetric {
  const colon = name.indexOf(":")
  const kind = colon < 0 ? name : name.slice(0, colon)
  const rest = colon < 0 ? "" : name.slice(colon + 1)
  if (!KINDS.includes(kind as "count")) {
    const near = closest(kind, KINDS)
    throw badRequest(
      `unknown metric "${excerpt(name)}". ${near ? `Did you mean "${near}"? ` : ""}Metrics are such as ${EXAMPLES}`,
    )
  }
  if (kind === "count") {
    if (colon >= 0) throw badRequest(`the metric count takes no field, got "${excerpt(name)}"`)
    return { figure: undefined, of: (count) => count }
  }
  if (rest === "") throw badRequest(`the metric ${kind} needs a field, such as in ${EXAMPLES}`)
  if (kind === "share") return share(name, rest)
  if (kind === "distinct") return distinct(rest)
  const of = measureOf(rest, kind)
  if (kind === "median") return { figure: { kind: "numbers", of }, of: (_, amount) => medianOf(amount) }
  return { figure: { kind: "sum", of }, of: (_, amount) => sumOf(kind, amount) }
}

function measureOf(name: string, kind: string): Measure {
  const attribute = attributeInTerm(name)
  if (attribute !== undefined) return { on: "attribute", name: attribute }
  if (MEASURES.includes(name as NumberField)) return { on: "number", field: name as NumberField }
  throw unknown(name, `the metric ${kind}`, [...MEASURES, "attr:<name>"])
}

function share(name: string, rest: string): GroupMetric {
  const equals = rest.indexOf("=")
  const field = equals < 0 ? rest : rest.slice(0, equals)
  if (equals < 0) throw badRequest(`the metric "${excerpt(name)}" needs a value: share:status=converted`)
  if (!TEXT_FIELDS.includes(field as TextField)) throw unknown(field, "the metric share", TEXT_FIELDS)
  const value = rest.slice(equals + 1)
  return {
    figure: { kind: "equal", field: field as TextField, value: value === "" ? null : fold(value) },
    of: (count, amount) => (amount && "equal" in amount && count > 0 ? rounded(amount.equal / count) : null),
  }
}

function distinct(rest: string): GroupMetric {
  const of = keyOf(rest, "the metric distinct")
  if (of.on === "tags")
    throw badRequest("the metric distinct takes fields and attributes, not tags: group by them")
  const exact = of.on === "time" ? { ...of, step: 1 } : of
  return {
    figure: { kind: "distinct", of: exact },
    of: (_, amount) => (amount && "distinct" in amount ? amount.distinct.size : 0),
  }
}

function sumOf(kind: string, amount: FigureFound | undefined): number | null {
  if (!amount || !("sum" in amount)) return null
  if (kind === "sum") return rounded(amount.sum)
  if (kind === "avg") return amount.n > 0 ? rounded(amount.sum / amount.n) : null
  return kind === "min" ? amount.min : amount.max
}

function medianOf(amount: FigureFound | undefined): number | null {
  if (!amount || !("numbers" in amount) || amount.numbers.length === 0) return null
  const sorted = Float64Array.from(amount.numbers).sort()
  const half = sorted.length >> 1
  return rounded(sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2)
}

/** Rounds to a millionth: smaller digits are errors of floating-point sums. */
function rounded(n: number): number {
  return Math.round(n * 1e6) / 1e6
}

/** The distinct figures that metrics need, and the index of each metric's figure. */
export function figuresOf(metrics: readonly Named<GroupMetric>[]): {
  figures: GroupFigure[]
  values(group: Pick<LeadGroup, "count" | "found">): (number | null)[]
} {
  const at = new Map<string, number>()
  const figures: GroupFigure[] = []
  for (const { term } of metrics) {
    if (!term.figure) continue
    const name = JSON.stringify(term.figure)
    if (!at.has(name)) at.set(name, figures.push(term.figure) - 1)
  }
  return {
    figures,
    values: ({ count, found }) =>
      metrics.map(({ term }) => term.of(count, term.figure && found[at.get(JSON.stringify(term.figure))!])),
  }
}
