import { type Box, boxes, EARTH_RADIUS_KM } from "../../../core/geo.ts"
import type {
  AttributeCondition,
  Condition,
  ContactCondition,
  LeadFilter,
  NumberOperator,
  TextOperator,
} from "../../../core/lead-query.ts"
import { SQLITE } from "../../sql/dialect.ts"
import { type Fragment, fragment, join } from "../../sql/fragment.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { textAfter } from "../../sql/text-range.ts"
import { wordTest } from "../search/word-match.ts"
import { valueList } from "./value-list.ts"

/** How a condition is tested instead of by the lead's row, where it is. */
type Test = (condition: Condition) => Fragment | undefined

const SUPPRESSED = suppressedSql(SQLITE)
const BY_ROW: Test = () => undefined

/**
 * A filter as a condition on `leads l` and on what is kept under the same rid as the lead; `rid` is any column that
 * has it. `1` when the filter asks nothing.
 */
export function filterSql(account: number, filter: LeadFilter, rid: string, test = BY_ROW): Fragment {
  const parts = filter.all.map((condition) => conditionSql(account, condition, rid, test))
  if (filter.any.length > 0) {
    const any = one(account, filter.any, rid, test)
    parts.push(fragment(`(${any.sql})`, ...any.params))
  }
  return parts.length === 0 ? fragment("1") : join(parts, " AND ")
}

/** Whether a filter's condition asks for columns of `leads l`. */
export function looksAtLeads({ all, any }: LeadFilter): boolean {
  return [...all, ...any].some(
    (one) =>
      one.on === "text" ||
      one.on === "location" ||
      one.on === "ids" ||
      one.on === "phone" ||
      one.on === "source_id" ||
      one.on === "suppressed" ||
      (one.on === "any" && looksAtLeads({ all: one.conditions, any: [] })) ||
      (one.on === "number" && one.field !== "score"),
  )
}

/** Characters to look for in a text, and searches, with which a test may take milliseconds for one lead. */
const HEAVY = { characters: 256, searches: 8 }

/** Whether a filter looks for so much inside of texts that leads are to be tested few at a time. */
export function isHeavy({ all, any }: LeadFilter): boolean {
  const within = [...all, ...any].flatMap((one) => (one.on === "any" ? one.conditions : one))
  const sought = within.flatMap((one) => {
    const texts = one.on === "text" ? one : one.on === "attribute" ? one.texts : undefined
    return texts?.operator === "contains" || texts?.operator === "ends_with" ? texts.values : []
  })
  const characters = sought.reduce((sum, text) => sum + text.length, 0)
  return sought.length > HEAVY.searches || characters > HEAVY.characters
}

function conditionSql(account: number, condition: Condition, rid: string, test: Test): Fragment {
  const holds = test(condition) ?? positiveSql(account, condition, rid, test)
  // `IS NOT 1` holds for false and for NULL: a negated condition matches empty fields too.
  return condition.not
    ? fragment(`(${holds.sql}) IS NOT 1`, ...holds.params)
    : fragment(`(${holds.sql})`, ...holds.params)
}

function positiveSql(account: number, condition: Condition, rid: string, test: Test): Fragment {
  switch (condition.on) {
    case "text":
      return textSql(`l.${condition.field}`, condition.operator, condition.values)
    case "number":
      return numberSql(numberColumn(condition.field, rid), condition.operator, condition.values)
    case "tags":
      return tagsSql(account, condition.operator, condition.values, rid)
    case "location":
      return condition.operator === "is_set"
        ? fragment("l.latitude IS NOT NULL AND l.longitude IS NOT NULL")
        : withinSql(condition)
    case "attribute":
      return attributeSql(account, condition, rid)
    case "words":
      return wordTest(account, condition, rid)
    case "any": {
      const each = one(account, condition.conditions, rid, test)
      return fragment(`(${each.sql})`, ...each.params)
    }
    case "ids":
      return join([fragment("l.id IN"), valueList(condition.values)], " ")
    case "source_id":
      return fragment("l.source_id_exact = ?", condition.value)
    case "phone": {
      const { key, numbers } = condition
      return join(
        [fragment("l.phone_number IN"), valueList(numbers), fragment("OR l.phone_key = ?", key)],
        " ",
      )
    }
    case "suppressed":
      return fragment(SUPPRESSED, account, account, account)
    case "contact": {
      const { sql, params } = contactRids(account, condition)
      return fragment(`EXISTS (${sql} AND rid = ${rid})`, ...params)
    }
    case "import":
      return fragment(
        `EXISTS (SELECT 1 FROM import_leads WHERE lead = ${rid}
           AND import = (SELECT rid FROM imports WHERE account_id = ? AND id = ?))`,
        account,
        condition.id,
      )
  }
}

