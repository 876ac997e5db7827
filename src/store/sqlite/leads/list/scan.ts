// Reads a stretch that no index has in order: all leads of the account, part by part, keeping the first places.

import { fragment, join } from "../../../../filters/fragment.ts"
import { without } from "../../../tables/leads/ranked-words.ts"
import type { StatementCache } from "../../connection/statement-cache.ts"
import { filterSql } from "../filters.ts"
import { type Executor, type ListPlace, merged, type Pages } from "./pages.ts"
import type { AccountParts } from "./parts.ts"
import type { Plan } from "./plan.ts"
import { type ListPosition, orderOf, starts } from "./stretches.ts"

/** The first `most` places of a step behind a position, in order. */
export type ScanPlaces = (
  plan: Plan,
  step: number,
  after: ListPosition | undefined,
  most: number,
) => Promise<ListPlace[]>

export function createScan(prepared: StatementCache, parts: AccountParts): ScanPlaces {
  return async function places(plan, step, after, most) {
    const { account, sort, tested } = plan
    const { stretch } = plan.steps[step]!
    const start = join(starts(stretch, after, sort), " OR ")
    const filter = filterSql(account, without(tested, parts.tested(tested)), "l.rid")
    const test = join([fragment(`(${start.sql})`, ...start.params), filter], " AND ")
    const column = stretch.key ?? "l.rid"
    let best: ListPlace[] = []
    for await (const part of parts.of(account, tested)) {
      const tests = [part.where, stretch.where, test]
      // Once there are enough, few of a part come before the last of them.
      const last = best.length === most ? best.at(-1)! : undefined
      if (last)
        tests.push(fragment(`${column} ${sort.descending ? ">=" : "<="} ?`, stretch.key ? last.k : last.ref))
      const where = join(tests, " AND ")
      const sql = `SELECT ${stretch.key ?? "NULL"} AS k, l.rid AS ref FROM ${part.from} WHERE ${where.sql}
        ORDER BY ${orderOf(stretch, sort)} LIMIT ?`
      best = merged(best, prepared<ListPlace>(sql).all(...where.params, most), sort.descending).slice(0, most)
    }
    return best
  }
}

export function createScanExecutor(scan: ScanPlaces, pages: Pages): Executor {
  return async function* byScan({ plan, most }, step, after) {
    const places = await scan(plan, step, after, most)
    const first = places.map(({ ref }) => ref)
    yield pages.of(plan, step, first)
  }
}
