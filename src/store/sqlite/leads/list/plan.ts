// How a list of leads is read, decided before anything of it is, and the ways that a step of it is read. A plan is plain
// data, and its executors need nothing else but a connection: each can run on another thread.
import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import { isEmptyFilter, type LeadFilter, type LeadSort, without } from "../../../../filters/lead-query.ts"
import { compareCodePoints } from "../../../../text/text.ts"
import { ListedLead } from "../../../tables/leads/stored-lead.ts"
import type { SlicesOf, StatementCache } from "../../connection/database.ts"
import { LISTED_DOCUMENT } from "../../connection/documents.ts"
import { filterSql, isHeavy, looksAtLeads } from "../filters.ts"
import type { Driver, DriverChoice } from "./choice.ts"
import { composedIndex, indexTest, isAnsweredByIndexes, tagByTag } from "./drivers.ts"
import type { AccountParts } from "./parts.ts"
import {
  FROM_THE_FIRST,
  hasOrder,
  type ListPosition,
  orderOf,
  type Sources,
  type Stretch,
  starts,
  stretchesOf,
  upTo,
} from "./stretches.ts"

/** Follow the sort's index; or fetch and sort the few leads of a driver; or read all leads, part by part. */
export type ReadMethod = "walk" | "driver" | "scan"

/** One stretch of the list and how it is read. */
interface PlanStep {
  method: ReadMethod
  stretch: Stretch
}

export interface Plan {
  account: number
  sort: LeadSort
  /** The whole filter, with each tag as a condition of its own. */
  asked: LeadFilter
  /** The conditions that are tested lead by lead; the sources answer the others. */
  tested: LeadFilter
  /** Conditions are tested in indexes alone: rows of leads that are skipped are not read. */
  byIndexes: boolean
  sources: Sources
  /** In the order of the list; a position names its step by number. */
  steps: readonly PlanStep[]
}

/** A list to plan; `limit` is the length of a page. */
interface PlannedQuery {
  filter: LeadFilter
  sort: LeadSort
  limit: number
}

/** Plans that are kept, and characters of what one is found by: clients ask for the same lists again and again. */
const PLANS = 100
const NAME_MAX = 1_000

/** Plans pages of lists. Reads counts and, where a filter's hits are few, the hits. */
export function createPlanning(choose: DriverChoice) {
  const plans = new Map<string, Plan>()

  /** One that depends on nothing else but the query. */
  function kept(account: number, { filter, sort }: PlannedQuery): Plan {
    const name = JSON.stringify([account, filter, sort])
    const known = plans.get(name)
    if (known) return known
    const plan = planned(account, { filter, sort }, undefined)
    if (name.length > NAME_MAX) return plan
    if (plans.size === PLANS) plans.delete(plans.keys().next().value!)
    plans.set(name, plan)
    return plan
  }

  return async function planOf(account: number, query: PlannedQuery): Promise<Plan> {
    const { filter, sort, limit } = query
    if (isAlongIndex(filter, sort)) return kept(account, query)
    const asked = tagByTag(filter)
    // A driver's leads are tested all at once: too long for a test that takes milliseconds.
    const driver = isHeavy(asked) ? undefined : await choose.few(account, asked, limit)
    return planned(account, { filter: asked, sort }, driver)
  }
}

/** Whether all leads of a stretch of an index are in the list, in its order. */
export function isAlongIndex(filter: LeadFilter, sort: LeadSort): boolean {
  if (isEmptyFilter(filter)) return hasOrder(sort)
  return filter.all.length + filter.any.length === 1 && composedIndex(filter, sort) !== undefined
}

function planned(
  account: number,
  { filter: asked, sort }: Pick<PlannedQuery, "filter" | "sort">,
  driver: Driver | undefined,
): Plan {
  const composed = composedIndex(asked, sort)
  const tested = without(asked, driver?.tested ?? (composed ? [composed.condition] : []))
  const byIndexes = driver === undefined && hasOrder(sort) && isAnsweredByIndexes(tested)
  const sources = { driver, composed, withLeads: !byIndexes && looksAtLeads(tested) }
  return { account, sort, asked, tested, byIndexes, sources, steps: stepsOf(account, sort, sources) }
}

/** Plans reading a whole account in an order that no index has. */
export function scanPlanOf(account: number, { filter, sort }: Pick<PlannedQuery, "filter" | "sort">): Plan {
  const asked = tagByTag(filter)
  const sources = { driver: undefined, composed: undefined, withLeads: true }
  const steps = stepsOf(account, sort, sources)
  return { account, sort, asked, tested: asked, byIndexes: false, sources, steps }
}

