// Groups of leads. SQLite would sort each part to group it, which takes twice as long as to put its rows together here.
import type { Database } from "bun:sqlite"
import { fragment } from "../../../../filters/fragment.ts"
import { isEmptyFilter, type LeadFilter } from "../../../../filters/lead-query.ts"
import type { GroupFigure, GroupKey, GroupValue, LeadGroup } from "../../../../lead/group-query.ts"
import type { LeadData } from "../../../../lead/lead.ts"
import type { LeadReads } from "../../../contract/store.ts"
import { type GroupWords, groupCells } from "../../../tables/leads/group-cells.ts"
import { createGroups, type GroupCell, refuseMany, writtenValue } from "../../../tables/leads/groups.ts"
import { type createStatementCache, prepare, type SlicesOf } from "../../connection/database.ts"
import { leadCount } from "../../derived/counts.ts"
import { createIndexSlices, type Slice } from "../index-slices.ts"
import { readTags, type TagsOf, tagged } from "../tag-lists.ts"
import { INDEXED } from "./drivers.ts"
import type { EachPart } from "./parts.ts"

const WORDS: GroupWords = {
  score: "s.score",
  scoreJoin: "CROSS JOIN lead_scores s ON s.rid = l.rid",
  tag: "g.value",
  tagJoin: () =>
    fragment("CROSS JOIN lead_documents d ON d.rid = l.rid LEFT JOIN json_each(d.data, '$.tags') g ON true"),
  stepped: (value, step) => `floor(${value} * 1.0 / ${step})`,
  steppedTime: (value, step) => `${value} / ${step}`,
  attribute: (alias) => `coalesce(${alias}.text, ${alias}.number)`,
}

export function leadGroups(
  db: Database,
  prepared: ReturnType<typeof createStatementCache>,
  eachPart: EachPart,
  counts: ValueCounts,
  indexed: IndexedGroups,
  slicesOf: SlicesOf,
): Pick<LeadReads, "groups" | "writtenValues"> {
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  return {
    async groups(account, filter, keys, figures) {
      if (counts.knows(filter, keys, figures)) return counts.groups(account, keys[0]!)
      if (indexed.knows(account, filter, keys, figures)) return indexed.groups(account, keys)
      const all = createGroups(keys, figures)
      const tagPlaces = keys.flatMap(({ on }, i) => (on === "tags" ? [i] : []))
      let tagsOf: TagsOf | undefined
      const question = async (isFew: boolean) => {
        if (!isFew && tagPlaces.length > 0) tagsOf = await readTags(prepared, account, slicesOf)
        const words = tagsOf ? { ...WORDS, tag: "NULL", tagJoin: () => fragment("") } : WORDS
        const { select, joins } = groupCells(account, words, keys, figures)
        return { select: fragment(select), joins }
      }
      for await (const part of eachPart<GroupCell[]>(account, filter, question)) {
        if (tagsOf) for (const row of part.each()) addTagged(row, tagsOf(row[keys.length] as number))
        else for (const row of part.each()) all.add(row)
      }
      return all.list

      function addTagged(row: GroupCell[], tags: readonly string[]): void {
        if (tags.length === 0) all.add(row)
        for (const tag of tags) {
          for (const place of tagPlaces) row[place] = tag
          all.add(row)
        }
      }
    },
    async writtenValues(account, keys, group) {
      const row = document.get(account, group.oldest)
      if (!row) return group.values
      const lead: LeadData = JSON.parse(row.data)
      return keys.map((key, i) => writtenValue(lead, key, group.values[i] ?? null))
    },
  }
}

// Groups of all leads by several fields, out of the fields' indexes alone: half of what reading the leads takes.

/** Where all accounts have more times this one's leads, a number for each of them is too much. */
const SHARE = 16
const LEADS_MAX = 4_000_000

interface IndexedGroups {
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

/** Reads the highest rid of all leads, 0 without any. */
function newestRid(db: Database): () => number {
  const newest = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")
  return () => newest.get()?.rid ?? 0
}

export function createIndexedGroups(
  db: Database,
  prepared: ReturnType<typeof createStatementCache>,
  slicesOf: SlicesOf,
): IndexedGroups {
  const leadsIn = leadCount(db)
  const newest = newestRid(db)

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

// How many leads have each value of one field, out of its index alone.

/** Leads of an account that are counted by a column in a millisecond or two. */
const FEW = 20_000

interface ValueCounts {
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
  const newest = newestRid(db)

  async function byTag(account: number): Promise<LeadGroup[]> {
    const leads = leadsIn(account)
    const marks = createMarks(newest())
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
function hasIndex(key: GroupKey): boolean {
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
