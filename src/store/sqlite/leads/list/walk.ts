// Reads a stretch along the sort's index, slice by slice, until the page is full.

import { type Fragment, fragment } from "../../../../filters/fragment.ts"
import { isEmptyFilter, type LeadSort } from "../../../../lead/lead-query.ts"
import type { StatementCache } from "../../connection/statement-cache.ts"
import type { SlicesOf } from "../../queue/slices.ts"
import { isHeavy } from "../filters.ts"
import type { Executor, PageRun, Pages, SortedRow } from "./pages.ts"
import { drivenBy } from "./plan.ts"
import { type ListPosition, orderOf, type Stretch, starts, upTo } from "./stretches.ts"

/** Slices that are tested lead by lead before the filter's own indexes are asked: mostly the page is full by then. */
const PATIENCE = 4
/** So many pages of hits are rather fetched and sorted than waited for. */
const PAGES = 20

export function createWalkExecutor(
  prepared: StatementCache,
  slicesOf: SlicesOf,
  pages: Pages,
  byDriver: Executor,
): Executor {
  return async function* byWalk(run, step, after) {
    const { plan, most } = run
    const { sort, tested } = plan
    const { stretch } = plan.steps[step]!
    const slices = slicesOf(isHeavy(tested))
    const isAtOnce = isEmptyFilter(tested) && sort.key.on !== "attribute"
    let among: Set<number> | undefined
    let done = 0
    let todo = starts(stretch, after, sort)
    for (let start = todo.shift(); start; start = todo.shift()) {
      const end = isAtOnce ? undefined : ahead(prepared, stretch, start, sort, step, slices.size())
      for (const bounds of end ? upTo(start, stretch, end, sort) : [start]) {
        if (among) yield* pick(prepared, pages, run, step, bounds, among)
        else yield pages.between(plan, stretch, bounds, most)
      }
      if (!end) continue
      todo = starts(stretch, end, sort)
      await slices.yieldIfDue()
      if (++done >= PATIENCE) among ??= await run.hits()
      if (among && among.size <= PAGES * most) {
        const few = { rids: JSON.stringify([...among]), tested: [] }
        yield* byDriver({ ...run, plan: drivenBy(plan, few) }, step, end)
        return
      }
    }
  }
}

/** The position so many rows further on in the index; undefined when there are fewer. */
function ahead(
  prepared: StatementCache,
  stretch: Stretch,
  start: Fragment,
  sort: LeadSort,
  step: number,
  rows: number,
): ListPosition | undefined {
  const { key = "NULL", table, walk = fragment("") } = stretch
  const sql = `SELECT ${key} AS k, ${table}.rid AS ref FROM ${walk.sql} AND ${start.sql}
    ORDER BY ${orderOf(stretch, sort)} LIMIT 1 OFFSET ?`
  const found = prepared<{ k: string | number | null; ref: number }>(sql)
  const row = found.get(...walk.params, ...start.params, rows - 1)
  return row ? [step, row.k, row.ref] : undefined
}

/** Reads the leads between bounds that are among some: the others are skipped in the sort's index. */
function* pick(
  prepared: StatementCache,
  pages: Pages,
  { plan, most }: PageRun,
  step: number,
  bounds: Fragment,
  among: Set<number>,
): Generator<SortedRow[]> {
  const { stretch } = plan.steps[step]!
  const { table, walk = fragment("") } = stretch
  const passed = `SELECT ${table}.rid FROM ${walk.sql} AND ${bounds.sql} ORDER BY ${orderOf(stretch, plan.sort)}`
  const row = prepared<{ rids: string }>(`SELECT json_group_array(rid) AS rids FROM (${passed})`)
  const { rids } = row.get(...walk.params, ...bounds.params)!
  const picked = (JSON.parse(rids) as number[]).filter((rid) => among.has(rid))
  for (let at = 0; at < picked.length; at += 2 * most)
    yield pages.of(plan, step, picked.slice(at, at + 2 * most), most)
}
