import type { Database } from "bun:sqlite"
import type { LeadFilter, LeadSort } from "../../core/lead-query.ts"
import type { LeadPage, LeadQuery, LeadReads, LeadRow, Position } from "../store.ts"
import { prepare } from "./database.ts"
import { type Fragment, fragment } from "./fragment.ts"
import { filterSql } from "./lead-conditions.ts"
import { type Driver, drivers, INDEXED } from "./lead-drivers.ts"
import { createStatementCache } from "./statement-cache.ts"

/** Hits that are fetched and sorted rather than risking to read a whole account for a few matches of two filters. */
const FEW = 10_000

/**
 * A stretch of a sorted list: leads with a value, or those without one, which come last. `key` is undefined where
 * leads stand in creation order.
 */
interface Segment {
  /** What follows `FROM`, with `leads l` in it. */
  from: Fragment
  where: Fragment
  key: string | undefined
  /** The table that leads the way, whose index has the order: its rid breaks ties. */
  table: "l" | "x"
}

/** Characters of an attribute's text that a position carries: cursors travel in addresses. */
const CARRIED = 300

function shortened({ key }: LeadSort, position: Position): Position {
  const [segment, value, ref] = position
  if (key.on !== "attribute" || typeof value !== "string") return position
  return [segment, value.slice(0, CARRIED), ref]
}

/**
 * How many hits of one condition are worth fetching. In sort order a page comes after about `limit * leads / hits`
 * leads, so up to the root of `limit * leads` the hits are fewer; but only when nothing else narrows the result.
 */
function worthwhile(leads: number, filter: LeadFilter, limit: number): number {
  const balanced = Math.ceil(Math.sqrt(limit * leads))
  return filter.all.length + Math.min(filter.any.length, 1) > 1 ? Math.max(balanced, FEW) : balanced
}

type ListedRow = LeadRow & { k: string | number | null }

export function leadLists(db: Database): Pick<LeadReads, "list" | "count" | "attributeNames"> {
  const prepared = createStatementCache(db)
  const attributeText = prepare<{ text: string | null }>(
    db,
    "SELECT text FROM lead_attributes WHERE account_id = ? AND name = ? AND rid = ? AND item = 0",
  )
  const leadsOf = prepare<{ n: number }>(db, "SELECT lead_count AS n FROM accounts WHERE key = ?")

  /** The filter's cheapest index query, when fetching its hits costs less than reading in sort order. */
  function fewest(account: number, filter: LeadFilter, limit: number): Driver | undefined {
    const found = drivers(account, filter)
    if (found.length === 0) return undefined
    let best: Driver | undefined
    let least = worthwhile(leadsOf.get(account)?.n ?? 0, filter, limit) + 1
    for (const driver of found) {
      const sql = `SELECT count(*) AS hits FROM (${driver.sql} LIMIT ?)`
      const { hits } = prepared<{ hits: number }>(sql).get(...driver.params, least)!
      if (hits >= least) continue
      least = hits
      best = driver
      if (hits < 50) break
    }
    return best
  }

  function page(account: number, query: LeadQuery): LeadPage {
    const { sort, limit } = query
    const after = query.after && whole(account, sort, query.after)
    const driver = fewest(account, query.filter, limit)
    const filter = filterSql(account, query.filter)
    const rows: LeadRow[] = []
    let last: Position | undefined
    const stretches = segments(account, sort, driver)
    for (let i = after?.[0] ?? 0; i < stretches.length && rows.length <= limit; i++) {
      for (const start of starts(stretches[i]!, after?.[0] === i ? after : undefined, sort)) {
        if (rows.length > limit) break
        const { sql, params } = pageSql(account, stretches[i]!, start, filter, sort)
        for (const { k, ...row } of prepared<ListedRow>(sql).all(...params, limit + 1 - rows.length)) {
          if (rows.length < limit) last = [i, k, row.ref]
          rows.push(row)
        }
      }
    }
    if (rows.length <= limit) return { rows, next: undefined }
    return { rows: rows.slice(0, limit), next: last && shortened(sort, last) }
  }

  /** The position with the value that its lead still has, where the cursor carries only the beginning. */
  function whole(account: number, { key }: LeadSort, position: Position): Position {
    const [segment, value, ref] = position
    if (key.on !== "attribute" || typeof value !== "string" || value.length < CARRIED) return position
    const now = attributeText.get(account, key.name, ref)?.text
    return now?.startsWith(value) ? [segment, now, ref] : position
  }

  function count(account: number, filter: LeadFilter): number {
    const test = filterSql(account, filter)
    const sql = `SELECT count(*) AS n FROM leads l WHERE l.account_id = ? AND ${test.sql}`
    return prepared<{ n: number }>(sql).get(account, ...test.params)!.n
  }

  function attributeNames(account: number, filter: LeadFilter): string[] {
    const test = filterSql(account, filter)
    if (test.sql === "1") {
      return prepared<{ name: string }>(ALL_ATTRIBUTE_NAMES)
        .all(account, account)
        .map((row) => row.name)
    }
    const filtered = `SELECT DISTINCT a.value ->> '$.name' AS name
      FROM leads l JOIN lead_documents d ON d.rid = l.rid, json_each(d.data, '$.attributes') a
      WHERE l.account_id = ? AND ${test.sql} ORDER BY 1`
    return prepared<{ name: string }>(filtered)
      .all(account, ...test.params)
      .map((row) => row.name)
  }

  return {
    list: async (account, query) => page(account, query),
    count: async (account, filter) => count(account, filter),
    attributeNames: async (account, filter) => attributeNames(account, filter),
  }
}

