import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { count, oneOf, whole } from "../../lead/fields.ts"
import { STATUSES } from "../../lead/lead.ts"
import { badRequest } from "../../runtime/errors.ts"
import { batchPage } from "../changes/batches.ts"
import { changeCountEntries, countBatches, countChanges } from "../changes/counts.ts"
import { aggregateEntries, aggregateQuestion } from "../leads/groups/aggregate.ts"
import { askAtOnce, type Context, operation, question, refuseBound, toolOf } from "../operation.ts"

const score = v.nullable(v.number())

const StatsOutput = named(
  "Stats",
  v.strictObject({
    total_leads: count,
    by_status: v.record(v.picklist(STATUSES), count),
    by_source: v.record(v.string(), count),
    score: v.strictObject({ average: score, min: score, max: score, hot: count, warm: count, cold: count }),
    with_email: count,
    with_phone: count,
    created_last_7_days: count,
    created_last_30_days: count,
    plan: v.strictObject({
      name: v.string(),
      leads_limit: v.nullable(count),
      leads_used: count,
      storage_limit: v.nullable(count),
      storage_used: v.nullable(count),
    }),
  }),
  {
    "score.hot": "Leads with 70 or more.",
    "score.warm": "Leads with 40 to 69.",
    "score.cold": "Leads below 40.",
    "plan.name": "Name of the plan.",
    "plan.leads_limit": "null for no limit.",
    "plan.storage_limit": "Bytes of leads, notes and trail; null for no limit.",
    "plan.storage_used":
      "Bytes that are kept; null for a key bound to a segment, which is not told of other leads.",
  },
)

const limit = v.optional(whole(1, 1_000), 50)

const { group_by, metrics, filter, q, by, step, sort } = aggregateEntries

const getStatsTool = toolOf({
  about: "Count leads in any table by group_by and metrics, or changes; list batches",
  words: {
    group_by: "Up to 3: fields, tags or attr:<name>",
    metrics: "count, avg:rating, share:status=new …",
    by: "Periods of a time in group_by",
    step: "Width of bands of a number, as of score",
    sort: "A field or metric of this call",
    limit: "Groups at most, 1-1000",
    of: "What is counted",
    field: "Changes of this field, such as status",
    to: "Changes to this value",
    since: "Unix seconds or ISO date; 30d is ago",
    until: "Unix seconds or ISO date",
  },
  input: v.strictObject({
    group_by: v.optional(group_by),
    ...{ metrics, filter, q, by, step, sort },
    limit: v.optional(whole(1, 1_000)),
    of: v.optional(oneOf(["leads", "changes", "batches"])),
    ...changeCountEntries,
  }),
  async run(ctx, { of = "leads", field, to, since, until, group_by = [], ...asked }) {
    if (of !== "leads") refuseBound(ctx.caller, `of: ${of} is`)
    if (of === "changes") {
      refuse(asked, ["limit"], "of: changes takes field, to, since, until, group_by and limit")
      return countChanges(ctx, { field, to, since, until, group_by, limit: asked.limit })
    }
    if (of === "batches") {
      refuse({ field, to, ...asked }, ["limit"], "of: batches takes since, until, group_by and limit")
      if (group_by.length > 0) return countBatches(ctx, { since, until }, { group_by, limit: asked.limit })
      return batchPage(ctx, { since, until }, { limit: asked.limit ?? BATCHES })
    }
    refuse(
      { field, to, since, until },
      [],
      'field, to, since and until are for of: "changes"; of leads use filter',
    )
    if (group_by.length > 0 || Object.values(asked).some((value) => value !== undefined))
      return ctx.questions.ask(aggregateQuestion, ctx, { ...asked, group_by })
    return { ...(await statsOf(ctx)), requests: ctx.caller.requests ?? NO_REQUEST_LIMIT }
  },
})

/** Batches of an answer. */
const BATCHES = 20
const NO_REQUEST_LIMIT = { limit: null, left: null, resets_at: null }

/** Throws `bad_request` for a parameter that has a value and is not one of these. */
function refuse(given: object, taken: readonly string[], message: string): void {
  const isGiven = Object.entries(given).some(([name, value]) => value !== undefined && !taken.includes(name))
  if (isGiven) throw badRequest(message)
}

export const getStats = operation({
  name: "get_stats",
  about: "Counts of leads by status, source and score, and use of the plan",
  tag: "Stats",
  note: "Counts all leads of the account. A lead is hot from a score of 70, warm from 40, else cold.",
  example: {
    answers: {
      200: {
        total_leads: 2,
        by_status: { new: 1, contacted: 0, qualified: 1, disqualified: 0, converted: 0 },
        by_source: { google_maps: 2 },
        score: { average: 41, min: 22, max: 60, hot: 0, warm: 1, cold: 1 },
        with_email: 2,
        with_phone: 0,
        created_last_7_days: 2,
        created_last_30_days: 2,
        plan: {
          name: "free",
          leads_limit: 100,
          leads_used: 2,
          storage_limit: 50_000_000,
          storage_used: 1_840,
        },
      },
    },
  },
  access: "read",
  forSegments: true,
  http: "GET /stats",
  tool: getStatsTool,
  output: StatsOutput,
  run: statsOf,
})

export const statsQuestion = question({
  name: "stats",
  run: (ctx, _: object) => ctx.store.read.leads.stats(ctx.caller.account.key, ctx.now),
})

export const commonestQuestion = question({
  name: "commonest",
  run: (ctx, { field, limit }: { field: "category" | "city"; limit: number }) =>
    ctx.store.read.leads.commonest(ctx.caller.account.key, field, limit),
})

async function statsOf(ctx: Context): Promise<v.InferOutput<typeof StatsOutput>> {
  const { account, segment } = ctx.caller
  const { total, ...stats } = await askAtOnce(ctx, statsQuestion, {})
  const plan = {
    name: account.plan,
    leads_limit: account.limits.leads,
    leads_used: total,
    storage_limit: account.limits.storage,
    storage_used: segment === undefined ? await ctx.store.read.accounts.storedBytes(account.key) : null,
  }
  return { total_leads: total, ...stats, plan }
}

function commonestOf(field: "category" | "city", many: string, value: string) {
  return operation({
    name: `list_${many}`,
    about: `The ${many} of leads with their counts, most first`,
    tag: "Stats",
    note: `Leads without a ${field} are left out.`,
    example: { answers: { 200: [{ [field]: value, count: 2 }] } },
    access: "read",
    forSegments: true,
    http: `GET /stats/${many}`,
    tool: { words: { limit: "How many at most, 1-1000" } },
    input: v.strictObject({ limit }),
    output: v.array(v.strictObject({ [field]: v.string(), count })),
    async run(ctx, { limit }) {
      const rows = await askAtOnce(ctx, commonestQuestion, { field, limit })
      return rows.map(({ value, count }) => ({ [field]: value, count }))
    },
  })
}

export const listCategories = commonestOf("category", "categories", "restaurant")
export const listCities = commonestOf("city", "cities", "Berlin")
