// How many calls, emails and meetings there were, by person and time.
import * as v from "valibot"
import { described } from "../../../lead/described.ts"
import { oneOf, whole } from "../../../lead/fields.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { ACTIVITY_KINDS, type ActivityCount } from "../../../store/contract/store.ts"
import { JsonText } from "../../../text/json-text.ts"
import { Moment, Until } from "../../../text/moment-input.ts"
import { isPeriod, PERIODS, periodsIn, QUARTER } from "../../../text/periods.ts"
import { compareCodePoints } from "../../../text/text.ts"
import { operation, question, type ReadContext } from "../../operation.ts"

const BY = ["member", "kind", "outcome", ...PERIODS] as const

const entries = {
  by: v.optional(v.array(oneOf(BY), `must be a list of ${BY.join(", ")}`), ["member", "week"]),
  kind: v.optional(oneOf(ACTIVITY_KINDS)),
  since: v.optional(Moment),
  until: v.optional(Until),
}
const Input = v.strictObject(entries)
type Input = v.InferOutput<typeof Input>

const Row = v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))
const Output = v.strictObject({ counts: v.array(Row), total: whole(0) })
type Cells = Record<string, string | null>

async function count(ctx: ReadContext, { by, ...asked }: Input): Promise<v.InferOutput<typeof Output>> {
  const { key, time_zone } = ctx.caller.account
  const names = [...new Set(by)]
  const [period, another] = names.filter(isPeriod)
  if (another) throw badRequest(`by takes one period: ${period} or ${another}, not both`)
  const day = periodsIn(period ?? "day", time_zone)
  const members = new Map((await ctx.store.read.members.list(key)).map(({ id, name }) => [id, name]))
  const cellsOf = (one: ActivityCount, name: (typeof BY)[number]): Cells => {
    if (isPeriod(name)) return { [name]: day(one.quarter! * QUARTER) }
    if (name !== "member") return { [name]: one[name] ?? null }
    const { member_id, author = "" } = one
    return member_id
      ? { member: member_id, name: members.get(member_id) ?? author }
      : { member: author, name: author }
  }
  const terms = names.map((name) => (isPeriod(name) ? "time" : name))
  const groups = new Map<string, { cells: Cells; count: number }>()
  let total = 0
  for (const one of await ctx.store.read.activities.counts(key, { ...asked, by: terms })) {
    const cells = Object.assign({}, ...names.map((name) => cellsOf(one, name)))
    // A member who was renamed is one.
    const place = JSON.stringify({ ...cells, name: null })
    const group = groups.getOrInsertComputed(place, () => ({ cells, count: 0 }))
    group.count += one.count
    total += one.count
  }
  const timeOf = ({ cells }: { cells: Cells }) => (period && cells[period]) ?? ""
  const sorted = [...groups.values()].toSorted(
    (a, b) => compareCodePoints(timeOf(b), timeOf(a)) || b.count - a.count,
  )
  return { counts: sorted.map(({ cells, count }) => ({ ...cells, count })), total }
}

export const activityCountsQuestion = question({
  name: "activity_counts",
  run: async (ctx, asked: Input) => new JsonText(JSON.stringify(await count(ctx, asked))),
})

/** Parts of `by` may be in one text, with commas between them. */
function withItems(input: unknown): unknown {
  const { by } = (input ?? {}) as { by?: unknown }
  if (!Array.isArray(by)) return input
  return { ...(input as object), by: by.flatMap((one) => (typeof one === "string" ? one.split(",") : one)) }
}

export const countActivities = operation({
  name: "count_activities",
  about: "Count calls, emails and meetings by member and week",
  tag: "Activities",
  note: "The latest period first, then the largest count. A period is shown by its first day, in the account's time zone.",
  example: {
    answers: { 200: { counts: [{ member: "Eva", name: "Eva", week: "2026-11-16", count: 41 }], total: 41 } },
  },
  access: "read",
  http: "GET /activities",
  tool: {
    name: "list_activity_counts",
    set: "activities",
    words: {
      by: "Default: member, week",
      "by[]": "One of them",
      kind: "Only of this kind",
      since: "Unix seconds or ISO date",
      until: "Unix seconds or ISO date",
    },
  },
  prepare: withItems,
  input: described(Input, {
    by: "Default `member,week`; also `kind`, `outcome`, and `day`, `month` or `year` in place of `week`.",
    kind: "Only activities of this kind.",
    since: "Only activities at or after this time, Unix seconds or an ISO date.",
    until: "Only activities at or before this time, Unix seconds or an ISO date.",
  }),
  output: described(Output, {
    counts: "A property for each part of `by`, and `count`; `name` is the member's.",
    total: "All of them.",
  }),
  run: (ctx, input) => ctx.questions.ask(activityCountsQuestion, ctx, input),
})
