// Rows of listed leads, and places in a list before their rows are read.

import { type Fragment, fragment } from "../../../../filters/fragment.ts"
import { compareCodePoints } from "../../../../text/text.ts"
import { ListedLead } from "../../../tables/leads/stored-lead.ts"
import type { StatementCache } from "../../connection/database.ts"
import { drivenBy, type Plan, pageSql } from "./plan.ts"
import type { ListPosition, Stretch } from "./stretches.ts"

/** A listed lead with the value that the list is sorted by. */
export class SortedRow extends ListedLead {
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
  function between(plan: Plan, stretch: Stretch, bounds: Fragment, most: number): SortedRow[] {
    const { sql, params } = pageSql(plan, stretch, bounds)
    return prepared<SortedRow>(sql)
      .as(SortedRow)
      .all(...params, most)
  }

  return {
    between,
    of(plan, step, rids, most = rids.length) {
      const driven = drivenBy(plan, { rids: JSON.stringify(rids), tested: [] })
      return between(driven, driven.steps[step]!.stretch, fragment("1"), most)
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
