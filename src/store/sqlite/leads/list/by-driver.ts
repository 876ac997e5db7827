// Reads a stretch out of the few leads that indexes name: fetches them in slices and keeps the first in order.
import { join } from "../../../../filters/fragment.ts"
import type { StatementCache } from "../../connection/statement-cache.ts"
import type { SlicesOf } from "../../queue/slices.ts"
import { isHeavy } from "../filters.ts"
import { type Executor, type ListPlace, merged, type Pages } from "./pages.ts"
import { drivenBy, testSql } from "./plan.ts"
import { orderOf, starts } from "./stretches.ts"

export function createDriverExecutor(prepared: StatementCache, slicesOf: SlicesOf, pages: Pages): Executor {
  return async function* byDriver({ plan, most }, step, after) {
    const { sort, sources } = plan
    const driver = sources.driver!
    const slices = slicesOf(isHeavy(plan.tested))
    const start = join(starts(plan.steps[step]!.stretch, after, sort), " OR ")
    // In the order of the table, so that each page of it is read once.
    const rids = (JSON.parse(driver.rids) as number[]).sort((a, b) => a - b)
    let best: ListPlace[] = []
    for (let at = 0, size = slices.size(); at < rids.length; at += size, size = slices.size()) {
      const slice = drivenBy(plan, { ...driver, rids: JSON.stringify(rids.slice(at, at + size)) })
      const { stretch } = slice.steps[step]!
      const test = testSql(plan, stretch.table)
      const places = prepared<ListPlace>(
        `SELECT ${stretch.key ?? "NULL"} AS k, ${stretch.table}.rid AS ref FROM ${stretch.from.sql}
         WHERE ${stretch.where.sql} AND (${start.sql}) AND ${test.sql} ORDER BY ${orderOf(stretch, sort)} LIMIT ?`,
      ).all(...stretch.from.params, ...stretch.where.params, ...start.params, ...test.params, most)
      best = merged(best, places, sort.descending).slice(0, most)
      if (at + size < rids.length) await slices.yieldIfDue()
    }
    const first = best.map(({ ref }) => ref)
    yield pages.of(plan, step, first)
  }
}
