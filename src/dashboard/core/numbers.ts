// Numbers about many leads, from what the API counts.
import { can, get } from "./api.ts"
import type { LeadPage } from "./types.ts"

export type Group = Record<string, unknown> & { count: number }

export const canGroup = can("GET /leads/aggregate")
export const canTotal = can("GET /leads", "total")

/** Groups of leads, commonest first. */
export async function groupsOf(
  query: {
    group_by: string
    by?: string
    filter?: readonly string[]
    limit?: number
    metrics?: string
    tz?: string
  },
  signal?: AbortSignal,
): Promise<Group[]> {
  return (await get<{ groups: Group[] }>("/leads/aggregate", { metrics: "count", ...query }, signal)).groups
}

export async function totalOf(filter: readonly string[], signal?: AbortSignal): Promise<number> {
  const page = await get<LeadPage>("/leads", { filter, total: true, limit: 1, fields: "name" }, signal)
  return page.total ?? 0
}

export const BIN = 5

/** The filters of one bin of scores; the last one holds 100. */
export function binFilters(from: number): string[] {
  const isLast = from + BIN >= 100
  return [`and.gte.score.${from}`, isLast ? "and.lte.score.100" : `and.lt.score.${from + BIN}`]
}

/** How many leads have which score, in steps of 5. */
export function scoreBins(signal?: AbortSignal): Promise<number[]> {
  const starts = Array.from({ length: 100 / BIN }, (_, i) => i * BIN)
  return Promise.all(starts.map((from) => totalOf(binFilters(from), signal)))
}

/** The last days, as `YYYY-MM-DD`, oldest first. */
export function lastDays(count: number, now = Date.now()): string[] {
  return Array.from({ length: count }, (_, i) =>
    new Date(now - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  )
}
