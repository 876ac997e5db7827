import type { Circle } from "../../../filters/conditions.ts"
import * as conditions from "../../../filters/conditions.ts"
import type { FilterDialect } from "../../../filters/dialect.ts"
import { type Fragment, fragment, join, type Sql, sql } from "../../../filters/fragment.ts"
import type { Condition, ContactCondition, LeadFilter } from "../../../filters/lead-query.ts"
import {
  equals,
  NUMBER,
  type NumberOperator,
  TEXT,
  type TextColumn,
  type TextOperator,
} from "../../../filters/operators.ts"
import { type Box, boxes } from "../../../lead/geo.ts"
import { SQLITE } from "../../sql/dialect.ts"
import type { ColumnValue } from "../../sql/schema/lead-rows.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { wordTest } from "../derived/word-match.ts"

/** An index has a text whole. */
const whole = (column: string): TextColumn => ({
  whole: column,
  beginning: column,
  kept: Number.POSITIVE_INFINITY,
})

const DIALECT: Omit<FilterDialect, "rid" | "number" | "words" | "importLeads" | "isAmong" | "hasNoTags"> = {
  text: (field) => whole(`l.${field}`),
  contact: { text: whole("c.text"), number: "c.number", key: "c.key" },
  // The "+" keeps the lookup on the primary key, by lead, whatever the planner thinks of the value's own index.
  attribute: { text: whole("+a.text"), number: "+a.number" },
  tag: whole("t.tag"),
  among(column, values) {
    if (values.length === 1) return sql(`${column} = ?`, values[0]!)
    const list = valueList(values)
    return sql(`${column} IN ${list.sql}`, ...list.params)
  },
  position: SQLITE.position,
  startsWith: (column, value) => sql(`substr(${column}, 1, length(?)) = ?`, value, value),
  endsWith: (column, value) => sql(`substr(${column}, -length(?)) = ?`, value, value),
  exact: (column, value) => sql(`${column} = ?`, value),
  phoneNumber: "l.phone_number",
  phoneKey: (key) => sql("l.phone_key = ?", key),
  eachTag: 1,
  suppressed: suppressedSql(SQLITE),
  degrees: { bound: "?", of: (angle) => angle, column: (name) => name },
  least: SQLITE.least,
}

/** For the lead of a column that has its rid; `instead` tests conditions otherwise than by the lead's row. */
function dialectFor(rid: string, instead?: FilterDialect["instead"]): FilterDialect {
  return {
    ...DIALECT,
    rid,
    instead,
    number: (field) =>
      field === "score" ? `(SELECT score FROM lead_scores WHERE rid = ${rid})` : `l.${field}`,
    words: (account, condition) => wordTest(account, condition, rid),
    importLeads: (account, id) =>
      sql(
        `EXISTS (SELECT 1 FROM import_leads WHERE lead = ${rid}
           AND import = (SELECT rid FROM imports WHERE account_id = ? AND id = ?))`,
        account,
        id,
      ),
    isAmong: (rids) => ({ ...rids, sql: `EXISTS (${rids.sql} AND c.rid = ${rid})` }),
    // The document says it at once; the side table is not ordered by lead.
    hasNoTags: `(SELECT json_array_length(data, '$.tags') FROM lead_documents d WHERE d.rid = ${rid}) = 0`,
  }
}

/** This dialect binds lists as one text: all that is bound is a cell. */
const cells = (part: Sql) => part as Fragment

/**
 * A filter as a condition on `leads l` and on what is kept under the same rid as the lead; `rid` is any column that
 * has it.
 */
export function filterSql(
  account: number,
  filter: LeadFilter,
  rid: string,
  instead?: (condition: Condition) => Fragment | undefined,
): Fragment {
  return cells(conditions.filterSql(dialectFor(rid, instead), account, filter))
}

const ALONE = dialectFor("rid")

/** Values are folded; so are the columns. */
export const textSql = (column: string, operator: TextOperator, values: string[]): Fragment =>
  cells(TEXT[operator].sql(ALONE, whole(column), values))
export const numberSql = (column: string, operator: NumberOperator, values: number[]): Fragment =>
  cells(NUMBER[operator].sql(ALONE, column, values))
/** Whether a column holds one of the values; their number does not grow the statement, whose depth has a limit. */
export const isOneOf = (column: string, values: string[]): Fragment =>
  cells(equals(ALONE, whole(column), values))
/** The rids of leads with such an email or phone besides the first. */
export const contactRids = (account: number, condition: ContactCondition): Fragment =>
  cells(conditions.contactRids(ALONE, account, condition))

/** Whether a filter's condition asks for columns of `leads l`. */
export function looksAtLeads(filter: LeadFilter): boolean {
  return conditions
    .conditionsOf(filter)
    .some(
      (one) =>
        one.on === "text" ||
        one.on === "location" ||
        one.on === "ids" ||
        one.on === "phone" ||
        one.on === "digits" ||
        one.on === "source_id" ||
        one.on === "suppressed" ||
        (one.on === "number" && one.field !== "score"),
    )
}

/** Characters to look for in a text, and searches, with which a test may take milliseconds for one lead. */
const HEAVY = { characters: 256, searches: 8 }

/** Whether a filter looks for so much inside of texts that leads are to be tested few at a time. */
export function isHeavy(filter: LeadFilter): boolean {
  const sought = conditions.conditionsOf(filter).flatMap((one) => {
    const texts = one.on === "text" ? one : one.on === "attribute" ? one.texts : undefined
    return texts?.operator === "contains" || texts?.operator === "ends_with" ? texts.values : []
  })
  const characters = sought.reduce((sum, text) => sum + text.length, 0)
  return sought.length > HEAVY.searches || characters > HEAVY.characters
}

/** Leads in the boxes around a circle. */
export function locationRids(account: number, { latitude, longitude, kilometres }: Circle): Fragment {
  const inBox = ([south, north, west, east]: Box) =>
    fragment(
      "SELECT rid FROM lead_locations WHERE account_low <= ? AND account_high >= ? " +
        "AND latitude_high >= ? AND latitude_low <= ? AND longitude_high >= ? AND longitude_low <= ?",
      account,
      account,
      south,
      north,
      west,
      east,
    )
  return join(boxes(latitude, longitude, kilometres).map(inBox), " UNION ALL ")
}

/** A list of values as one parameter, so that its length does not make another statement. */
export function valueList(values: readonly ColumnValue[]): Fragment {
  return fragment("(SELECT value FROM json_each(?))", JSON.stringify(values))
}
