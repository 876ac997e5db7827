import * as v from "valibot"
import { described } from "../../../lead/described.ts"
import { count, oneOf, type Said, whole } from "../../../lead/fields.ts"
import { type GroupValue, type LeadGroup, together } from "../../../lead/group-query.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { memoize } from "../../../runtime/memoize.ts"
import { JsonText } from "../../../text/json-text.ts"
import { PERIODS, periodsIn, QUARTER } from "../../../text/periods.ts"
import { compareCodePoints, excerpt } from "../../../text/text.ts"
import { operation, question, type ReadContext } from "../../operation.ts"
import { choiceWords, sortOrderWords } from "../list/filter-words.ts"
import {
  attributesIn,
  leadSelectionEntries,
  neverContactedWarnings,
  SortOrder,
  unknownAttributeWarnings,
} from "../list/list.ts"
import { type LeadSelection, selectionOf } from "../list/selection.ts"
import { figuresOf, parseKeys, parseMetrics, toldValue } from "./aggregate-terms.ts"

const GROUPS_MAX = 1_000
const GROUPS_DEFAULT = 100

const list = (what: string) => v.array(v.string("must be text"), `must be a list of ${what}`)

const STEP = "must be a number above 0"
const Step = v.pipe(v.number(STEP), v.finite(STEP), v.gtValue(0, STEP))

/** The parameters of an aggregation. */
export const aggregateEntries = {
  group_by: list("fields"),
  metrics: v.optional(list("metrics")),
  by: v.optional(oneOf(PERIODS)),
  tz: v.optional(v.string("must be text")),
  step: v.optional(Step),
  filter: leadSelectionEntries.filter,
  q: leadSelectionEntries.q,
  segment: leadSelectionEntries.segment,
  contactable: leadSelectionEntries.contactable,
  sort: v.optional(v.string("must be text")),
  sort_order: v.optional(SortOrder),
}

const Row = v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])))
const AggregateOutput = v.strictObject({
  groups: v.array(Row),
  other: v.nullable(Row),
  total: count,
  warnings: v.optional(v.array(v.string())),
})

type Aggregation = Omit<Said<typeof aggregateEntries>, keyof LeadSelection> &
  LeadSelection & { limit?: number | undefined }

/**
 * Groups matching leads, with a property for each field and each metric, largest first by default. Groups beyond the
 * limit are summed up in `other`. A lead is in the group of each of its tags or list items; `total` counts it once.
 */
async function aggregate(
  ctx: ReadContext,
  asked: Aggregation,
): Promise<v.InferOutput<typeof AggregateOutput>> {
  const account = ctx.caller.account.key
  const keys = parseKeys(asked.group_by, asked.step)
  const metrics = parseMetrics(asked.metrics)
  const { figures, values } = figuresOf(metrics)
  const { filter, warnings: searched } = await selectionOf(ctx, asked)
  const terms = keys.map(({ term }) => term)
  const label = periodLabels(asked, terms, ctx.caller.account.time_zone)
  const isOnce = terms.every(({ on }) => on !== "tags" && on !== "attribute")
  const rows = await ctx.store.read.leads.groups(account, filter, terms, figures)
  const total = isOnce
    ? rows.reduce((sum, group) => sum + group.count, 0)
    : await ctx.store.read.leads.count(account, filter)
  const groups = label ? inPeriods(rows, terms, label) : rows
  const compare = orderOf(
    asked,
    keys.map(({ name }) => name),
    metrics.map(({ name }) => name),
    values,
  )
  const sorted = groups.toSorted(compare)
  const limit = asked.limit ?? GROUPS_DEFAULT
  const rest = sorted.slice(limit)
  const figuresIn = (group: Pick<LeadGroup, "count" | "found">) =>
    Object.fromEntries(values(group).map((value, i) => [metrics[i]!.name, value]))
  const shown = sorted.slice(0, limit).map(async (group) => {
    const written = await ctx.store.read.leads.writtenValues(account, terms, group)
    return {
      ...Object.fromEntries(keys.map(({ name, term }, i) => [name, toldValue(term, written[i] ?? null)])),
      ...figuresIn(group),
    }
  })
  const named = terms.flatMap((term) => (term.on === "attribute" ? term.name : []))
  const warnings = [
    ...searched,
    ...(await unknownAttributeWarnings(ctx, [...named, ...attributesIn(filter)])),
    ...(await neverContactedWarnings(ctx, filter)),
  ]
  return {
    groups: await Promise.all(shown),
    other: rest.length === 0 ? null : { groups: rest.length, ...figuresIn(rest.reduce(merged)) },
    total,
    ...(warnings.length > 0 && { warnings }),
  }
}

export const aggregateQuestion = question({
  name: "aggregate",
  run: async (ctx, asked: Aggregation) => new JsonText(JSON.stringify(await aggregate(ctx, asked))),
})

