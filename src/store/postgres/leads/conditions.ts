// Filters as conditions on `leads l` beside `lead_scores s`. What finds the leads soonest is the database's to choose.
import { type Box, boxes, EARTH_RADIUS_KM } from "../../../core/geo.ts"
import type { TextField } from "../../../core/lead.ts"
import { fieldsThatAre, leadField } from "../../../core/lead-fields.ts"
import type {
  AttributeCondition,
  Condition,
  ContactCondition,
  LeadFilter,
  NumberOperator,
  TextOperator,
} from "../../../core/lead-query.ts"
import { POSTGRES } from "../../sql/dialect.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { textAfter } from "../../sql/text-range.ts"
import { queryText } from "../search/vectors.ts"
import { joined, type Sql, sql } from "./sql.ts"

/** Characters of a text that an index has, and those of an attribute's. */
const KEPT = 640
const KEPT_OF_ATTRIBUTE = 400
const KEPT_OF_LONG = 200

const SUPPRESSED = suppressedSql(POSTGRES)
const INDEXED = fieldsThatAre("indexed")

/** Whether a field has its index beside the lead: what changes with nearly every write. */
const BESIDE: ReadonlySet<string> = new Set(["score", "updated_at", "last_interaction_at"])
export const isBeside = (field: string): boolean => BESIDE.has(field)

/** A text, and the beginning of it that an index has in order. */
interface TextColumn {
  whole: string
  beginning: string
  /** Characters of the beginning; 0 where no index has one. */
  kept: number
}

/** The text of a field that all leads of `l` have in a column, folded. */
export function textColumn(field: TextField): TextColumn {
  const whole = `l.${field}`
  const kept = leadField(field).limit === "long" ? KEPT_OF_LONG : KEPT
  return { whole, beginning: `left(${whole}, ${kept})`, kept: INDEXED.has(field) ? kept : 0 }
}

const ATTRIBUTE_TEXT: TextColumn = {
  whole: "a.text",
  beginning: `left(a.text, ${KEPT_OF_ATTRIBUTE})`,
  kept: KEPT_OF_ATTRIBUTE,
}

export function pgFilterSql(account: number, { all, any }: LeadFilter): Sql {
  const parts = all.map((condition) => conditionSql(account, condition))
  if (any.length > 0) parts.push(oneOfSql(account, any))
  return parts.length === 0 ? sql("true") : joined(parts, " AND ")
}

function conditionSql(account: number, condition: Condition): Sql {
  const holds = positiveSql(account, condition)
  // False and NULL: a negated condition matches empty fields too.
  return wrapped("(", holds, condition.not ? ") IS NOT TRUE" : ")")
}

function oneOfSql(account: number, conditions: readonly Condition[]): Sql {
  const each = conditions.map((condition) => conditionSql(account, condition))
  return each.length === 0 ? sql("false") : wrapped("(", joined(each, " OR "), ")")
}

function wrapped(before: string, { sql: text, params }: Sql, after: string): Sql {
  return { sql: before + text + after, params }
}

function positiveSql(account: number, condition: Condition): Sql {
  switch (condition.on) {
    case "text":
      return pgTextSql(textColumn(condition.field), condition.operator, condition.values)
    case "number":
      return pgNumberSql(
        `${isBeside(condition.field) ? "s" : "l"}.${condition.field}`,
        condition.operator,
        condition.values,
      )
    case "tags":
      return tagsSql(account, condition.operator, condition.values)
    case "location":
      return condition.operator === "is_set"
        ? sql("l.latitude IS NOT NULL AND l.longitude IS NOT NULL")
        : withinSql(condition)
    case "attribute":
      return attributeSql(account, condition)
    case "words":
      return sql(
        `EXISTS (SELECT 1 FROM lead_words w WHERE w.account_id = ? AND w.rid = l.rid AND w.words @@ ?::tsquery)`,
        account,
        queryText(account, condition),
      )
    case "any":
      return oneOfSql(account, condition.conditions)
    case "ids":
      return sql("l.id = ANY (?::text[])", condition.values)
    case "source_id":
      return sql(
        "(md5(l.source_id_exact) = md5(?) AND l.source_id_exact = ?)",
        condition.value,
        condition.value,
      )
    case "phone":
      return sql(
        "(left(l.phone_number, 100) = ANY (?::text[]) OR (left(l.phone_key, 100) = left(?::text, 100) AND l.phone_key = ?))",
        condition.numbers,
        condition.key,
        condition.key,
      )
    case "suppressed":
      return sql(SUPPRESSED, account, account, account)
    case "contact":
      return contactSql(account, condition)
    case "import":
      return sql(
        `EXISTS (SELECT 1 FROM import_leads i WHERE i.account_id = ? AND i.lead = l.rid
           AND i.import = (SELECT rid FROM imports WHERE account_id = ? AND id = ?))`,
        account,
        account,
        condition.id,
      )
  }
}