/** The rids of leads with such an email or phone besides the first, as a query that a test may be added to. */
export function contactRids(account: number, { field, text, same }: ContactCondition): Fragment {
  const tests = [
    ...(text ? [textSql("text", text.operator, text.values)] : []),
    ...(same ? [join([fragment("number IN"), valueList(same.numbers)], " ")] : []),
    ...(same && same.key !== null ? [fragment("key = ?", same.key)] : []),
  ]
  const test = join(tests, " OR ")
  return fragment(
    `SELECT rid FROM lead_contacts WHERE account_id = ? AND kind = ? AND (${test.sql})`,
    account,
    field,
    ...test.params,
  )
}

function one(account: number, conditions: readonly Condition[], rid: string, test: Test): Fragment {
  return join(
    conditions.map((condition) => conditionSql(account, condition, rid, test)),
    " OR ",
  )
}

function numberColumn(field: string, rid: string): string {
  return field === "score" ? `(SELECT score FROM lead_scores WHERE rid = ${rid})` : `l.${field}`
}

/** Values are folded; so are the columns. */
export function textSql(column: string, operator: TextOperator, values: string[]): Fragment {
  const value = values[0] ?? ""
  switch (operator) {
    case "eq":
      return fragment(`${column} = ?`, value)
    case "contains":
      return fragment(`instr(${column}, ?) > 0`, value)
    case "starts_with": {
      const end = textAfter(value)
      return end === undefined
        ? fragment(`${column} >= ?`, value)
        : fragment(`${column} >= ? AND ${column} < ?`, value, end)
    }
    case "ends_with":
      return fragment(`substr(${column}, -length(?)) = ?`, value, value)
    case "in":
      return join([fragment(`${column} IN`), valueList(values)], " ")
    case "is_empty":
      return fragment(`${column} IS NULL`)
  }
}

export function numberSql(column: string, operator: NumberOperator, values: number[]): Fragment {
  const [low = 0, high = 0] = values
  switch (operator) {
    case "eq":
      return fragment(`${column} = ?`, low)
    case "gt":
      return fragment(`${column} > ?`, low)
    case "gte":
      return fragment(`${column} >= ?`, low)
    case "lt":
      return fragment(`${column} < ?`, low)
    case "lte":
      return fragment(`${column} <= ?`, low)
    case "between":
      return fragment(`${column} BETWEEN ? AND ?`, low, high)
    case "in":
      return join([fragment(`${column} IN`), valueList(values)], " ")
    case "is_empty":
      return fragment(`${column} IS NULL`)
  }
}

function tagsSql(
  account: number,
  operator: "any" | "all" | "is_empty",
  tags: string[],
  rid: string,
): Fragment {
  if (operator === "is_empty") {
    // The document says it at once; the side table is not ordered by lead.
    return fragment(
      `(SELECT json_array_length(data, '$.tags') FROM lead_documents d WHERE d.rid = ${rid}) = 0`,
    )
  }
  const test = isOneOf("t.tag", tags)
  const having = `FROM lead_tags t WHERE t.account_id = ? AND ${test.sql} AND t.rid = ${rid}`
  return hits(operator, tags.length, fragment(having, account, ...test.params))
}

/** Whether a column holds one of the values; their number does not grow the statement, whose depth has a limit. */
export function isOneOf(column: string, values: string[]): Fragment {
  if (values.length === 1) return fragment(`${column} = ?`, values[0]!)
  return join([fragment(`${column} IN`), valueList(values)], " ")
}

