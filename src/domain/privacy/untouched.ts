// Leads that a rule of retention is about: those of its filter that were not touched for a time.

import type { RetentionRule } from "../../store/contract/store.ts"
import { parseFilters } from "../leads/list/filter.ts"
import { calendarOf, question } from "../operation.ts"

const DAY = 86_400

/** When leads must have been touched last to be untouched for the rule's time at `now`. Unix seconds. */
export function touchedBefore({ months, days }: Pick<RetentionRule, "months" | "days">, now: number): number {
  if (days !== null) return now - days * DAY
  const date = new Date(now * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - (months ?? 0))
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** The filters of the leads of a rule that were touched last before a time. */
export function untouchedFilters({ filter }: Pick<RetentionRule, "filter">, before: number): string[] {
  return [...filter, `and.lt.last_touched_at.${before}`]
}

/** The first of these leads, those touched longest ago first, as their JSON. */
export const untouchedQuestion = question({
  name: "untouched",
  async run(ctx, { filter, limit }: { filter: readonly string[]; limit: number }): Promise<string[]> {
    const { rows } = await ctx.store.read.leads.list(ctx.caller.account.key, {
      filter: parseFilters(filter, calendarOf(ctx)),
      sort: { key: { on: "number", field: "last_touched_at" }, descending: false },
      after: undefined,
      limit,
    })
    return rows.map((row) => row.json())
  },
})
