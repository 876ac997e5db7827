// The stretches of a sorted list and how each is read: along an index, or out of the few leads that a driver gives.

import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import type { LeadSort, SortKey } from "../../../../filters/lead-query.ts"
import { fieldsThatAre, LEAD_FIELD_NAMES, leadField } from "../../../../lead/lead-fields.ts"
import type { Driver } from "./choice.ts"
import { type Composed, INDEXED } from "./drivers.ts"

/** A place in a sorted list: after which row the next page begins. */
export type ListPosition = readonly [step: number, value: string | number | null, ref: number]

/**
 * A stretch of a sorted list: leads with a value, or those without one, which come last. `key` is undefined where
 * leads stand in creation order.
 */
export interface Stretch {
  /** The `FROM` clause: the table, and `leads l` on request. */
  from: Fragment
  where: Fragment
  key: string | undefined
  /** The table that leads the way, whose index has the order: its rid breaks ties. */
  table: "l" | "x"
  /** `FROM ... WHERE ...` of the index alone, to look ahead in it; undefined where no index has the order. */
  walk?: Fragment
}

/** Sources of a list besides the sort's index. */
export interface Sources {
  /** Its few leads are fetched and sorted; without one the sort's index is followed. */
  driver: Driver | undefined
  composed: Composed | undefined
  /** Whether something is asked of the columns of `leads`; if not, what has the order does without them. */
  withLeads: boolean
}

const NULLABLE = fieldsThatAre("nullable")
/** Fields of long texts. */
const LONG: ReadonlySet<string> = new Set(LEAD_FIELD_NAMES.filter((name) => leadField(name).limit === "long"))

/** The stretches of a sort in the order they are read; nulls come last in both directions. */
export function stretchesOf(account: number, { key }: LeadSort, sources: Sources): Stretch[] {
  const { driver, composed } = sources
  if (key.on === "attribute") return attributeStretches(account, key.name, sources)
  if (key.on === "id") return [leadStretch(account, "id", "l.id", ANY, driver)]
  if (key.on === "relevance") throw new Error("lists by relevance are read out of the index of words")
  if (key.field === "score") return [scoreStretch(account, sources)]
  const { field } = key
  // Cursors carry the value: of a long text its beginning has to do.
  const column = LONG.has(field) ? `substr(l.${field}, 1, 200)` : `l.${field}`
  if (!NULLABLE.has(field)) return [leadStretch(account, field, column, ANY, driver)]
  return [
    leadStretch(account, field, column, fragment(`l.${field} IS NOT NULL`), driver, composed),
    leadStretch(account, field, undefined, fragment(`l.${field} IS NULL`), driver, composed),
  ]
}

/** Whether an index has the leads of any account in this order. */
export function hasOrder({ key }: LeadSort): boolean {
  if (key.on === "relevance") return true
  if (key.on === "attribute") return isWalked(key)
  return walked.getOrInsertComputed(key.on === "id" ? "id" : key.field, () => isWalked(key))
}

/** By field, as there are few. */
const walked = new Map<string, boolean>()

function isWalked(key: SortKey): boolean {
  const none: Sources = { driver: undefined, composed: undefined, withLeads: false }
  return stretchesOf(0, { key, descending: false }, none).every(({ walk }) => walk)
}

const ANY = fragment("1")
/** Where reading a stretch begins that is read from its first lead on. */
export const FROM_THE_FIRST = fragment("1")

function leadStretch(
  account: number,
  field: string,
  key: string | undefined,
  order: Fragment,
  driver: Driver | undefined,
  composed?: Composed,
): Stretch {
  const where = join([fragment("l.account_id = ?", account), order], " AND ")
  if (driver) return { from: hitsOf(driver, LEADS), where, key, table: "l" }
  if (composed) return composedStretch(composed, key, where)
  if (field !== "id" && !INDEXED.has(field)) return { from: fragment("leads l"), where, key, table: "l" }
  const from = fragment(`leads l INDEXED BY leads_${field}`)
  return { from, where, key, table: "l", walk: walkOf(from, where) }
}

function walkOf({ sql, params }: Fragment, where: Fragment): Fragment {
  return fragment(`${sql} WHERE ${where.sql}`, ...params, ...where.params)
}

