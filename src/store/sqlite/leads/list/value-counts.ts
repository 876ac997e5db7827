// How many leads have each value of one field, out of its index alone.
import type { Database } from "bun:sqlite"
import { isEmptyFilter, type LeadFilter } from "../../../../filters/lead-query.ts"
import type { GroupFigure, GroupKey, LeadGroup } from "../../../../lead/group-query.ts"
import { type createStatementCache, prepare, type SlicesOf } from "../../connection/database.ts"
import { leadCount } from "../../derived/counts.ts"
import { createIndexSlices } from "../index-slices.ts"
import { tagged } from "../tag-lists.ts"
import { INDEXED } from "./drivers.ts"

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
  slicesOf: SlicesOf,
): ValueCounts {
  const leadsIn = leadCount(db)
  const newest = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")

  async function byTag(account: number): Promise<LeadGroup[]> {
    const leads = leadsIn(account)
    const marks = createMarks(newest.get()?.rid ?? 0)
    const byText = new Map<string, LeadGroup>()
    let having = 0
    for await (const { tag, rids } of tagged(prepared, account, slicesOf)) {
      const group = byText.get(tag)
      if (group) group.count += rids.length
      else byText.set(tag, { values: [tag], count: rids.length, found: [], oldest: rids[0]! })
      for (const rid of rids) if (marks.add(rid)) having++
    }
    return withNone([...byText.values()], Math.max(0, leads - having))
  }

  return {
    knows: (filter, [key, ...more], figures) =>
      isEmptyFilter(filter) &&
      more.length + figures.length === 0 &&
      key !== undefined &&
      (key.on === "tags" || hasIndex(key)),
    async groups(account, key) {
      if (key.on === "tags") return byTag(account)
      if (key.on !== "text" && key.on !== "number") return []
      const column = key.field
      const indexed = { table: "leads", column } as const
      const { all, countEqual } = createIndexSlices(prepared, account, slicesOf(), leadsIn(account) <= FEW)
      const byValue = new Map<string | number, LeadGroup>()
      for await (const { rows } of all(indexed)) {
        const sql = `SELECT ${column}, count(*), min(rid) FROM ${rows.sql} GROUP BY ${column}`
        for (const [value, count, oldest] of prepared(sql).values(...rows.params) as Row[]) {
          const group = byValue.get(value)
          if (group) group.count += count
          else byValue.set(value, { values: [value], count, found: [], oldest })
        }
      }
      const empty = await countEqual(indexed, null)
      return withNone([...byValue.values()], empty)
    },
  }
}

/** Whether the groups of a key are the values of an index: bands of numbers are not. */
export function hasIndex(key: GroupKey): boolean {
  if (key.on !== "text" && key.on !== "number") return false
  return INDEXED.has(key.field) && (key.on === "text" || key.step === undefined)
}

/** With the leads that have no value, where there are any. */
function withNone(groups: LeadGroup[], empty: number): LeadGroup[] {
  const none: LeadGroup = { values: [null], count: empty, found: [], oldest: 0 }
  return empty > 0 ? [...groups, none] : groups
}

/** Which numbers were met, up to a largest. */
function createMarks(most: number) {
  const bits = new Uint32Array(Math.floor(most / 32) + 1)
  return {
    /** True for one that is new. */
    add(n: number): boolean {
      const [at, bit] = [n >>> 5, 1 << (n & 31)]
      const bitsThere = bits[at]
      if (bitsThere === undefined || bitsThere & bit) return false
      bits[at] = bitsThere | bit
      return true
    },
  }
}

type Row = [value: string | number, count: number, oldest: number]
