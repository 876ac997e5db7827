import type { Database } from "bun:sqlite"
import type { LeadFilter, LeadSort } from "../../core/lead-query.ts"
import type { LeadPage, LeadQuery, LeadReads, LeadRow, Position } from "../store.ts"
import { type Fragment, fragment } from "./fragment.ts"

import { filterSql } from "./lead-conditions.ts"
import { drivers, INDEXED } from "./lead-drivers.ts"
import { createStatementCache } from "./statement-cache.ts"

/** Up to this many hits of a filter's index are fetched and sorted; more, and the list is read in sort order. */
const FEW = 2_000

/**
 * A stretch of a sorted list: leads with a value, or those without one, which come last. `key` is undefined where
 * leads stand in creation order.
 */
interface Segment {
  /** What precedes `WHERE`, with `leads l` in it. */
  from: string
  where: Fragment
  key: string | undefined
}

type ListedRow = LeadRow & { k: string | number | null }

export function leadLists(db: Database): Pick<LeadReads, "list" | "count" | "attributeNames"> {
  const prepared = createStatementCache(db)

  /** The filter's cheapest index query when it hits few leads. */
  function fewest(account: number, filter: LeadFilter): Fragment | undefined {
    let best: Fragment | undefined
    let least = FEW + 1
    for (const driver of drivers(account, filter)) {
      const sql = `SELECT count(*) AS hits FROM (${driver.sql} LIMIT ${least})`
      const { hits } = prepared<{ hits: number }>(sql).get(...driver.params)!
      if (hits >= least) continue
      least = hits
      best = driver
      if (hits < 50) break
    }
    return best
  }

  function page(account: number, query: LeadQuery): LeadPage {
    const { sort, after, limit } = query
    const driver = fewest(account, query.filter)
    const filter = filterSql(account, query.filter)
    const rows: LeadRow[] = []
    let last: Position | undefined
    const stretches = segments(account, sort, driver !== undefined)
    for (let i = after?.[0] ?? 0; i < stretches.length && rows.length <= limit; i++) {
      const from = after?.[0] === i ? after : undefined
      const { sql, params } = pageSql(account, stretches[i]!, { filter, driver, from, sort })
      const found = prepared<ListedRow>(sql).all(...params, limit + 1 - rows.length)
      for (const { k, ...row } of found) {
        if (rows.length < limit) last = [i, k, row.ref]
        rows.push(row)
      }
    }
    return rows.length > limit ? { rows: rows.slice(0, limit), next: last } : { rows, next: undefined }
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

interface PagePlan {
  filter: Fragment
  driver: Fragment | undefined
  from: Position | undefined
  sort: LeadSort
}

/** One stretch of a page. The caller adds the limit as the last parameter. */
function pageSql(account: number, segment: Segment, { filter, driver, from, sort }: PagePlan): Fragment {
  const direction = sort.descending ? "DESC" : "ASC"
  const { key, where } = segment
  const parts = [fragment("l.account_id = ?", account), where]
  if (from) {
    const beyond = sort.descending ? "<" : ">"
    parts.push(
      key === undefined
        ? fragment(`l.rid ${beyond} ?`, from[2])
        : fragment(`(${key}, l.rid) ${beyond} (?, ?)`, from[1], from[2]),
    )
  }
  // The driven plan fetches by rid: "+" keeps the sort's own index out of it.
  if (driver) parts.push(fragment(`l.rid IN (${driver.sql})`, ...driver.params))
  parts.push(filter)
  const order =
    key === undefined ? `${driver ? "+" : ""}l.rid ${direction}` : `${key} ${direction}, l.rid ${direction}`
  const picked = `SELECT l.rid, ${key ?? "NULL"} AS k FROM ${segment.from}
    WHERE ${parts.map((part) => part.sql).join(" AND ")} ORDER BY ${order} LIMIT ?`
  return {
    // A join in this order keeps the order of what was picked: CROSS JOIN is never reordered.
    sql: `SELECT p.rid AS ref, d.data, s.score, s.version, p.k FROM (${picked}) p
      CROSS JOIN lead_documents d ON d.rid = p.rid CROSS JOIN lead_scores s ON s.rid = p.rid`,
    params: parts.flatMap((part) => part.params),
  }
}

/** The stretches of a sort, in the order they are read; nulls are last both ways (DECISIONS "List"). */
function segments(account: number, { key }: LeadSort, driven: boolean): Segment[] {
  const everything = fragment("1")
  const leads = (index: string | undefined) =>
    driven || !index ? "leads l" : `leads l INDEXED BY leads_${index}`
  switch (key.on) {
    case "id":
      return [{ from: leads("id"), where: everything, key: driven ? "+l.id" : "l.id" }]
    case "attribute":
      return attributeSegments(account, key.name, driven)
    case "text":
    case "number": {
      if (key.field === "score") return [scoreSegment(driven)]
      const from = leads(INDEXED.has(key.field) ? key.field : undefined)
      const column = `${driven ? "+" : ""}l.${key.field}`
      const some = { from, where: fragment(`l.${key.field} IS NOT NULL`), key: column }
      if (NEVER_NULL.has(key.field)) return [{ ...some, where: everything }]
      return [some, { from, where: fragment(`l.${key.field} IS NULL`), key: undefined }]
    }
  }
}

const NEVER_NULL = new Set(["name", "source", "status", "created_at", "updated_at", "last_interaction_at"])

function scoreSegment(driven: boolean): Segment {
  const scores = "lead_scores x"
  return driven
    ? { from: `leads l CROSS JOIN ${scores} ON x.rid = l.rid`, where: fragment("1"), key: "+x.score" }
    : {
        from: `${scores} INDEXED BY lead_scores_score CROSS JOIN leads l ON l.rid = x.rid`,
        where: fragment("x.account_id = l.account_id"),
        key: "x.score",
      }
}

/** Numbers and bools first, then texts, then leads that have neither. */
function attributeSegments(account: number, name: string, driven: boolean): Segment[] {
  const having = (column: "number" | "text"): Segment => {
    const index = `lead_attributes x INDEXED BY lead_attributes_${column}`
    return {
      from: driven
        ? `leads l CROSS JOIN lead_attributes x ON x.rid = l.rid`
        : `${index} CROSS JOIN leads l ON l.rid = x.rid`,
      where: fragment(
        `x.account_id = ? AND x.name = ? AND x.${column} IS NOT NULL${column === "text" ? " AND x.type = 'text'" : ""}`,
        account,
        name,
      ),
      key: `${driven ? "+" : ""}x.${column}`,
    }
  }
  const neither: Segment = {
    from: "leads l",
    where: fragment(
      `NOT EXISTS (SELECT 1 FROM lead_attributes x WHERE x.account_id = ? AND x.name = ? AND x.rid = l.rid
        AND (x.number IS NOT NULL OR x.type = 'text'))`,
      account,
      name,
    ),
    key: undefined,
  }
  return [having("number"), having("text"), neither]
}