/** Whether rows that each have another of `count` values are there: `any` of them or `all`. */
function hits(operator: "any" | "all", count: number, { sql, params }: Fragment): Fragment {
  return operator === "any" || count === 1
    ? fragment(`EXISTS (SELECT 1 ${sql})`, ...params)
    : fragment(`(SELECT count(*) ${sql}) = ?`, ...params, count)
}

type Within = Extract<Condition, { on: "location"; operator: "within" }>

/** Boxes first: a comparison costs a tenth of a distance. */
function withinSql(condition: Within): Fragment {
  const inBox = ([south, north, west, east]: Box) =>
    fragment("(l.latitude BETWEEN ? AND ? AND l.longitude BETWEEN ? AND ?)", south, north, west, east)
  const near = boxes(condition.latitude, condition.longitude, condition.kilometres).map(inBox)
  const { sql, params } = join(near, " OR ")
  return join([fragment(`(${sql})`, ...params), distanceSql(condition)], " AND ")
}

/** Leads in the boxes around a circle. */
export function locationRids(account: number, { latitude, longitude, kilometres }: Within): Fragment {
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

/** The great-circle distance by the haversine formula, at most the circle's radius. */
function distanceSql({ latitude, longitude, kilometres }: Within): Fragment {
  return fragment(
    `${2 * EARTH_RADIUS_KM} * asin(min(1, sqrt(pow(sin(radians(l.latitude - ?) / 2), 2) + ` +
      "cos(radians(?)) * cos(radians(l.latitude)) * pow(sin(radians(l.longitude - ?) / 2), 2)))) <= ?",
    latitude,
    latitude,
    longitude,
    kilometres,
  )
}

// The "+" keeps the lookup on the primary key, by lead, whatever the planner thinks of the value's own index.
const TEXT = "+a.text"
const NUMBER = "+a.number"

function attributeSql(account: number, condition: AttributeCondition, rid: string): Fragment {
  const { name, texts, numbers, dates, bool, items, present, empty } = condition
  const rows = fragment(
    `FROM lead_attributes a WHERE a.account_id = ? AND a.name = ? AND a.rid = ${rid}`,
    account,
    name,
  )
  if (present) return fragment(`EXISTS (SELECT 1 ${rows.sql})`, ...rows.params)
  if (empty) {
    const { sql, params } = rows
    return fragment(`NOT EXISTS (SELECT 1 ${sql} AND ${FILLED})`, ...params)
  }
  const readings: Fragment[] = []
  if (texts) readings.push(typed("text", textSql(TEXT, texts.operator, texts.values)))
  if (numbers) readings.push(typed("number", numberSql(NUMBER, numbers.operator, numbers.values)))
  if (dates) readings.push(typed("date", numberSql(NUMBER, dates.operator, dates.values)))
  if (bool !== undefined) readings.push(typed("bool", fragment(`${NUMBER} = ?`, Number(bool))))
  const item = items && typed("list", itemSql(items))
  const isEachAsked = items?.operator === "all" && items.values.length > 1
  if (item && !isEachAsked) readings.push(item)
  const found: Fragment[] = []
  if (readings.length > 0) found.push(hits("any", 1, both(rows, join(readings, " OR "))))
  if (item && isEachAsked) found.push(hits("all", items.values.length, both(rows, item)))
  return found.length === 0 ? fragment("0") : join(found, " OR ")
}

/** Something other than an empty text or an empty list. */
const FILLED = `(a.text <> '' OR a.number IS NOT NULL OR a.type = 'object'
      OR (a.type = 'list' AND a.text IS NOT NULL))`

function both(rows: Fragment, test: Fragment): Fragment {
  return fragment(`${rows.sql} AND (${test.sql})`, ...rows.params, ...test.params)
}

function typed(type: string, test: Fragment): Fragment {
  return fragment(`a.type = '${type}' AND ${test.sql}`, ...test.params)
}

/** The rows of a list attribute are its items, each once. */
function itemSql({ operator, values }: NonNullable<AttributeCondition["items"]>): Fragment {
  return operator === "is_empty" ? fragment("a.text IS NULL") : isOneOf(TEXT, values)
}
