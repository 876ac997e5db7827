// The stretches of a sorted list and how each is read: along an index, or out of the few leads that a driver gives.
import type { LeadSort } from "../../core/lead-query.ts"
import type { Position } from "../store.ts"
import { type Fragment, fragment, join } from "./fragment.ts"
import { type Composed, type Driver, INDEXED } from "./lead-drivers.ts"

/**
 * A stretch of a sorted list: leads with a value, or those without one, which come last. `key` is undefined where
 * leads stand in creation order.
 */
export interface Segment {
  /** What follows `FROM`, with `leads l` in it. */
  from: Fragment
  where: Fragment
  key: string | undefined
  /** The table that leads the way, whose index has the order: its rid breaks ties. */
  table: "l" | "x"
  /** `FROM ... WHERE ...` of the index alone, to look ahead in it; undefined where no index has the order. */
  walk?: Fragment
}

/**
 * The stretches of a sort, in the order they are read; nulls are last both ways (DECISIONS "List"). With a driver its
 * few leads are fetched and sorted; without one the sort's index is followed.
 */
export function segments(
  account: number,
  { key }: LeadSort,
  driver: Driver | undefined,
  composed?: Composed,
): Segment[] {
  if (key.on === "attribute") return attributeSegments(account, key.name, driver)
  if (key.on === "id") return [leadSegment(account, "id", "l.id", ANY, driver)]
  if (key.field === "score") return [scoreSegment(account, driver)]
  const { field } = key
  // Cursors carry the value: of a long text its beginning has to do.
  const column = field === "description" ? "substr(l.description, 1, 200)" : `l.${field}`
  if (NEVER_NULL.has(field)) return [leadSegment(account, field, column, ANY, driver)]
  return [
    leadSegment(account, field, column, fragment(`l.${field} IS NOT NULL`), driver, composed),
    leadSegment(account, field, undefined, fragment(`l.${field} IS NULL`), driver, composed),
  ]
}

const ANY = fragment("1")
const NEVER_NULL = new Set(["name", "source", "status", "created_at", "updated_at", "last_interaction_at"])

function leadSegment(
  account: number,
  field: string,
  key: string | undefined,
  where: Fragment,
  driver: Driver | undefined,
  composed?: Composed,
): Segment {
  if (driver) return { from: leadsOf(driver), where, key, table: "l" }
  if (composed) return composedSegment(account, composed, key, where)
  if (field !== "id" && !INDEXED.has(field)) return { from: fragment("leads l"), where, key, table: "l" }
  const from = fragment(`leads l INDEXED BY leads_${field}`)
  const walk = fragment(`${from.sql} WHERE l.account_id = ? AND ${where.sql}`, account, ...where.params)
  return { from, where, key, table: "l", walk }
}

function composedSegment(
  account: number,
  { condition: { field, values }, sort }: Composed,
  key: string | undefined,
  order: Fragment,
): Segment {
  const from = fragment(`leads l INDEXED BY leads_${field}_${sort}`)
  const where = join([fragment(`l.${field} = ?`, values[0]!), order], " AND ")
  const walk = fragment(`${from.sql} WHERE l.account_id = ? AND ${where.sql}`, account, ...where.params)
  return { from, where, key, table: "l", walk }
}

/** The leads of a driver. */
export function leadsOf({ sql, params, repeats, joins }: Driver, more = ""): Fragment {
  const hits = repeats ? `(SELECT DISTINCT rid FROM (${sql})) q` : `(${sql}) q`
  const leads = `CROSS JOIN leads l ON l.rid = q.rid${more}`
  return fragment(`${hits}${joins.sql} ${leads}`, ...params, ...joins.params)
}

function scoreSegment(account: number, driver: Driver | undefined): Segment {
  const where = fragment("x.account_id = ?", account)
  if (driver) {
    const from = leadsOf(driver, " CROSS JOIN lead_scores x ON x.rid = q.rid")
    return { from, where, key: "x.score", table: "x" }
  }
  const index = "lead_scores x INDEXED BY lead_scores_score"
  return {
    from: fragment(`${index} CROSS JOIN leads l ON l.rid = x.rid`),
    where,
    key: "x.score",
    table: "x",
    walk: fragment(`${index} WHERE x.account_id = ?`, account),
  }
}

/** Numbers and bools first, then texts, then leads that have neither. */
function attributeSegments(account: number, name: string, driver: Driver | undefined): Segment[] {
  const having = (column: "number" | "text"): Segment => {
    const isText = column === "text" ? " AND x.type = 'text'" : ""
    const where = fragment(
      `x.account_id = ? AND x.name = ? AND x.${column} IS NOT NULL${isText}`,
      account,
      name,
    )
    const found = { where, key: `x.${column}`, table: "x" } as const
    if (driver) return { from: leadsOf(driver, " CROSS JOIN lead_attributes x ON x.rid = q.rid"), ...found }
    const index = `lead_attributes x INDEXED BY lead_attributes_${column}`
    const walk = fragment(
      `${index} WHERE x.account_id = ? AND x.name = ? AND x.${column} IS NOT NULL`,
      account,
      name,
    )
    return { from: fragment(`${index} CROSS JOIN leads l ON l.rid = x.rid`), ...found, walk }
  }
  const neither = fragment(
    `NOT EXISTS (SELECT 1 FROM lead_attributes x WHERE x.account_id = ? AND x.name = ? AND x.rid = l.rid
      AND (x.number IS NOT NULL OR x.type = 'text'))`,
    account,
    name,
  )
  const last = leadSegment(account, "id", "l.id", neither, driver)
  const walk = last.walk && fragment("leads l INDEXED BY leads_id WHERE l.account_id = ?", account)
  return [having("number"), having("text"), walk ? { ...last, walk } : last]
}

/**
 * Where reading goes on in a stretch: first among the leads with the same value, then beyond it. Two steps, since
 * SQLite uses only the value of `(value, rid) > (?, ?)`: among 400,000 equal ones a page took 27 ms, now 0.1.
 */
export function starts({ key, table }: Segment, after: Position | undefined, sort: LeadSort): Start[] {
  if (!after) return [{ ...fragment("1"), isTie: key === undefined }]
  const [, value, ref] = after
  const beyond = sort.descending ? "<" : ">"
  const further = fragment(`${table}.rid ${beyond} ?`, ref)
  if (key === undefined) return [{ ...further, isTie: true }]
  return [
    { ...join([fragment(`${key} = ?`, value), further], " AND "), isTie: true },
    { ...fragment(`${key} ${beyond} ?`, value), isTie: false },
  ]
}

/** A condition that reading begins with; `isTie` when all leads from there on have the same value or none. */
export interface Start extends Fragment {
  isTie: boolean
}

/** From a start up to a position, that one included: in two steps again when the value changes on the way. */
export function upTo(start: Start, { key, table }: Segment, end: Position, sort: LeadSort): Fragment[] {
  const [, value, ref] = end
  const last = fragment(`${table}.rid ${sort.descending ? ">=" : "<="} ?`, ref)
  if (start.isTie) return [join([start, last], " AND ")]
  const before = fragment(`${key} ${sort.descending ? ">" : "<"} ?`, value)
  return [join([start, before], " AND "), join([fragment(`${key} = ?`, value), last], " AND ")]
}

/** How a stretch is ordered. */
export function orderOf({ key, table }: Segment, { descending }: LeadSort): string {
  const direction = descending ? "DESC" : "ASC"
  return `${key === undefined ? "" : `${key} ${direction}, `}${table}.rid ${direction}`
}