const CONTACT_TEXT: TextColumn = { whole: "c.text", beginning: "left(c.text, 400)", kept: KEPT_OF_ATTRIBUTE }

function contactSql(account: number, { field, text, same }: ContactCondition): Sql {
  const tests: Sql[] = []
  if (text) tests.push(pgTextSql(CONTACT_TEXT, text.operator, text.values))
  if (same) tests.push(sql("(c.number = ANY (?::text[]) OR c.key = ?)", same.numbers, same.key))
  const rows = sql(
    "l.rid IN (SELECT c.rid FROM lead_contacts c WHERE c.account_id = ? AND c.kind = ? AND (",
    account,
    field,
  )
  const test = joined(tests, " OR ")
  return { sql: `${rows.sql}${test.sql}))`, params: [...rows.params, ...test.params] }
}

/** Values are folded; so are the columns. */
function pgTextSql(column: TextColumn, operator: TextOperator, values: string[]): Sql {
  const value = values[0] ?? ""
  const { whole, beginning } = column
  switch (operator) {
    case "eq":
    case "in":
      return equalSql(column, values)
    case "contains":
      return sql(`strpos(${whole}, ?) > 0`, value)
    case "starts_with": {
      if (!fits(column, value)) return sql(`starts_with(${whole}, ?)`, value)
      const end = textAfter(value)
      return end === undefined
        ? sql(`${beginning} >= ?`, value)
        : sql(`${beginning} >= ? AND ${beginning} < ?`, value, end)
    }
    case "ends_with":
      return value === "" ? sql(`${whole} = ''`) : sql(`right(${whole}, length(?::text)) = ?`, value, value)
    case "is_empty":
      return sql(`${column.kept > 0 ? beginning : whole} IS NULL`)
  }
}

/** Whether a text is shorter than what the index has of each: then the beginning tells all. */
function fits({ kept }: TextColumn, value: string): boolean {
  return value.length < kept
}

function equalSql(column: TextColumn, values: readonly string[]): Sql {
  const short = values.filter((value) => fits(column, value))
  const long = values.filter((value) => !fits(column, value))
  const parts: Sql[] = []
  if (short.length > 0 || long.length === 0) parts.push(among(column.beginning, short))
  if (long.length > 0) parts.push(among(column.whole, long))
  return parts.length === 1 ? parts[0]! : wrapped("(", joined(parts, " OR "), ")")
}

function among(column: string, values: readonly string[]): Sql {
  return values.length === 1 ? sql(`${column} = ?`, values[0]!) : sql(`${column} = ANY (?::text[])`, values)
}

function pgNumberSql(column: string, operator: NumberOperator, values: number[]): Sql {
  const [low = 0, high = 0] = values
  switch (operator) {
    case "eq":
      return sql(`${column} = ?`, low)
    case "gt":
      return sql(`${column} > ?`, low)
    case "gte":
      return sql(`${column} >= ?`, low)
    case "lt":
      return sql(`${column} < ?`, low)
    case "lte":
      return sql(`${column} <= ?`, low)
    case "between":
      return sql(`${column} BETWEEN ? AND ?`, low, high)
    case "in":
      return sql(`${column} = ANY (?::float8[])`, values)
    case "is_empty":
      return sql(`${column} IS NULL`)
  }
}

/** Tags of a condition that are each looked up by themselves; of more they are counted. */
const EACH = 6

function tagsSql(account: number, operator: "any" | "all" | "is_empty", tags: string[]): Sql {
  if (operator === "is_empty") return sql("l.tags = 0")
  const having = (some: string[]) =>
    wrapped(
      "EXISTS (",
      joined(
        [sql("SELECT 1 FROM lead_tags t WHERE t.account_id = ?", account), among("t.tag", some)],
        " AND ",
      ),
      " AND t.rid = l.rid)",
    )
  if (operator === "any") return having(tags)
  if (tags.length <= EACH)
    return tags.length === 0
      ? sql("true")
      : joined(
          tags.map((tag) => having([tag])),
          " AND ",
        )
  return sql(
    `(SELECT count(*) FROM lead_tags t WHERE t.account_id = ? AND t.tag = ANY (?::text[]) AND t.rid = l.rid) = ?`,
    account,
    tags,
    tags.length,
  )
}