function composedStretch(
  { condition: { field, values }, sort }: Composed,
  key: string | undefined,
  order: Fragment,
): Stretch {
  const from = fragment(`leads l INDEXED BY leads_${field}_${sort}`)
  const where = join([fragment(`l.${field} = ?`, values[0]!), order], " AND ")
  return { from, where, key, table: "l", walk: walkOf(from, where) }
}

const LEADS = "CROSS JOIN leads l ON l.rid = q.rid"

/** The leads of a driver. */
export function leadsOf(driver: Driver): Fragment {
  return hitsOf(driver, LEADS)
}

/** The hits of a driver as `q`, joined to something. */
function hitsOf({ rids }: Driver, ...joins: string[]): Fragment {
  return fragment(["(SELECT value AS rid FROM json_each(?)) q", ...joins].join(" "), rids)
}

/** A table other than `leads` that has the order of a sort: in an index, or to sort the hits of a driver. */
function besides(
  { driver, withLeads }: Sources,
  table: string,
  index: string,
  key: string,
  where: Fragment,
): Stretch {
  if (driver) {
    const joined = `CROSS JOIN ${table} x ON x.rid = q.rid`
    return { from: hitsOf(driver, joined, ...(withLeads ? [LEADS] : [])), where, key, table: "x" }
  }
  const from = `${table} x INDEXED BY ${index}`
  const leads = withLeads ? " CROSS JOIN leads l ON l.rid = x.rid" : ""
  return { from: fragment(from + leads), where, key, table: "x", walk: walkOf(fragment(from), where) }
}

function scoreStretch(account: number, sources: Sources): Stretch {
  const where = fragment("x.account_id = ?", account)
  return besides(sources, "lead_scores", "lead_scores_score", "x.score", where)
}

/** Numbers and bools first, then texts, then leads that have neither. */
function attributeStretches(account: number, name: string, sources: Sources): Stretch[] {
  const having = (column: "number" | "text", type = ""): Stretch => {
    // The "+" keeps a driver's lookups on the primary key: by its own index each would read all values there are.
    const key = `${sources.driver ? "+" : ""}x.${column}`
    const where = fragment(`x.account_id = ? AND x.name = ? AND ${key} IS NOT NULL${type}`, account, name)
    return besides(sources, "lead_attributes", `lead_attributes_${column}`, key, where)
  }
  const neither = fragment(
    `NOT EXISTS (SELECT 1 FROM lead_attributes x WHERE x.account_id = ? AND x.name = ? AND x.rid = l.rid
      AND (x.number IS NOT NULL OR x.type = 'text'))`,
    account,
    name,
  )
  const last = leadStretch(account, "id", "l.id", neither, sources.driver)
  const walk = last.walk && fragment("leads l INDEXED BY leads_id WHERE l.account_id = ?", account)
  return [having("number"), having("text", " AND x.type = 'text'"), walk ? { ...last, walk } : last]
}

/**
 * Where reading goes on in a stretch: first among the leads with the same value, then beyond it. Two steps, since
 * SQLite uses only the value of `(value, rid) > (?, ?)`: among 400,000 equal ones a page took 27 ms, now 0.1.
 */
export function starts({ key, table }: Stretch, after: ListPosition | undefined, sort: LeadSort): Start[] {
  if (!after) return [{ ...FROM_THE_FIRST, isTie: key === undefined }]
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
interface Start extends Fragment {
  isTie: boolean
}

/** From a start up to a position, that one included: in two steps again when the value changes on the way. */
export function upTo(start: Start, { key, table }: Stretch, end: ListPosition, sort: LeadSort): Fragment[] {
  const [, value, ref] = end
  const last = fragment(`${table}.rid ${sort.descending ? ">=" : "<="} ?`, ref)
  if (start.isTie) return [join([start, last], " AND ")]
  const before = fragment(`${key} ${sort.descending ? ">" : "<"} ?`, value)
  return [join([start, before], " AND "), join([fragment(`${key} = ?`, value), last], " AND ")]
}

/** How a stretch is ordered. */
export function orderOf({ key, table }: Stretch, { descending }: LeadSort): string {
  const direction = descending ? "DESC" : "ASC"
  return `${key === undefined ? "" : `${key} ${direction}, `}${table}.rid ${direction}`
}
