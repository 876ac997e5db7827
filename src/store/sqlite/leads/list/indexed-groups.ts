// Groups of all leads by several fields, out of the fields' indexes alone: half of what reading the leads takes.
import type { Database } from "bun:sqlite"
import { isEmptyFilter, type LeadFilter } from "../../../../filters/lead-query.ts"
import type { GroupFigure, GroupKey, GroupValue, LeadGroup } from "../../../../lead/group-query.ts"
import { refuseMany } from "../../../tables/leads/groups.ts"
import { type createStatementCache, prepare, type SlicesOf } from "../../connection/database.ts"
import { leadCount } from "../../derived/counts.ts"
import { createIndexSlices, type Slice } from "../index-slices.ts"
import { tagged } from "../tag-lists.ts"
import { hasIndex } from "./value-counts.ts"

/** Where all accounts have more times this one's leads, a number for each of them is too much. */
const SHARE = 16
const LEADS_MAX = 4_000_000

export interface IndexedGroups {
  /** True for groups that indexes answer: two fields or three that have one, nothing but counted, of all leads. */
  knows(
    account: number,
    filter: LeadFilter,
    keys: readonly GroupKey[],
    figures: readonly GroupFigure[],
  ): boolean
  groups(account: number, keys: readonly GroupKey[]): Promise<LeadGroup[]>
}

/** The leads with a value, or some of them. */
interface Valued {
  value: GroupValue
  rids: readonly number[]
}

export function createIndexedGroups(
  db: Database,
  prepared: ReturnType<typeof createStatementCache>,
  slicesOf: SlicesOf,
): IndexedGroups {
  const leadsIn = leadCount(db)
  const newestOf = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")
  const newest = () => newestOf.get()?.rid ?? 0

  async function* valuesOf(account: number, key: GroupKey): AsyncGenerator<Valued> {
    if (key.on !== "text" && key.on !== "number") return
    const column = key.field
    const indexed = { table: "leads", column } as const
    const { all, rowsWith } = createIndexSlices(prepared, account, slicesOf(), false)
    const read = ({ rows }: Slice) => {
      const sql = `SELECT ${column}, group_concat(rid) FROM ${rows.sql} GROUP BY ${column}`
      return prepared(sql).values(...rows.params) as [GroupValue, string][]
    }
    for (const slices of [all(indexed), rowsWith(indexed, null)]) {
      for await (const slice of slices)
        for (const [value, rids] of read(slice)) yield { value, rids: JSON.parse(`[${rids}]`) }
    }
  }

  /** Those with tags, and then the leads that are in a group but have none. */
  async function* tagsOf(account: number, groupOf: Uint32Array): AsyncGenerator<Valued> {
    const isTagged = new Uint8Array(groupOf.length)
    for await (const { tag, rids } of tagged(prepared, account, slicesOf)) {
      for (const rid of rids) isTagged[rid] = 1
      yield { value: tag, rids }
    }
    const slices = slicesOf()
    for (let low = 0; low < groupOf.length; ) {
      const end = Math.min(groupOf.length, low + slices.size())
      const rids: number[] = []
      for (let rid = low; rid < end; rid++) if (groupOf[rid]! > 0 && isTagged[rid] === 0) rids.push(rid)
      if (rids.length > 0) yield { value: null, rids }
      low = end
      await slices.yieldIfDue()
    }
  }

  return {
    knows(account, filter, keys, figures) {
      if (keys.length < 2 || figures.length > 0 || !isEmptyFilter(filter)) return false
      // Multi-valued keys come last, and only once.
      const isKnown = keys.every((key) => key.on === "tags" || hasIndex(key))
      if (!isKnown || keys.filter(({ on }) => on === "tags").length > 1) return false
      return newest() <= Math.min(LEADS_MAX, SHARE * leadsIn(account))
    },
    async groups(account, keys) {
      const places = keys.map((_, place) => place).sort((a, b) => rank(keys[a]!) - rank(keys[b]!))
      let parted: Parted = { groups: [], of: new Uint32Array(newest() + 1).fill(1) }
      const none: LeadGroup = { values: keys.map(() => null), count: 0, found: [], oldest: 0 }
      parted.groups.push(none)
      for (const [i, place] of places.entries()) {
        const key = keys[place]!
        const values = key.on === "tags" ? tagsOf(account, parted.of) : valuesOf(account, key)
        parted = await part(parted, place, values, i === places.length - 1)
      }
      return parted.groups
    },
  }
}

const rank = ({ on }: GroupKey) => (on === "tags" ? 1 : 0)

/** Leads in groups: of each lead by its rid the group's number, counted from 1; 0 for what is no lead. */
interface Parted {
  groups: LeadGroup[]
  of: Uint32Array
}

/** Parts groups by one more value, which stands at this place. */
async function part(
  { groups: old, of: groupOf }: Parted,
  place: number,
  values: AsyncIterable<Valued>,
  isLast: boolean,
): Promise<Parted> {
  const groups: LeadGroup[] = []
  const of = isLast ? groupOf : new Uint32Array(groupOf.length)
  /** By value, and then by the group before: the group's number. */
  const numbersByValue = new Map<GroupValue, Map<number, number>>()
  for await (const { value, rids } of values) {
    const numbers = numbersByValue.get(value) ?? new Map<number, number>()
    numbersByValue.set(value, numbers)
    for (const rid of rids) {
      const from = groupOf[rid]
      // A lead that was made since.
      if (!from) continue
      let number = numbers.get(from)
      if (number === undefined) {
        const newGroup = {
          values: old[from - 1]!.values.with(place, value),
          count: 0,
          found: [],
          oldest: rid,
        }
        number = groups.push(newGroup)
        numbers.set(from, number)
      }
      const group = groups[number - 1]!
      group.count++
      if (rid < group.oldest) group.oldest = rid
      if (!isLast) of[rid] = number
    }
    refuseMany(groups.length)
  }
  return { groups, of }
}
