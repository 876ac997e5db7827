// Filters as conditions on `leads l` beside `lead_scores s`. What finds the leads soonest is the database's to choose.

import { filterSql } from "../../../filters/conditions.ts"
import type { FilterDialect } from "../../../filters/dialect.ts"
import { type Sql, sql } from "../../../filters/fragment.ts"
import type { LeadFilter } from "../../../filters/lead-query.ts"
import type { TextColumn } from "../../../filters/operators.ts"
import type { TextField } from "../../../lead/lead.ts"
import { fieldsThatAre, leadField } from "../../../lead/lead-fields.ts"
import { POSTGRES } from "../../sql/dialect.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { queryText } from "./vectors.ts"

/** Characters of a text that an index has, and those of an attribute's and a contact's. */
const KEPT = 640
const KEPT_OF_ATTRIBUTE = 400
const KEPT_OF_LONG = 200

const INDEXED = fieldsThatAre("indexed")

/** Whether a field has its index beside the lead: what changes with nearly every write. */
const BESIDE: ReadonlySet<string> = new Set(["score", "updated_at", "last_interaction_at"])
export const isBeside = (field: string): boolean => BESIDE.has(field)

const begun = (whole: string, kept: number): TextColumn => ({
  whole,
  beginning: `left(${whole}, ${kept})`,
  kept,
})

/** The text of a field that all leads of `l` have in a column, folded. Ids of companies are short: an index has them whole. */
export function textColumn(field: TextField): TextColumn {
  if (field === "company_id")
    return { whole: "l.company_id", beginning: "l.company_id", kept: Number.POSITIVE_INFINITY }
  const column = begun(`l.${field}`, leadField(field).limit === "long" ? KEPT_OF_LONG : KEPT)
  return INDEXED.has(field) ? column : { ...column, kept: 0 }
}

/** A product too small for a number is an error in PostgreSQL: what is next to nothing counts as nothing. */
const LEAST = 1e-100

const DIALECT: FilterDialect = {
  text: textColumn,
  number: (field) => `${isBeside(field) ? "s" : "l"}.${field}`,
  rid: "l.rid",
  contact: { text: begun("c.text", KEPT_OF_ATTRIBUTE), number: "c.number", key: "c.key" },
  attribute: { text: begun("a.text", KEPT_OF_ATTRIBUTE), number: "a.number" },
  tag: { whole: "t.tag", beginning: "t.tag", kept: Number.POSITIVE_INFINITY },
  among: (column, values) =>
    values.length === 1
      ? sql(`${column} = ?`, values[0]!)
      : sql(`${column} = ANY (?::${typeof values[0] === "number" ? "float8" : "text"}[])`, values),
  position: POSTGRES.position,
  startsWith: (column, value) => sql(`starts_with(${column}, ?)`, value),
  endsWith: (column, value) => sql(`right(${column}, length(?::text)) = ?`, value, value),
  exact: (column, value) => sql(`md5(${column}) = md5(?) AND ${column} = ?`, value, value),
  phoneNumber: "left(l.phone_number, 100)",
  phoneKey: (key) => sql("left(l.phone_key, 100) = left(?::text, 100) AND l.phone_key = ?", key, key),
  hasNoTags: "l.tags = 0",
  eachTag: 6,
  words: (account, condition) =>
    sql(
      `EXISTS (SELECT 1 FROM lead_words w WHERE w.account_id = ? AND w.rid = l.rid AND w.words @@ ?::tsquery)`,
      account,
      queryText(account, condition),
    ),
  suppressed: suppressedSql(POSTGRES),
  importLeads: (account, id) =>
    sql(
      `EXISTS (SELECT 1 FROM import_leads i WHERE i.account_id = ? AND i.lead = l.rid
         AND i.import = (SELECT rid FROM imports WHERE account_id = ? AND id = ?))`,
      account,
      account,
      id,
    ),
  isAmong: (rids) => ({ ...rids, sql: `l.rid IN (${rids.sql})` }),
  degrees: {
    bound: "?::float8",
    of: (angle) => (Math.abs(angle) < LEAST ? 0 : angle),
    column: (name) => `(CASE WHEN abs(${name}) < ${LEAST} THEN 0 ELSE ${name} END)`,
  },
  least: POSTGRES.least,
}

export const pgFilterSql = (account: number, filter: LeadFilter): Sql => filterSql(DIALECT, account, filter)
