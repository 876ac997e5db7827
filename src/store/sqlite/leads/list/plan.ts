// How a list of leads is read, decided before anything of it is. A plan is plain data, and its executors
// (executors.ts) need nothing else but a connection: each can run on another thread.

import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import type { LeadFilter, LeadSort } from "../../../../filters/lead-query.ts"
import { without } from "../../../tables/leads/ranked-words.ts"
import { LISTED_DOCUMENT } from "../../connection/documents.ts"
import { filterSql, isHeavy, looksAtLeads } from "../filters.ts"
import type { Driver, DriverChoice } from "./choice.ts"
import { composedIndex, tagByTag } from "./drivers.ts"
import { indexTest, isAnsweredByIndexes } from "./index-tests.ts"
import { hasOrder, orderOf, type Sources, type Stretch, stretchesOf } from "./stretches.ts"

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

/** Plans a page of a list. Reads counts and, where the filter's hits are few, the hits. */
export async function listPlanOf(
  choose: DriverChoice,
  account: number,
  { filter, sort, limit }: PlannedQuery,
): Promise<Plan> {
  const asked = tagByTag(filter)
  const composed = composedIndex(asked, sort)
  const isAnswered = composed && asked.all.length + asked.any.length === 1
  // A driver's leads are tested all at once: too long for a test that takes milliseconds.
  const driver = isAnswered || isHeavy(asked) ? undefined : await choose.few(account, asked, limit)
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
export function drivenBy(plan: Plan, driver: Driver): Plan {
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
export function testSql({ account, tested, byIndexes }: Plan, table: Stretch["table"]): Fragment {
  const rid = `${table}.rid`
  return filterSql(account, tested, rid, byIndexes ? (one) => indexTest(account, one, rid) : undefined)
}

/** Selects the leads of a stretch between bounds, in order. The caller adds the limit as the last parameter. */
export function pageSql(plan: Plan, stretch: Stretch, bounds: Fragment): Fragment {
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
