import type { Database } from "bun:sqlite"
import type { LeadFilter, LeadSort } from "../../core/lead-query.ts"
import type { LeadPage, LeadQuery, LeadReads, LeadRow, Position } from "../store.ts"
import { prepare } from "./database.ts"
import { type Fragment, fragment, join } from "./fragment.ts"
import { filterSql } from "./lead-conditions.ts"
import {
  type Composed,
  composedIndex,
  createDriverChoice,
  type Driver,
  tagByTag,
  valueIndex,
} from "./lead-drivers.ts"
import { leadsOf, orderOf, type Segment, segments, starts, upTo } from "./lead-segments.ts"
import { createSlices } from "./slices.ts"
import { createStatementCache } from "./statement-cache.ts"

/** Characters of an attribute's text that a position carries: cursors travel in addresses. */
const CARRIED = 300

function shortened({ key }: LeadSort, position: Position): Position {
  const [segment, value, ref] = position
  if (key.on !== "attribute" || typeof value !== "string") return position
  return [segment, value.slice(0, CARRIED), ref]
}

type ListedRow = LeadRow & { k: string | number | null }

/** What stays the same while a page is put together. */
interface Search {
  account: number
  sort: LeadSort
  filter: Fragment
  /** The index that has the leads of one of the filter's values, for reading all of them. */
  index: string
  driver: Driver | undefined
  composed: Composed | undefined
}

