import type { Database } from "bun:sqlite"
import { lazy } from "../../../core/lazy.ts"
import type { LeadFilter, LeadSort } from "../../../core/lead-query.ts"
import type { LeadPage, LeadQuery, LeadReads } from "../../contract/store.ts"
import { without } from "../../shared/ranked-words.ts"
import { ListedLead } from "../../shared/stored-lead.ts"
import { type Fragment, fragment, join } from "../../sql/fragment.ts"
import { prepare } from "../file/database.ts"
import { createStatementCache } from "../file/statement-cache.ts"
import { type Slices, type SlicesOf, slicesFor } from "../queue/slices.ts"
import { createRelevance } from "../search/relevance.ts"
import { createDriverChoice } from "./choice.ts"
import { asksNothing, filterSql, isHeavy, looksAtLeads } from "./conditions.ts"
import { leadCount } from "./counts.ts"
import { documentSql } from "./documents.ts"
import { composedIndex, tagByTag } from "./drivers.ts"
import { createEachPart } from "./each-part.ts"
import { leadGroups } from "./groups.ts"
import { indexTest, isAnsweredByIndexes } from "./index-tests.ts"
import { createIndexedGroups } from "./indexed-groups.ts"
import { createPlainLines } from "./plain-lines.ts"
import {
  hasOrder,
  orderOf,
  type Position,
  type Segment,
  type Sources,
  type Start,
  segments,
  starts,
  upTo,
} from "./segments.ts"
import { createSweeps, merged, type Place } from "./sweep.ts"
import { createValueCounts } from "./value-counts.ts"

/** Characters of an attribute's text that a position carries: cursors travel in addresses. */
const CARRIED = 300

function shortened({ key }: LeadSort, position: Position): Position {
  const [segment, value, ref] = position
  if (key.on !== "attribute" || typeof value !== "string") return position
  return [segment, value.slice(0, CARRIED), ref]
}

class ListedRow extends ListedLead {
  declare readonly k: string | number | null
}

/** What stays the same while a page is put together. */
interface Search extends Sources {
  account: number
  sort: LeadSort
  /** What is to be tested lead by lead. */
  filter: LeadFilter
  /** Conditions are asked of indexes: the rows of leads that are passed by are not read. */
  byIndexes: boolean
  /** The leads that an index has for the filter, when they are not too many to be remembered. */
  hits(): Promise<Set<number> | undefined>
}

/** Slices that are tested lead by lead before the filter's own indexes are asked: mostly the page is full by then. */
const PATIENCE = 4
/** Leads of a walk that are read at a time: more take longer than other requests should wait. */
const CHUNK = 500
/** Places of a walk that are found at a time where no index has the order: a few megabytes. */
const SWEPT = 20_000
/** Hits of so many pages are rather fetched and sorted than waited for. */
const PAGES = 20

/** Lists of leads. What no index answers is read in slices, so that other requests go on meanwhile. */
export function leadLists(
  db: Database,
  slicesOf: SlicesOf = slicesFor,
  swept = SWEPT,
  ranking: Parameters<typeof createRelevance>[3] = {},
): Pick<
  LeadReads,
  "list" | "walk" | "plainLines" | "count" | "ids" | "attributeNames" | "groups" | "writtenValues"
