// The stretches of a sorted list: leads with a value, and those without one, which come last.

import { joined, type Sql, sql } from "../../../filters/fragment.ts"
import type { LeadSort } from "../../../filters/lead-query.ts"
import { fieldsThatAre, leadField } from "../../../lead/lead-fields.ts"
import { spaced } from "../../sql/statement.ts"
import { LISTED } from "../statements/documents.ts"
import { isBeside, textColumn } from "../statements/filters.ts"

/** A place in a sorted list: after which row the next page begins. */
export type PagePosition = readonly [stretch: number, value: string | number | null, ref: number]

interface PgStretch {
  /** The sort expression before the rid; an index of its table, if any, has this order. */
  key: string | undefined
  /** The table that leads the way. */
  table: "l" | "s" | "x"
  /** Joins to the leads. */
  joins: Sql
  where: Sql
}

const NOTHING = sql("")
const ANY = sql("true")

/** The stretches of a sort in the order they are read; nulls come last in both directions. */
export function pgStretchesOf(account: number, { key }: LeadSort): PgStretch[] {
  if (key.on === "attribute") return attributeStretches(account, key.name)
  if (key.on === "id") return [{ key: undefined, table: "l", joins: NOTHING, where: ANY }]
  if (key.on === "relevance") throw new Error("lists by relevance are not sorted by a column")
  if (isBeside(key.field)) return [{ key: `s.${key.field}`, table: "s", joins: NOTHING, where: ANY }]
  const column = key.on === "text" ? textColumn(key.field).beginning : `l.${key.field}`
  const having = (where: Sql): PgStretch => ({ key: column, table: "l", joins: NOTHING, where })
  if (!leadField(key.field).nullable) return [having(ANY)]
  return [having(sql(`${column} IS NOT NULL`)), having(sql(`${column} IS NULL`))]
}

/** Numbers and bools first, then texts, then leads that have neither. */
function attributeStretches(account: number, name: string): PgStretch[] {
  const having = (key: string, where: string): PgStretch => ({
    key,
    table: "x",
    joins: sql("JOIN lead_attributes x ON x.account_id = ? AND x.name = ? AND x.rid = l.rid", account, name),
    where: sql(where),
  })
  const neither = sql(
    `NOT EXISTS (SELECT 1 FROM lead_attributes x WHERE x.account_id = ? AND x.name = ? AND x.rid = l.rid
      AND (x.number IS NOT NULL OR x.type = 'text'))`,
    account,
    name,
  )
  return [
    having("x.number", "x.number IS NOT NULL"),
    having("left(x.text, 400)", "x.text IS NOT NULL AND x.type = 'text'"),
    { key: undefined, table: "l", joins: NOTHING, where: neither },
  ]
}

/** Where reading goes on in a stretch. */
export function startOf(
  { key, table }: PgStretch,
  after: PagePosition | undefined,
  { descending }: LeadSort,
): Sql {
  if (!after) return ANY
  const [, value, ref] = after
  const beyond = descending ? "<" : ">"
  return key === undefined || value === null
    ? sql(`${table}.rid ${beyond} ?`, ref)
    : sql(`(${key}, ${table}.rid) ${beyond} (?, ?)`, value, ref)
}

function pgOrderOf({ key, table }: PgStretch, { descending }: LeadSort): string {
  const direction = descending ? "DESC" : "ASC"
  return `${key === undefined ? "" : `${key} ${direction}, `}${table}.rid ${direction}`
}

const INDEXED = fieldsThatAre("indexed")

/** Whether an index has the leads of an account in this order. */
export function pgHasOrder({ key }: LeadSort): boolean {
  return key.on === "id" || key.on === "attribute" || (key.on !== "relevance" && INDEXED.has(key.field))
}

/** A statement for leads in the order of a stretch; `select` beside what everybody needs of a lead. */
export function listSql(account: number, stretch: PgStretch, tests: readonly Sql[], sort: LeadSort): Sql {
  const { key, joins } = stretch
  return spaced(
    `SELECT ${LISTED}, ${key ?? "NULL"} AS k
         FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid`,
    joins,
    sql("WHERE l.account_id = ? AND", account),
    joined([stretch.where, ...tests], " AND "),
    `ORDER BY ${pgOrderOf(stretch, sort)}`,
  )
}
