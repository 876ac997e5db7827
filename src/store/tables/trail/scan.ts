// Going through an account's trail in order.
import type { ChangeQuery, DiffChange } from "../../contract/changes.ts"
import type { ChangeRow, TrailRows } from "./rows.ts"

/** Changes that are looked at together where it is asked for a field. */
const STEP = 200

interface Found {
  found: ChangeRow[]
  /** Up to where everything was looked at. */
  position: number
  more: boolean
}

/** Finds a page of changes, or ends before it is full when the look takes too long. `newest` is the last place. */
export async function scanTrail(
  rows: TrailRows,
  account: number,
  { filter, descending, after, upTo, limit, hasFacts }: ChangeQuery & { hasFacts: boolean },
  newest: number,
  diffsOf: (account: number, rows: readonly ChangeRow[]) => Promise<DiffChange[]>,
): Promise<Found> {
  const end = Math.min(newest, upTo ?? newest)
  const found: ChangeRow[] = []
  const done = { found, position: descending ? 0 : end, more: false }
  const within = await rows.narrow(account, filter, end)
  if (!within) return done
  let low = descending ? within.low : Math.max(within.low, (after ?? 0) + 1)
  let high = descending ? Math.min(within.high, (after ?? end + 1) - 1) : within.high
  const { field } = filter
  const how = { isDown: descending, hasFacts: hasFacts || field !== undefined }
  // The changes of one lead are found in an index, however far apart they are.
  const window = filter.lead_id === undefined ? rows.window : Number.POSITIVE_INFINITY
  const until = performance.now() + rows.lookMs
  while (low <= high) {
    const places = descending
      ? { low: Math.max(low, high - window + 1), high }
      : { low, high: Math.min(high, low + window - 1) }
    // One more than is shown tells whether there are more.
    const asked = field === undefined ? limit + 1 - found.length : STEP
    const some = await rows.between(account, filter, places, how, asked)
    const diffs = field === undefined ? undefined : await diffsOf(account, some)
    const fits = field === undefined ? some : some.filter((_, i) => field in diffs![i]!.diff)
    for (const row of fits) {
      if (found.length === limit) return { found, position: found.at(-1)!.seq, more: true }
      found.push(row)
    }
    const seen = some.length >= asked ? some.at(-1)!.seq : descending ? places.low : places.high
    if (descending) high = seen - 1
    else low = seen + 1
    if (low <= high && performance.now() > until) return { found, position: seen, more: true }
  }
  return done
}