> {
  const prepared = createStatementCache(db)
  const choose = createDriverChoice(db, prepared, slicesOf)
  const sweeps = createSweeps(db, prepared, slicesOf)
  const relevant = createRelevance(db, prepared, slicesOf, ranking)
  const eachPart = createEachPart(prepared, choose, sweeps, slicesOf)
  const attributeText = prepare<{ text: string | null }>(
    db,
    "SELECT text FROM lead_attributes WHERE account_id = ? AND name = ? AND rid = ? AND item = 0",
  )
  const leadsIn = leadCount(db)

  /** All matching leads in order. */
  async function* walk(account: number, { filter, sort }: Pick<LeadQuery, "filter" | "sort">) {
    const asked = tagByTag(filter)
    if (hasOrder(sort) || (!isHeavy(asked) && (await choose.few(account, asked, CHUNK)))) {
      yield* walkPages(account, { filter, sort })
      return
    }
    const hits = async () => undefined
    const sources = { driver: undefined, composed: undefined, withLeads: true }
    const search: Search = { ...sources, byIndexes: false, account, sort, filter: asked, hits }
    for (const [index, stretch] of segments(account, sort, sources).entries()) {
      let places: Place[] = []
      do {
        const last = places.at(-1)
        const after: Position | undefined = last && [index, last.k, last.ref]
        places = await sweep(search, stretch, starts(stretch, after, sort), swept)
        for (let at = 0; at < places.length; at += CHUNK)
          yield placed(search, index, places.slice(at, at + CHUNK))
      } while (places.length === swept)
    }
  }

  async function* walkPages(account: number, query: Pick<LeadQuery, "filter" | "sort">) {
    let after: string | undefined
    do {
      const page = await list(account, { ...query, after, limit: CHUNK })
      yield page.rows
      after = page.next
    } while (after)
  }

  async function listByRelevance(account: number, { filter, after, limit }: LeadQuery): Promise<LeadPage> {
    const { refs, next } = await relevant(account, tagByTag(filter), after, limit)
    const rows = prepared<ListedLead>(RELEVANT).as(ListedLead).all(JSON.stringify(refs))
    return { rows, next }
  }

  async function list(account: number, { sort, limit, ...query }: LeadQuery): Promise<LeadPage> {
    if (sort.key.on === "relevance") return listByRelevance(account, { sort, limit, ...query })
    const after = query.after ? whole(account, sort, JSON.parse(query.after)) : undefined
    const asked = tagByTag(query.filter)
    const composed = composedIndex(asked, sort)
    const isAnswered = composed && asked.all.length + asked.any.length === 1
    // What an index names is tested at once: too long for a test that takes milliseconds.
    const driver = isAnswered || isHeavy(asked) ? undefined : await choose.few(account, asked, limit)
    const tested = driver?.tested ?? (composed ? [composed.condition] : [])
    const filter = without(asked, tested)
    const byIndexes = driver === undefined && hasOrder(sort) && isAnsweredByIndexes(filter)
    const sources = { driver, composed, withLeads: !byIndexes && looksAtLeads(filter) }
    const hits = lazy(() => choose.many(account, asked)).get
    const search: Search = { ...sources, byIndexes, account, sort, filter, hits }
    const found = new Map<number, ListedLead>()
    let last: Position | undefined
    const stretches = segments(account, sort, sources)
    for (let i = after?.[0] ?? 0; i < stretches.length && found.size <= limit; i++) {
      for await (const rows of read(search, i, after?.[0] === i ? after : undefined, limit + 1)) {
        for (const row of rows) {
          // While slices are read, a lead can move to where it is met again.
          if (found.size > limit || found.has(row.ref)) continue
          if (found.size < limit) last = [i, row.k, row.ref]
          found.set(row.ref, row)
        }
        if (found.size > limit) break
      }
    }
    const rows = [...found.values()]
    if (rows.length <= limit) return { rows, next: undefined }
    return { rows: rows.slice(0, limit), next: last && JSON.stringify(shortened(sort, last)) }
  }

  /** The rows of a stretch, from a position on and in order, slice by slice. */
  async function* read(
    search: Search,
    index: number,
    after: Position | undefined,
    most: number,
  ): AsyncGenerator<ListedRow[]> {
    const { account, sort, filter, driver } = search
    const stretch = segments(account, sort, search)[index]!
    if (!driver && !stretch.walk) {
      const best = await sweep(search, stretch, starts(stretch, after, sort), most)
      yield placed(search, index, best)
      return
    }
    const slices = slicesOf(isHeavy(filter))
    if (driver) {
      yield* driven(search, index, starts(stretch, after, sort), most, slices)
      return
    }
    const isAtOnce = asksNothing(filter) && sort.key.on !== "attribute"
    let among: Set<number> | undefined
    let done = 0
    let todo = starts(stretch, after, sort)
    for (let start = todo.shift(); start; start = todo.shift()) {
      const end = isAtOnce ? undefined : ahead(stretch, start, sort, index, slices.size())
      for (const bounds of end ? upTo(start, stretch, end, sort) : [start]) {
        if (among) yield* pick(search, index, bounds, among, most)
        else yield page(search, stretch, bounds, most)
      }
      if (!end) continue
      todo = starts(stretch, end, sort)
      await slices.yieldIfDue()
      if (++done >= PATIENCE) among ??= await search.hits()
      if (among && among.size <= PAGES * most) {
        const few = { rids: JSON.stringify([...among]), tested: [] }
        yield* read({ ...search, driver: few }, index, end, most)
        return
      }
    }
  }

  /** The first leads of a stretch among those that a driver gives, which are read some at a time. */
  async function* driven(
    search: Search,
    index: number,
    from: Start[],
    most: number,
    slices: Slices,
  ): AsyncGenerator<ListedRow[]> {
    const { account, sort, driver } = search
    // In the order in which they lie.
    const rids = (JSON.parse(driver!.rids) as number[]).sort((a, b) => a - b)
    const start = join(from, " OR ")
    let best: Place[] = []
    for (let at = 0, size = slices.size(); at < rids.length; at += size, size = slices.size()) {
      const some = { rids: JSON.stringify(rids.slice(at, at + size)), tested: driver!.tested }
      const stretch = segments(account, sort, { ...search, driver: some })[index]!
      const { table, key } = stretch
      const test = testSql(search, table)
      const places = prepared<Place>(
        `SELECT ${key ?? "NULL"} AS k, ${table}.rid AS ref FROM ${stretch.from.sql}
         WHERE ${stretch.where.sql} AND (${start.sql}) AND ${test.sql} ORDER BY ${orderOf(stretch, sort)} LIMIT ?`,
      ).all(...stretch.from.params, ...stretch.where.params, ...start.params, ...test.params, most)
      best = merged(best, places, sort.descending).slice(0, most)
      if (at + size < rids.length) await slices.yieldIfDue()
    }
    yield placed(search, index, best)
  }

  function page(search: Search, segment: Segment, bounds: Fragment, most: number): ListedRow[] {
    const { sql, params } = pageSql(search, segment, bounds)
    return prepared<ListedRow>(sql)
      .as(ListedRow)
      .all(...params, most)
  }

  /** The leads at some places, as they are now. */
  function placed(search: Search, index: number, places: readonly Place[]): ListedRow[] {
    const driver = { rids: JSON.stringify(places.map(({ ref }) => ref)), tested: [] }
    const drivenBy = { ...search, driver }
    return page(
      drivenBy,
      segments(search.account, search.sort, drivenBy)[index]!,
      fragment("1"),
      places.length,
    )
  }

  /** The same of those leads alone that are among some: the others are passed by in the sort's index. */
  function* pick(
    search: Search,
    index: number,
    bounds: Fragment,
    among: Set<number>,
    most: number,
  ): Generator<ListedRow[]> {
    const { account, sort } = search
    const segment = segments(account, sort, search)[index]!
    const { table, walk = fragment("") } = segment
    const passed = `SELECT ${table}.rid FROM ${walk.sql} AND ${bounds.sql} ORDER BY ${orderOf(segment, sort)}`
    const row = prepared<{ rids: string }>(`SELECT json_group_array(rid) AS rids FROM (${passed})`)
    const { rids } = row.get(...walk.params, ...bounds.params)!
    const picked = (JSON.parse(rids) as number[]).filter((rid) => among.has(rid))
    for (let at = 0; at < picked.length; at += 2 * most) {
      const driver = { rids: JSON.stringify(picked.slice(at, at + 2 * most)), tested: [] }
      yield page(search, segments(account, sort, { ...search, driver })[index]!, fragment("1"), most)
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

  /** The first places of a stretch that no index has in order. */
  function sweep({ account, sort, filter }: Search, stretch: Segment, from: Start[], most: number) {
    const start = join(from, " OR ")
    const filtered = filterSql(account, without(filter, sweeps.tested(filter)), "l.rid")
    const test = join([fragment(`(${start.sql})`, ...start.params), filtered], " AND ")
    return sweeps.first(sort, stretch, { account, filter, test, most })
  }

  /** The position with the value that its lead still has, where the cursor carries only the beginning. */
  function whole(account: number, { key }: LeadSort, position: Position): Position {
    const [segment, value, ref] = position
    if (key.on !== "attribute" || typeof value !== "string" || value.length < CARRIED) return position
    const now = attributeText.get(account, key.name, ref)?.text
    return now?.startsWith(value) ? [segment, now, ref] : position
  }

  async function count(account: number, filter: LeadFilter): Promise<number> {
    if (asksNothing(filter)) return leadsIn(account)
    let sum = 0
    const question = { select: fragment("count(*) AS n") }
    for await (const rows of eachPart<[n: number]>(account, filter, question)) sum += rows[0]![0]
    return sum
  }

  async function ids(account: number, filter: LeadFilter): Promise<string[]> {
    const all: string[] = []
    for await (const rows of eachPart<[id: string]>(account, filter, { select: fragment("l.id") }))
      for (const [id] of rows) all.push(id)
    return all
  }

  async function attributeNames(account: number, filter: LeadFilter): Promise<string[]> {
    if (asksNothing(filter)) {
      const rows = prepared<{ name: string }>(ALL_ATTRIBUTE_NAMES).all(account, account)
      return rows.map((row) => row.name)
    }
    const names = new Set<string>()
    const question = {
      select: fragment("DISTINCT a.value ->> '$.name' AS name"),
      joins: fragment("CROSS JOIN lead_documents d ON d.rid = l.rid, json_each(d.data, '$.attributes') a"),
    }
    for await (const rows of eachPart<[name: string]>(account, filter, question)) {
      for (const [name] of rows) names.add(name)
    }
    return prepared<{ name: string }>("SELECT value AS name FROM json_each(?) ORDER BY 1")
      .all(JSON.stringify([...names]))
      .map((row) => row.name)
  }

  return {
    list,
    walk,
    plainLines: createPlainLines,
    count,
    ids,
    attributeNames,
    ...leadGroups(
      db,
      prepared,
      eachPart,
      createValueCounts(db, prepared, slicesOf),
      createIndexedGroups(db, prepared, slicesOf),
      slicesOf,
    ),
  }
}

/** The leads of a list of rids, in its order. */
const RELEVANT = `SELECT d.rid AS ref, CAST(${documentSql("d")} AS BLOB) AS bytes, s.activity AS done, s.score
  FROM json_each(?) q CROSS JOIN lead_documents d ON d.rid = q.value CROSS JOIN lead_scores s ON s.rid = d.rid
  ORDER BY q.key`

/** Hops from name to name in the index, so that its cost is the number of names, not of leads. */
const ALL_ATTRIBUTE_NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM lead_attributes WHERE account_id = ?
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = ? AND a.name > names.name)
    FROM names WHERE names.name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`

/** What is asked of a lead that `table` names, by its row or by indexes. */
function testSql({ account, filter, byIndexes }: Search, table: Segment["table"]): Fragment {
  const rid = `${table}.rid`
  return filterSql(account, filter, rid, byIndexes ? (one) => indexTest(account, one, rid) : undefined)
}

/** A part of a page. The caller adds the limit as the last parameter. */
function pageSql(search: Search, segment: Segment, bounds: Fragment): Fragment {
  const { key, from, table } = segment
  const parts = [segment.where, bounds, testSql(search, table)]
  const picked = `SELECT ${table}.rid, ${key ?? "NULL"} AS k FROM ${from.sql}
    WHERE ${parts.map((part) => part.sql).join(" AND ")} ORDER BY ${orderOf(segment, search.sort)} LIMIT ?`
  return {
    // A join in this order keeps the order of what was picked: CROSS JOIN is never reordered.
    sql: `SELECT p.rid AS ref, CAST(${documentSql("d")} AS BLOB) AS bytes, s.activity AS done, s.score, p.k FROM (${picked}) p
      CROSS JOIN lead_documents d ON d.rid = p.rid CROSS JOIN lead_scores s ON s.rid = p.rid`,
    params: [...from.params, ...parts.flatMap((part) => part.params)],
  }
}