/** Lists of leads. What no index answers is read in slices, so that other requests go on meanwhile. */
export function leadLists(db: Database): Pick<LeadReads, "list" | "count" | "attributeNames"> {
  const prepared = createStatementCache(db)
  const choose = createDriverChoice(db, prepared)
  const attributeText = prepare<{ text: string | null }>(
    db,
    "SELECT text FROM lead_attributes WHERE account_id = ? AND name = ? AND rid = ? AND item = 0",
  )
  const newest = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")
  const counted = prepare<{ n: number }>(db, "SELECT lead_count AS n FROM accounts WHERE key = ?")

  async function list(account: number, { sort, limit, ...query }: LeadQuery): Promise<LeadPage> {
    const after = query.after && whole(account, sort, query.after)
    const asked = tagByTag(query.filter)
    const composed = composedIndex(asked, sort)
    const isAnswered = composed && asked.all.length + asked.any.length === 1
    const driver = isAnswered ? undefined : choose(account, asked, limit)
    const tested = driver?.tested ?? (composed ? [composed.condition] : [])
    const filter = filterSql(account, asked, tested)
    const search: Search = { account, sort, filter, index: valueIndex(asked), driver, composed }
    const found = new Map<number, LeadRow>()
    let last: Position | undefined
    const stretches = segments(account, sort, driver, composed)
    for (let i = after?.[0] ?? 0; i < stretches.length && found.size <= limit; i++) {
      for await (const rows of read(search, i, after?.[0] === i ? after : undefined, limit + 1)) {
        for (const { k, ...row } of rows) {
          // While slices are read, a lead can move to where it is met again.
          if (found.size > limit || found.has(row.ref)) continue
          if (found.size < limit) last = [i, k, row.ref]
          found.set(row.ref, row)
        }
        if (found.size > limit) break
      }
    }
    const rows = [...found.values()]
    if (rows.length <= limit) return { rows, next: undefined }
    return { rows: rows.slice(0, limit), next: last && shortened(sort, last) }
  }

  /** The rows of a stretch, from a position on and in order, slice by slice. */
  async function* read(
    search: Search,
    index: number,
    after: Position | undefined,
    most: number,
  ): AsyncGenerator<ListedRow[]> {
    const { account, sort, filter, driver, composed } = search
    const stretch = segments(account, sort, driver, composed)[index]!
    if (!driver && !stretch.walk) {
      const best = await sweep(search, stretch, starts(stretch, after, sort), most)
      yield* read({ ...search, driver: best, filter: fragment("1") }, index, after, most)
      return
    }
    const isAtOnce = driver !== undefined || (filter.sql === "1" && sort.key.on !== "attribute")
    const slices = createSlices()
    let todo = starts(stretch, after, sort)
    for (let start = todo.shift(); start; start = todo.shift()) {
      const end = isAtOnce ? undefined : ahead(stretch, start, sort, index, slices.size())
      for (const bounds of end ? upTo(start, stretch, end, sort) : [start]) {
        const { sql, params } = pageSql(search, stretch, bounds)
        yield prepared<ListedRow>(sql).all(...params, most)
      }
      if (!end) continue
      todo = starts(stretch, end, sort)
      await slices.rest()
    }
  }

  /** The position so many rows of the index further on; undefined when there are not so many. */
  function ahead(
    segment: Segment,
    start: Fragment,
    sort: LeadSort,
    index: number,
    rows: number,
  ): Position | undefined {
    const { key = "NULL", table, walk = fragment("") } = segment
    const sql = `SELECT ${key} AS k, ${table}.rid AS ref FROM ${walk.sql} AND ${start.sql}
      ORDER BY ${orderOf(segment, sort)} LIMIT 1 OFFSET ?`
    const row = prepared<{ k: string | number | null; ref: number }>(sql).get(
      ...walk.params,
      ...start.params,
      rows - 1,
    )
    return row ? [index, row.k, row.ref] : undefined
  }

  /** The first leads of a stretch that no index has in order: the best of each part of the table. */
  async function sweep(
    { account, sort, filter, index }: Search,
    segment: Segment,
    from: Fragment[],
    most: number,
  ): Promise<Driver> {
    const start = join(from, " OR ")
    const test = join([segment.where, fragment(`(${start.sql})`, ...start.params), filter], " AND ")
    const best: number[] = []
    for await (const part of parts()) {
      const sql = `SELECT l.rid FROM leads l ${index} WHERE ${part.sql} AND l.account_id = ? AND ${test.sql}
        ORDER BY ${orderOf(segment, sort)} LIMIT ?`
      const rows = prepared<{ rid: number }>(sql).all(...part.params, account, ...test.params, most)
      best.push(...rows.map((row) => row.rid))
    }
    const found = fragment("SELECT value AS rid FROM json_each(?)", JSON.stringify(best))
    return { ...found, repeats: false, joins: fragment(""), tested: [] }
  }

  /** The whole table of leads, part by part, as conditions on `l.rid`. */
  async function* parts(): AsyncGenerator<Fragment> {
    const slices = createSlices()
    const end = newest.get()?.rid ?? 0
    for (let low = 0; low < end; ) {
      const high = low + slices.size()
      yield fragment("l.rid > ? AND l.rid <= ?", low, high)
      low = high
      await slices.rest()
    }
  }

  /** The position with the value that its lead still has, where the cursor carries only the beginning. */
  function whole(account: number, { key }: LeadSort, position: Position): Position {
    const [segment, value, ref] = position
    if (key.on !== "attribute" || typeof value !== "string" || value.length < CARRIED) return position
    const now = attributeText.get(account, key.name, ref)?.text
    return now?.startsWith(value) ? [segment, now, ref] : position
  }

  /** Answers a question about all leads that a filter matches: once for a driver's few, else part by part. */
  async function* eachPart<Row>(
    account: number,
    filter: LeadFilter,
    question: (from: string, where: string) => string,
  ): AsyncGenerator<Row[]> {
    const driver = choose(account, filter, 1_000)
    const test = filterSql(account, filter, driver?.tested)
    const where = `l.account_id = ? AND ${test.sql}`
    if (driver) {
      const from = leadsOf(driver)
      yield prepared<Row>(question(from.sql, where)).all(...from.params, account, ...test.params)
      return
    }
    for await (const part of parts()) {
      const sql = question("leads l", `${part.sql} AND ${where}`)
      yield prepared<Row>(sql).all(...part.params, account, ...test.params)
    }
  }

  async function count(account: number, filter: LeadFilter): Promise<number> {
    if (filter.all.length + filter.any.length === 0) return counted.get(account)?.n ?? 0
    let sum = 0
    const question = (from: string, where: string) => `SELECT count(*) AS n FROM ${from} WHERE ${where}`
    for await (const rows of eachPart<{ n: number }>(account, filter, question)) sum += rows[0]!.n
    return sum
  }

  async function attributeNames(account: number, filter: LeadFilter): Promise<string[]> {
    if (filter.all.length + filter.any.length === 0) {
      const rows = prepared<{ name: string }>(ALL_ATTRIBUTE_NAMES).all(account, account)
      return rows.map((row) => row.name)
    }
    const names = new Set<string>()
    const question = (from: string, where: string) => `SELECT DISTINCT a.value ->> '$.name' AS name
      FROM ${from} CROSS JOIN lead_documents d ON d.rid = l.rid, json_each(d.data, '$.attributes') a
      WHERE ${where}`
    for await (const rows of eachPart<{ name: string }>(account, filter, question)) {
      for (const { name } of rows) names.add(name)
    }
    return prepared<{ name: string }>("SELECT value AS name FROM json_each(?) ORDER BY 1")
      .all(JSON.stringify([...names]))
      .map((row) => row.name)
  }

  return { list, count, attributeNames }
}

/** Hops from name to name in the index, so that its cost is the number of names, not of leads. */
const ALL_ATTRIBUTE_NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM lead_attributes WHERE account_id = ?
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = ? AND a.name > names.name)
    FROM names WHERE names.name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`

/** A part of a page. The caller adds the limit as the last parameter. */
function pageSql({ account, filter, sort }: Search, segment: Segment, bounds: Fragment): Fragment {
  const { key, from } = segment
  const parts = [fragment("l.account_id = ?", account), segment.where, bounds, filter]
  const picked = `SELECT l.rid, ${key ?? "NULL"} AS k FROM ${from.sql}
    WHERE ${parts.map((part) => part.sql).join(" AND ")} ORDER BY ${orderOf(segment, sort)} LIMIT ?`
  return {
    // A join in this order keeps the order of what was picked: CROSS JOIN is never reordered.
    sql: `SELECT p.rid AS ref, d.data, s.score, s.version, p.k FROM (${picked}) p
      CROSS JOIN lead_documents d ON d.rid = p.rid CROSS JOIN lead_scores s ON s.rid = p.rid`,
    params: [...from.params, ...parts.flatMap((part) => part.params)],
  }
}