type Within = Extract<Condition, { on: "location"; operator: "within" }>

/** Boxes first, for the index. */
function withinSql(condition: Within): Sql {
  const inBox = ([south, north, west, east]: Box) =>
    sql("(l.latitude BETWEEN ? AND ? AND l.longitude BETWEEN ? AND ?)", south, north, west, east)
  const near = boxes(condition.latitude, condition.longitude, condition.kilometres).map(inBox)
  return joined([wrapped("(", joined(near, " OR "), ")"), distanceSql(condition)], " AND ")
}

// A product too small for a number is an error in PostgreSQL: what is next to nothing counts as nothing.
const LEAST = 1e-100
const degrees = (column: string) => `CASE WHEN abs(${column}) < ${LEAST} THEN 0 ELSE ${column} END`
const LATITUDE = `(${degrees("l.latitude")})`
const LONGITUDE = `(${degrees("l.longitude")})`

/** The great-circle distance by the haversine formula, at most the circle's radius. */
function distanceSql({ latitude, longitude, kilometres }: Within): Sql {
  const [lat, lon] = [latitude, longitude].map((angle) => (Math.abs(angle) < LEAST ? 0 : angle)) as [
    number,
    number,
  ]
  return sql(
    `${2 * EARTH_RADIUS_KM} * asin(least(1, sqrt(power(sin(radians(${LATITUDE} - ?::float8) / 2), 2) + ` +
      `cos(radians(?::float8)) * cos(radians(${LATITUDE})) * power(sin(radians(${LONGITUDE} - ?::float8) / 2), 2)))) <= ?::float8`,
    lat,
    lat,
    lon,
    kilometres,
  )
}

function attributeSql(account: number, condition: AttributeCondition): Sql {
  const { name, texts, numbers, dates, bool, items, present, empty } = condition
  const rows = sql(
    "FROM lead_attributes a WHERE a.account_id = ? AND a.name = ? AND a.rid = l.rid",
    account,
    name,
  )
  if (present) return wrapped("EXISTS (SELECT 1 ", rows, ")")
  if (empty) return wrapped("NOT EXISTS (SELECT 1 ", joined([rows, sql(FILLED)], " AND "), ")")
  const readings: Sql[] = []
  if (texts) readings.push(typed("text", pgTextSql(ATTRIBUTE_TEXT, texts.operator, texts.values)))
  if (numbers) readings.push(typed("number", pgNumberSql("a.number", numbers.operator, numbers.values)))
  if (dates) readings.push(typed("date", pgNumberSql("a.number", dates.operator, dates.values)))
  if (bool !== undefined) readings.push(typed("bool", sql("a.number = ?", Number(bool))))
  const item = items && typed("list", itemSql(items))
  const isEachAsked = items?.operator === "all" && items.values.length > 1
  if (item && !isEachAsked) readings.push(item)
  const found: Sql[] = []
  if (readings.length > 0) {
    const either = wrapped("(", joined(readings, " OR "), ")")
    found.push(wrapped("EXISTS (SELECT 1 ", joined([rows, either], " AND "), ")"))
  }
  if (item && isEachAsked) {
    const counted = wrapped("(SELECT count(*) ", joined([rows, wrapped("(", item, ")")], " AND "), ")")
    found.push(joined([counted, sql("?", items.values.length)], " = "))
  }
  return found.length === 0 ? sql("false") : joined(found, " OR ")
}

/** Something other than an empty text or an empty list. */
const FILLED = `(a.text <> '' OR a.number IS NOT NULL OR a.type = 'object'
      OR (a.type = 'list' AND a.text IS NOT NULL))`

function typed(type: string, test: Sql): Sql {
  return wrapped(`(a.type = '${type}' AND `, test, ")")
}

/** The rows of a list attribute are its items, each once. */
function itemSql({ operator, values }: NonNullable<AttributeCondition["items"]>): Sql {
  return operator === "is_empty" ? sql("a.text IS NULL") : equalSql(ATTRIBUTE_TEXT, values)
}
