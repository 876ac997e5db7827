// How many leads have each value of one field, out of its index alone.
import type { Database } from "bun:sqlite"
import type { GroupFigure, GroupKey, LeadGroup } from "../../../core/group-query.ts"
import type { LeadFilter } from "../../../core/lead-query.ts"
import type { createStatementCache } from "../file/statement-cache.ts"
import { createSlices } from "../queue/slices.ts"
import { asksNothing } from "./conditions.ts"
import { leadCount } from "./counts.ts"
import { createIndexSlices } from "./index-slices.ts"
import { INDEXED } from "./index-tests.ts"

/** Leads of an account that are counted by a column in a millisecond or two. */
const FEW = 20_000

export interface ValueCounts {
  /** True for groups that an index answers: one field that has one, nothing but counted, of all leads. */
  knows(filter: LeadFilter, keys: readonly GroupKey[], figures: readonly GroupFigure[]): boolean
  groups(account: number, key: GroupKey): Promise<LeadGroup[]>
}

export function createValueCounts(
  db: Database,
  prepared: ReturnType<typeof createStatementCache>,
): ValueCounts {
  const leadsIn = leadCount(db)
  return {
    knows: (filter, [key, ...more], figures) =>
      asksNothing(filter) &&
      more.length + figures.length === 0 &&
      key !== undefined &&
      (key.on === "text" || (key.on === "number" && key.field !== "score")) &&
      INDEXED.has(key.field),
    async groups(account, key) {
      if (key.on !== "text" && key.on !== "number") return []
      const column = key.field
      const indexed = { table: "leads", column } as const
      const { all, countEqual } = createIndexSlices(
        prepared,
        account,
        createSlices(),
        leadsIn(account) <= FEW,
      )
      const found = new Map<string | number, LeadGroup>()
      for await (const { rows } of all(indexed)) {
        const sql = `SELECT ${column}, count(*), min(rid) FROM ${rows.sql} GROUP BY ${column}`
        for (const [value, count, oldest] of prepared(sql).values(...rows.params) as Row[]) {
          const group = found.get(value)
          if (group) group.count += count
          else found.set(value, { values: [value], count, found: [], oldest })
        }
      }
      const empty = await countEqual(indexed, null)
      const none: LeadGroup = { values: [null], count: empty, found: [], oldest: 0 }
      return [...found.values(), ...(empty > 0 ? [none] : [])]
    },
  }
}

type Row = [value: string | number, count: number, oldest: number]
