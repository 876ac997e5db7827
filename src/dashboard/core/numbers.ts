// Numbers about many leads, from what the API counts.
import { get, type Query } from "./api.ts"
import type { Groups } from "./types.ts"

/** Groups of leads, commonest first; `other` is what the limit leaves out. */
export const fetchGroups = (query: Query, signal?: AbortSignal) =>
  get<Groups>("/leads/aggregate", { metrics: "count", ...query }, signal)

export const BIN = 5

/** The filters of one bin of scores; the last one holds 100. */
export function binFilters(from: number): string[] {
  const isLast = from + BIN >= 100
  return [`and.gte.score.${from}`, isLast ? "and.lte.score.100" : `and.lt.score.${from + BIN}`]
}

const BINS = 100 / BIN

/** How many leads have which score, in steps of 5. */
export async function scoreBins(signal?: AbortSignal): Promise<number[]> {
  const { groups } = await fetchGroups({ group_by: "score", step: BIN }, signal)
  const bins = new Array<number>(BINS).fill(0)
  for (const { score, count } of groups) bins[binOf(Number(score))]! += Number(count)
  return bins
}

const binOf = (score: number) => Math.min(BINS - 1, Math.floor(score / BIN))

/** The last days of a time zone, as `YYYY-MM-DD`, oldest first. */
export function lastDays(count: number, timeZone: string, now = Date.now()): string[] {
  const today = Date.parse(new Intl.DateTimeFormat("sv-SE", { timeZone }).format(now))
  return Array.from({ length: count }, (_, i) =>
    new Date(today - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  )
}