/** The plan of a list that is read from a driver's leads. */
function drivenBy(plan: Plan, driver: Driver): Plan {
  const sources = { ...plan.sources, driver }
  return { ...plan, sources, steps: stepsOf(plan.account, plan.sort, sources) }
}

function stepsOf(account: number, sort: LeadSort, sources: Sources): PlanStep[] {
  return stretchesOf(account, sort, sources).map((stretch) => ({
    method: sources.driver ? "driver" : stretch.walk ? "walk" : "scan",
    stretch,
  }))
}

/** The condition that a plan tests on each lead of a table, by the lead's row or by indexes. */
function testSql({ account, tested, byIndexes }: Plan, table: Stretch["table"]): Fragment {
  const rid = `${table}.rid`
  return filterSql(account, tested, rid, byIndexes ? (one) => indexTest(account, one, rid) : undefined)
}

/** Selects the leads of a stretch between bounds, in order. The caller adds the limit as the last parameter. */
function pageSql(plan: Plan, stretch: Stretch, bounds: Fragment): Fragment {
  const { key, from, table } = stretch
  const test = join([stretch.where, bounds, testSql(plan, table)], " AND ")
  const picked = `SELECT ${table}.rid, ${key ?? "NULL"} AS k FROM ${from.sql}
    WHERE ${test.sql} ORDER BY ${orderOf(stretch, plan.sort)} LIMIT ?`
  return fragment(
    // A join in this order keeps the order of what was picked: CROSS JOIN is never reordered.
    `SELECT p.rid AS ref, ${LISTED_DOCUMENT}, s.activity AS done, s.score, p.k FROM (${picked}) p
      CROSS JOIN lead_documents d ON d.rid = p.rid CROSS JOIN lead_scores s ON s.rid = p.rid`,
    ...from.params,
    ...test.params,
  )
}

/** A listed lead with the value that the list is sorted by. */
class SortedRow extends ListedLead {
  declare readonly k: string | number | null
}

/** The place of a lead in a stretch of a sorted list. */
export interface ListPlace {
  /** The value that is sorted by; null only in a stretch that has none. */
  k: string | number | null
  ref: number
}

/** One page that is being read. */
export interface PageRun {
  plan: Plan
  /** Rows that are wanted at most. */
  most: number
  /** The leads that the filter's best index names, read once; undefined where they are too many to keep. */
  hits(): Promise<Set<number> | undefined>
}

/** Reads one step of a plan in order, from behind a position on: at most as many rows as wanted, or all in some slices. */
export type Executor = (
  run: PageRun,
  step: number,
  after: ListPosition | undefined,
) => AsyncGenerator<SortedRow[]>

export interface Pages {
  /** The first leads of a stretch between bounds. */
  between(plan: Plan, stretch: Stretch, bounds: Fragment, most: number): SortedRow[]
  /** Those of some leads that are still in a step of the plan, in its order. */
  of(plan: Plan, step: number, rids: readonly number[], most?: number): SortedRow[]
}

export function createPages(prepared: StatementCache): Pages {
  /** Each stretch is of one plan. */
  const firstPages = new WeakMap<Stretch, Fragment>()

  function between(plan: Plan, stretch: Stretch, bounds: Fragment, most: number): SortedRow[] {
    const made = () => pageSql(plan, stretch, bounds)
    const { sql, params } =
      bounds.sql === FROM_THE_FIRST.sql ? firstPages.getOrInsertComputed(stretch, made) : made()
    return prepared<SortedRow>(sql)
      .as(SortedRow)
      .all(...params, most)
  }

  return {
    between,
    of(plan, step, rids, most = rids.length) {
      const driven = drivenBy(plan, { rids: JSON.stringify(rids), tested: [] })
      return between(driven, driven.steps[step]!.stretch, FROM_THE_FIRST, most)
    },
  }
}

/** Merges two sorted lists of places. */
export function merged(a: ListPlace[], b: ListPlace[], descending: boolean): ListPlace[] {
  if (a.length === 0 || b.length === 0) return a.length > 0 ? a : b
  const all: ListPlace[] = []
  const sign = descending ? -1 : 1
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const isFirst = j === b.length || (i < a.length && compare(a[i]!, b[j]!) * sign < 0)
    all.push(isFirst ? a[i++]! : b[j++]!)
  }
  return all
}

/** Compares as SQLite does: texts by their UTF-8, which is by code points. */
function compare(a: ListPlace, b: ListPlace): number {
  if (a.k !== b.k && a.k !== null && b.k !== null) {
    const isText = typeof a.k === "string" && typeof b.k === "string"
    return isText ? compareCodePoints(a.k as string, b.k as string) : a.k < b.k ? -1 : 1
  }
  return a.ref - b.ref
}

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