function periodLabels({ by, tz }: Aggregation, terms: readonly { on: string }[], zone: string) {
  const hasTime = terms.some(({ on }) => on === "time")
  if (!hasTime) {
    if (by !== undefined || tz !== undefined)
      throw badRequest(
        "by and tz are for times: group_by has none of created_at, updated_at, last_interaction_at",
      )
    return undefined
  }
  return periodsIn(by ?? "day", tz === undefined ? zone : zoneIn(tz))
}

function zoneIn(tz: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: tz }).resolvedOptions().timeZone
  } catch {
    throw badRequest(`tz "${excerpt(tz)}" is no time zone: name one such as Europe/Berlin, or UTC`)
  }
}

function merged(a: LeadGroup, b: LeadGroup): LeadGroup {
  return { ...a, count: a.count + b.count, found: a.found.map((one, i) => together(one, b.found[i]!)) }
}

/** Merges groups by quarters of an hour into periods. */
function inPeriods(
  groups: readonly LeadGroup[],
  terms: readonly { on: string }[],
  label: (quarter: number) => string,
): LeadGroup[] {
  const all = new Map<string, LeadGroup>()
  for (const group of groups) {
    const values = group.values.map((value, i) =>
      terms[i]!.on === "time" && typeof value === "number" ? label(value * QUARTER) : value,
    )
    const name = JSON.stringify(values)
    const before = all.get(name)
    const oldest = Math.min(before?.oldest ?? group.oldest, group.oldest)
    all.set(name, before ? { ...merged(before, group), oldest } : { ...group, values })
  }
  return [...all.values()]
}

type Comparison = (a: LeadGroup, b: LeadGroup) => number

/** Largest first by default; texts and numbers ascending, metrics descending; null last; ties by the fields. */
function orderOf(
  { sort, sort_order }: Aggregation,
  keys: readonly string[],
  metrics: readonly string[],
  values: (group: LeadGroup) => (number | null)[],
): Comparison {
  const byKeys: Comparison = (a, b) => {
    for (const [i, value] of a.values.entries()) {
      const order = compareValues(value, b.values[i]!, 1)
      if (order !== 0) return order
    }
    return 0
  }
  const key = sort === undefined ? -1 : keys.indexOf(sort)
  const metric = sort === undefined ? -1 : metrics.indexOf(sort)
  if (sort !== undefined && sort !== "count" && key < 0 && metric < 0)
    throw badRequest(
      `cannot sort groups by "${excerpt(sort)}": sort by one of ${[...new Set([...keys, ...metrics, "count"])].join(", ")}`,
    )
  const sign = (sort_order ?? (key >= 0 ? "ASC" : "DESC")) === "DESC" ? -1 : 1
  if (key >= 0) return (a, b) => compareValues(a.values[key]!, b.values[key]!, sign) || byKeys(a, b)
  if (metric < 0) return (a, b) => (a.count - b.count) * sign || byKeys(a, b)
  const of = memoize((group: LeadGroup) => values(group)[metric] ?? null)
  return (a, b) => compareValues(of(a), of(b), sign) || byKeys(a, b)
}

function compareValues(a: GroupValue, b: GroupValue, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b) * sign
  if (typeof a !== typeof b) return (typeof a === "string" ? 1 : -1) * sign
  return (Number(a) - Number(b)) * sign
}

export const aggregateLeads = operation({
  name: "aggregate_leads",
  about: "Count and sum up leads in groups of up to three fields",
  tag: "Leads",
  errors: ["too_many_groups"],
  note: "Groups come with the most leads first unless `sort` says otherwise; `other` counts the leads in groups that were not listed, `total` all that match.",
  example: {
    answers: {
      200: {
        groups: [
          { city: "Berlin", count: 2, "avg:rating": 4.4 },
          { city: null, count: 1, "avg:rating": null },
        ],
        other: null,
        total: 3,
      },
    },
  },
  access: "read",
  forSegments: true,
  http: "GET /leads/aggregate",
  input: described(
    v.strictObject({ ...aggregateEntries, limit: v.optional(whole(1, GROUPS_MAX), GROUPS_DEFAULT) }),
    {
      group_by: "One to three fields with commas between them: any field, `tags`, `attr:<name>`.",
      metrics:
        "Default `count`; `sum: avg: min: max: median:` of a number, `share:status=converted`, `distinct:city`.",
      by: "Period for grouping by a time, shown by its first day; default `day`.",
      tz: "Time zone of the periods, such as `Europe/Berlin`; default the account's.",
      step: "Width of bands for grouping by a number, shown by their lower end; without it each number is a group.",
      ...choiceWords,
      sort: "A field or metric of this request; by default the commonest first.",
      sort_order: sortOrderWords,
    },
  ),
  output: described(AggregateOutput, {
    groups: "A property for each field and each metric, named as they were asked for.",
    other: "The metrics of all groups beyond `limit`; null when all groups are shown.",
    total: "How many leads matched.",
    warnings: "Names in the request that do not exist, such as an attribute that no lead has.",
  }),
  run: (ctx, input) => ctx.questions.ask(aggregateQuestion, ctx, input),
})
