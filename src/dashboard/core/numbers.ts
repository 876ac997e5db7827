// Numbers about many leads, from what the API counts.
import { get } from "./api.ts"
import type { Groups, LeadPage } from "./types.ts"

/** Groups of leads, commonest first; `other` is what the limit leaves out. */
export function groupsOf(
  query: {
    group_by: string
    by?: string
    filter?: readonly string[]
    limit?: number
    metrics?: string
    tz?: string
  },
  signal?: AbortSignal,
): Promise<Groups> {
  return get<Groups>("/leads/aggregate", { metrics: "count", ...query }, signal)
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

const BINS = 100 / BIN
const GROUPS_MOST = 1_000

/** How many leads have which score, in steps of 5. */
export async function scoreBins(signal?: AbortSignal): Promise<number[]> {
  const { groups, other } = await groupsOf({ group_by: "score", limit: GROUPS_MOST }, signal)
  if (other) {
    // Scores with that many fractions are counted bin by bin.
    const starts = Array.from({ length: BINS }, (_, i) => i * BIN)
    return Promise.all(starts.map((from) => totalOf(binFilters(from), signal)))
  }
  const bins = new Array<number>(BINS).fill(0)
  for (const { score, count } of groups) bins[binOf(Number(score))]! += Number(count)
  return bins
}

const binOf = (score: number) => Math.min(BINS - 1, Math.floor(score / BIN))

/** The last days, as `YYYY-MM-DD`, oldest first. */
export function lastDays(count: number, now = Date.now()): string[] {
  return Array.from({ length: count }, (_, i) =>
    new Date(now - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  )
}
