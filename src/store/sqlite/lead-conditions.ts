import { type Box, boxes, EARTH_RADIUS_KM } from "../../core/geo.ts"
import type {
  AttributeCondition,
  Condition,
  LeadFilter,
  NumberOperator,
  TextOperator,
} from "../../core/lead-query.ts"
import { type Fragment, fragment, join, valueList } from "./fragment.ts"

/** A filter as a condition on `leads l`, but for conditions that were tested already; `1` when it asks nothing. */
export function filterSql(account: number, filter: LeadFilter, tested: readonly Condition[] = []): Fragment {
  const parts = filter.all
    .filter((condition) => !tested.includes(condition))
    .map((condition) => conditionSql(account, condition))
  if (filter.any.length > 0) {
    const any = join(
      filter.any.map((condition) => conditionSql(account, condition)),
      " OR ",
    )
    parts.push(fragment(`(${any.sql})`, ...any.params))
  }
  return parts.length === 0 ? fragment("1") : join(parts, " AND ")
}

function conditionSql(account: number, condition: Condition): Fragment {
  const holds = positiveSql(account, condition)
  // `IS NOT 1` holds for false and for NULL: a negated condition matches empty fields too.
  return condition.not
    ? fragment(`(${holds.sql}) IS NOT 1`, ...holds.params)
    : fragment(`(${holds.sql})`, ...holds.params)
}

function positiveSql(account: number, condition: Condition): Fragment {
  switch (condition.on) {
    case "text":
      return textSql(`l.${condition.field}`, condition.operator, condition.values)
    case "number":
      return numberSql(numberColumn(condition.field), condition.operator, condition.values)
    case "tags":
      return tagsSql(account, condition.operator, condition.values)
    case "location":
      return condition.operator === "is_set"
        ? fragment("l.latitude IS NOT NULL AND l.longitude IS NOT NULL")
        : withinSql(condition)
    case "attribute":
      return attributeSql(account, condition)
  }
}

function numberColumn(field: string): string {
  return field === "score" ? "(SELECT score FROM lead_scores WHERE rid = l.rid)" : `l.${field}`
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
      const end = after(value)
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

/** The least text that is greater than every text with this beginning; undefined when there is none. */
function after(prefix: string): string | undefined {
  const points = [...prefix]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = last.codePointAt(0)! + 1
    if (next <= 0x10ffff) return points.join("") + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
  }
  return undefined
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

function tagsSql(account: number, operator: "any" | "all" | "is_empty", tags: string[]): Fragment {
  if (operator === "is_empty") {
    // The document says it at once; the side table is not ordered by lead.
    return fragment("(SELECT json_array_length(data, '$.tags') FROM lead_documents WHERE rid = l.rid) = 0")
  }
  const test = oneOf("t.tag", tags)
  const having = `FROM lead_tags t WHERE t.account_id = ? AND ${test.sql} AND t.rid = l.rid`
  return hits(operator, tags.length, fragment(having, account, ...test.params))
}

/** Whether a column holds one of the values; their number does not grow the statement, whose depth has a limit. */
export function oneOf(column: string, values: string[]): Fragment {
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
const ATTRIBUTE = "FROM lead_attributes a WHERE a.account_id = ? AND a.name = ? AND a.rid = l.rid"

function attributeSql(account: number, condition: AttributeCondition): Fragment {
  const { name, texts, numbers, bool, items, empty } = condition
  if (empty) return emptyAttributeSql(account, name)
  const has = (test: Fragment) =>
    fragment(`EXISTS (SELECT 1 ${ATTRIBUTE} AND ${test.sql})`, account, name, ...test.params)
  const readings: Fragment[] = []
  if (texts) readings.push(has(typed("text", textSql(TEXT, texts.operator, texts.values))))
  if (numbers) readings.push(has(typed("number", numberSql(NUMBER, numbers.operator, numbers.values))))
  if (bool !== undefined) readings.push(has(typed("bool", fragment(`${NUMBER} = ?`, Number(bool)))))
  if (items) readings.push(itemsSql(account, name, items))
  return readings.length === 0 ? fragment("0") : join(readings, " OR ")
}

function typed(type: string, test: Fragment): Fragment {
  return fragment(`a.type = '${type}' AND ${test.sql}`, ...test.params)
}

/** The rows of a list attribute are its items, each once. */
function itemsSql(
  account: number,
  name: string,
  { operator, values }: NonNullable<AttributeCondition["items"]>,
): Fragment {
  const test = operator === "is_empty" ? fragment("a.text IS NULL") : oneOf(TEXT, values)
  const having = fragment(`${ATTRIBUTE} AND a.type = 'list' AND ${test.sql}`, account, name, ...test.params)
  return hits(operator === "is_empty" ? "any" : operator, values.length, having)
}

/** No such attribute, an empty text or an empty list. */
function emptyAttributeSql(account: number, name: string): Fragment {
  return fragment(
    `NOT EXISTS (SELECT 1 ${ATTRIBUTE} AND (a.text <> '' OR a.number IS NOT NULL OR a.type = 'object'
      OR (a.type = 'list' AND a.text IS NOT NULL)))`,
    account,
    name,
  )
}
