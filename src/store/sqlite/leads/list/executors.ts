// The ways that a step of a list's plan is read.
import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import { isEmptyFilter, type LeadSort } from "../../../../filters/lead-query.ts"
import { without } from "../../../tables/leads/ranked-words.ts"
import type { SlicesOf, StatementCache } from "../../connection/database.ts"
import { filterSql, isHeavy } from "../filters.ts"
import { type Executor, type ListPlace, merged, type PageRun, type Pages, type SortedRow } from "./pages.ts"
import type { AccountParts } from "./parts.ts"
import { drivenBy, type Plan, testSql } from "./plan.ts"
import { type ListPosition, orderOf, type Stretch, starts, upTo } from "./stretches.ts"

/** Slices that are tested lead by lead before the filter's own indexes are asked: mostly the page is full by then. */
const PATIENCE = 4
/** So many pages of hits are rather fetched and sorted than waited for. */
const PAGES = 20

/** Reads a stretch along the sort's index, slice by slice, until the page is full. */
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
  const statement = prepared<{ k: string | number | null; ref: number }>(sql)
  const row = statement.get(...walk.params, ...start.params, rows - 1)
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

/** Reads a stretch out of the few leads that indexes name: fetches them in slices and keeps the first in order. */
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

/** The first `most` places of a step behind a position, in order. */
export type ScanPlaces = (
  plan: Plan,
  step: number,
  after: ListPosition | undefined,
  most: number,
) => Promise<ListPlace[]>

/** Reads a stretch that no index has in order: all leads of the account, part by part, keeping the first places. */
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
