// Counts over the leads of a segment, in the shapes that the store has for those of an account.
import { type FigureFound, type GroupKey, type LeadGroup, together } from "../../core/group-query.ts"
import { STATUSES } from "../../core/lead.ts"
import type { Condition, LeadFilter } from "../../core/lead-query.ts"
import { compareCodePoints } from "../../core/text.ts"
import type { LeadReads, LeadStats } from "../../store/contract/store.ts"
import { both } from "./membership.ts"

type Counted = Pick<LeadReads, "count" | "groups" | "writtenValues">

const DAY = 86_400
const HOT = 70
const WARM = 40
const SOURCES_MAX = 1_000
const SCORE = { kind: "sum", of: { on: "number", field: "score" } } as const

/** The most frequent values of a text field, as the oldest lead spells them. */
export async function commonestOf(
  reads: Counted,
  account: number,
  filter: LeadFilter,
  field: "category" | "city" | "source",
  limit: number,
): Promise<{ value: string; count: number }[]> {
  const keys: GroupKey[] = [{ on: "text", field }]
  const groups = await reads.groups(account, filter, keys, [])
  const top = groups
    .filter(({ values }) => values[0] !== null)
    .sort((a, b) => b.count - a.count || compareCodePoints(String(a.values[0]), String(b.values[0])))
    .slice(0, limit)
  return Promise.all(
    top.map(async (group) => {
      const [value] = await reads.writtenValues(account, keys, group)
      return { value: String(value), count: group.count }
    }),
  )
}

/** The counts of a segment's leads. */
export async function statsOf(
  reads: Counted,
  account: number,
  filter: LeadFilter,
  now: number,
): Promise<LeadStats> {
  const count = (...all: Condition[]) => reads.count(account, both(filter, { all, any: [] }))
  const atLeast = (field: "score" | "created_at", least: number) =>
    count({ on: "number", not: false, field, operator: "gte", values: [least] })
  const filled = (field: "email" | "phone") =>
    count({ on: "text", not: true, field, operator: "is_empty", values: [] })
  const statuses = await reads.groups(account, filter, [{ on: "text", field: "status" }], [SCORE])
  const total = statuses.reduce((sum, group) => sum + group.count, 0)
  const sources = await commonestOf(reads, account, filter, "source", SOURCES_MAX)
  const hot = await atLeast("score", HOT)
  const warm = (await atLeast("score", WARM)) - hot
  return {
    total,
    by_status: byStatus(statuses),
    by_source: Object.fromEntries(sources.map(({ value, count }) => [value, count])),
    score: { ...scoresOf(statuses), hot, warm, cold: Math.max(0, total - hot - warm) },
    with_email: await filled("email"),
    with_phone: await filled("phone"),
    created_last_7_days: await atLeast("created_at", now - 7 * DAY),
    created_last_30_days: await atLeast("created_at", now - 30 * DAY),
  }
}

function byStatus(groups: readonly LeadGroup[]): LeadStats["by_status"] {
  const of = (status: string) => groups.find(({ values }) => values[0] === status)?.count ?? 0
  return Object.fromEntries(STATUSES.map((status) => [status, of(status)])) as LeadStats["by_status"]
}

function scoresOf(groups: readonly LeadGroup[]): Pick<LeadStats["score"], "average" | "min" | "max"> {
  const found = groups.flatMap((group) => group.found[0] ?? [])
  if (found.length === 0) return { average: null, min: null, max: null }
  const all: FigureFound = found.reduce(together)
  if (!("sum" in all)) throw new Error("the figure of a score is no sum")
  return { average: all.n > 0 ? all.sum / all.n : null, min: all.min, max: all.max }
}