/** Hops from name to name in the index, so that its cost is the number of names, not of leads. */
const ALL_ATTRIBUTE_NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM lead_attributes WHERE account_id = ?
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = ? AND a.name > names.name)
    FROM names WHERE names.name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`

/**
 * Where reading goes on in a stretch: first among the leads with the same value, then beyond it. Two steps, since
 * SQLite uses only the value of `(value, rid) > (?, ?)`: among 400,000 equal ones a page took 27 ms, now 0.1.
 */
function starts({ key, table }: Segment, after: Position | undefined, sort: LeadSort): Fragment[] {
  if (!after) return [fragment("1")]
  const [, value, ref] = after
  const beyond = sort.descending ? "<" : ">"
  if (key === undefined) return [fragment(`${table}.rid ${beyond} ?`, ref)]
  return [
    fragment(`${key} = ? AND ${table}.rid ${beyond} ?`, value, ref),
    fragment(`${key} ${beyond} ?`, value),
  ]
}

/** One stretch of a page from a start on. The caller adds the limit as the last parameter. */
function pageSql(
  account: number,
  segment: Segment,
  start: Fragment,
  filter: Fragment,
  sort: LeadSort,
): Fragment {
  const direction = sort.descending ? "DESC" : "ASC"
  const { key, from, table } = segment
  const parts = [fragment("l.account_id = ?", account), segment.where, start, filter]
  const order = `${key === undefined ? "" : `${key} ${direction}, `}${table}.rid ${direction}`
  const picked = `SELECT l.rid, ${key ?? "NULL"} AS k FROM ${from.sql}
    WHERE ${parts.map((part) => part.sql).join(" AND ")} ORDER BY ${order} LIMIT ?`
  return {
    // A join in this order keeps the order of what was picked: CROSS JOIN is never reordered.
    sql: `SELECT p.rid AS ref, d.data, s.score, s.version, p.k FROM (${picked}) p
      CROSS JOIN lead_documents d ON d.rid = p.rid CROSS JOIN lead_scores s ON s.rid = p.rid`,
    params: [...from.params, ...parts.flatMap((part) => part.params)],
  }
}

/**
 * The stretches of a sort, in the order they are read; nulls are last both ways (DECISIONS "List"). With a driver its
 * few leads are fetched and sorted; without one the sort's index is followed.
 */
function segments(account: number, { key }: LeadSort, driver: Driver | undefined): Segment[] {
  switch (key.on) {
    case "id":
      return [{ from: leadsFrom(driver, "id"), where: ANY, key: "l.id", table: "l" }]
    case "attribute":
      return attributeSegments(account, key.name, driver)
    case "text":
    case "number": {
      if (key.field === "score") return [scoreSegment(account, driver)]
      const { field } = key
      const from = leadsFrom(driver, INDEXED.has(field) ? field : undefined)
      // Cursors carry the value: of a long text its beginning has to do.
      const column = field === "description" ? "substr(l.description, 1, 200)" : `l.${field}`
      if (NEVER_NULL.has(field)) return [{ from, where: ANY, key: column, table: "l" }]
      return [
        { from, where: fragment(`l.${field} IS NOT NULL`), key: column, table: "l" },
        { from, where: fragment(`l.${field} IS NULL`), key: undefined, table: "l" },
      ]
    }
  }
}

const ANY = fragment("1")
const NEVER_NULL = new Set(["name", "source", "status", "created_at", "updated_at", "last_interaction_at"])

function leadsFrom(driver: Driver | undefined, index: string | undefined): Fragment {
  if (driver) return fragment(`${driven(driver)} CROSS JOIN leads l ON l.rid = q.rid`, ...driver.params)
  return fragment(index ? `leads l INDEXED BY leads_${index}` : "leads l")
}

function driven({ sql, repeats }: Driver): string {
  return repeats ? `(SELECT DISTINCT rid FROM (${sql})) q` : `(${sql}) q`
}

function scoreSegment(account: number, driver: Driver | undefined): Segment {
  const from = driver
    ? fragment(
        `${driven(driver)} CROSS JOIN leads l ON l.rid = q.rid CROSS JOIN lead_scores x ON x.rid = q.rid`,
        ...driver.params,
      )
    : fragment("lead_scores x INDEXED BY lead_scores_score CROSS JOIN leads l ON l.rid = x.rid")
  return { from, where: fragment("x.account_id = ?", account), key: "x.score", table: "x" }
}

/** Numbers and bools first, then texts, then leads that have neither. */
function attributeSegments(account: number, name: string, driver: Driver | undefined): Segment[] {
  const having = (column: "number" | "text"): Segment => {
    const isText = column === "text" ? " AND x.type = 'text'" : ""
    const found = fragment(
      `x.account_id = ? AND x.name = ? AND x.${column} IS NOT NULL${isText}`,
      account,
      name,
    )
    const index = `lead_attributes x INDEXED BY lead_attributes_${column} CROSS JOIN leads l ON l.rid = x.rid`
    const few = `CROSS JOIN leads l ON l.rid = q.rid CROSS JOIN lead_attributes x ON x.rid = q.rid`
    const from = driver ? fragment(`${driven(driver)} ${few}`, ...driver.params) : fragment(index)
    return { from, where: found, key: `x.${column}`, table: "x" }
  }
  const neither = fragment(
    `NOT EXISTS (SELECT 1 FROM lead_attributes x WHERE x.account_id = ? AND x.name = ? AND x.rid = l.rid
      AND (x.number IS NOT NULL OR x.type = 'text'))`,
    account,
    name,
  )
  return [
    having("number"),
    having("text"),
    { from: leadsFrom(driver, "id"), where: neither, key: "l.id", table: "l" },
  ]
}
