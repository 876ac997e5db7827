// What each kind of condition means: as a test of a lead that is at hand, and as SQL on `leads l` and what is kept under
// the same rid.
import { CONTACTS, furtherContacts } from "../lead/contacts.ts"
import { type Box, boxes, EARTH_RADIUS_KM } from "../lead/geo.ts"
import { type Attribute, isActivityField, lastTouched, type TextField } from "../lead/lead.ts"
import { comparedText } from "../lead/lead-keys.ts"
import { WORD_GROUP_NAMES } from "../lead/lead-words.ts"
import { isoSeconds } from "../text/moment.ts"
import { fold } from "../text/text.ts"
import type { FilterDialect } from "./dialect.ts"
import { counted, joined, type Sql, sql, wrapped } from "./fragment.ts"
import type {
  AttributeCondition,
  Condition,
  ContactCondition,
  LeadFilter,
  PhoneDigits,
  Phrase,
} from "./lead-query.ts"
import { equals, ITEMS, NUMBER, TEXT } from "./operators.ts"
import type { SeenLead } from "./seen-lead.ts"

// Conditions on custom attributes: the type that is stored decides which reading of the condition counts; it has none
// for some.

/** Something other than an empty text or an empty list. */
const FILLED = `(a.text <> '' OR a.number IS NOT NULL OR a.type = 'object'
      OR (a.type = 'list' AND a.text IS NOT NULL))`

function isBlank({ type, value }: Attribute): boolean {
  return (type === "text" && value === "") || (type === "list" && (value as string[]).length === 0)
}

const attribute = {
  holds({ name, texts, numbers, dates, bool, items, present, empty }: AttributeCondition) {
    const find = ({ data }: SeenLead) => data.attributes.find((one) => one.name === name)
    if (present) return (lead: SeenLead) => find(lead) !== undefined
    if (empty)
      return (lead: SeenLead) => {
        const value = find(lead)
        return !value || isBlank(value)
      }
    const text = texts && TEXT[texts.operator].test(texts.values)
    const number = numbers && NUMBER[numbers.operator].test(numbers.values)
    const date = dates && NUMBER[dates.operator].test(dates.values)
    return (lead: SeenLead) => {
      const { type, value } = find(lead) ?? { type: "object" }
      if (type === "text") return text?.(fold(String(value))) ?? false
      if (type === "number") return number?.(Number(value)) ?? false
      if (type === "date") return date?.(isoSeconds(String(value)) ?? null) ?? false
      if (type === "bool") return bool === value
      if (type !== "list" || !items) return false
      const stored = new Set((value as string[]).map((item) => fold(String(item))))
      return ITEMS[items.operator](stored, items.values)
    }
  },

  sql(dialect: FilterDialect, account: number, condition: AttributeCondition): Sql {
    const { name, texts, numbers, dates, bool, items, present, empty } = condition
    const { attribute: columns, rid } = dialect
    const rows = sql(
      `FROM lead_attributes a WHERE a.account_id = ? AND a.name = ? AND a.rid = ${rid}`,
      account,
      name,
    )
    if (present) return wrapped("EXISTS (SELECT 1 ", rows, ")")
    if (empty) return wrapped("NOT EXISTS (SELECT 1 ", joined([rows, sql(FILLED)], " AND "), ")")
    const { text, number } = columns
    const readings: Sql[] = []
    if (texts) readings.push(typed("text", TEXT[texts.operator].sql(dialect, text, texts.values)))
    if (numbers) readings.push(typed("number", NUMBER[numbers.operator].sql(dialect, number, numbers.values)))
    if (dates) readings.push(typed("date", NUMBER[dates.operator].sql(dialect, number, dates.values)))
    if (bool !== undefined) readings.push(typed("bool", sql(`${number} = ?`, Number(bool))))
    const parts: Sql[] = []
    if (items) {
      // The rows of a list attribute are its items, each once.
      const item = typed(
        "list",
        items.operator === "is_empty" ? sql("a.text IS NULL") : equals(dialect, text, items.values),
      )
      if (items.operator === "all" && items.values.length > 1)
        parts.push(counted(joined([rows, item], " AND "), items.values.length))
      else readings.push(item)
    }
    if (readings.length > 0) {
      const either = wrapped("(", joined(readings, " OR "), ")")
      parts.unshift(wrapped("EXISTS (SELECT 1 ", joined([rows, either], " AND "), ")"))
    }
    return parts.length === 0 ? sql("false") : joined(parts, " OR ")
  },
}

const typed = (type: string, test: Sql) => wrapped(`(a.type = '${type}' AND `, test, ")")

export type Holds = (lead: SeenLead) => boolean

interface Meaning<One> {
  holds(condition: One): Holds
  sql(dialect: FilterDialect, account: number, condition: One): Sql
}

type On<Name extends Condition["on"]> = Extract<Condition, { on: Name }>

const compared = (field: TextField, text: string | null) => (text === null ? null : comparedText(field, text))

const MEANINGS: { readonly [Name in Condition["on"]]: Meaning<On<Name>> } = {
  text: {
    holds({ field, operator, values }) {
      const test = TEXT[operator].test(values)
      const list = operator === "is_empty" ? undefined : CONTACTS.find(([, column]) => column === field)?.[0]
      const holds = ({ data }: SeenLead) => test(compared(field, data[field]))
      if (!list) return holds
      return (lead) =>
        holds(lead) || furtherContacts(lead.data, list).some(({ value }) => test(comparedText(field, value)))
    },
    // Of further emails and phones it has conditions of their own beside it: `contact`.
    sql: (dialect, _, { field, operator, values }) =>
      TEXT[operator].sql(dialect, dialect.text(field), values),
  },
  number: {
    holds({ field, operator, values }) {
      const test = NUMBER[operator].test(values)
      if (isActivityField(field)) return ({ activity }) => test(activity[field])
      if (field === "last_touched_at") return ({ data, activity }) => test(lastTouched(data, activity))
      return field === "score" ? ({ score }) => test(score) : ({ data }) => test(data[field])
    },
    sql: (dialect, _, { field, operator, values }) =>
      NUMBER[operator].sql(dialect, dialect.number(field), values),
  },
  tags: {
    holds:
      ({ operator, values }) =>
      ({ tags }) =>
        ITEMS[operator](tags, values),
    sql(dialect, account, { operator, values }) {
      if (operator === "is_empty") return sql(dialect.hasNoTags)
      const rows = (tags: readonly string[]) => {
        const test = equals(dialect, dialect.tag, tags)
        return sql(
          `FROM lead_tags t WHERE t.account_id = ? AND ${test.sql} AND t.rid = ${dialect.rid}`,
          account,
          ...test.params,
        )
      }
      const one = (tags: readonly string[]) => wrapped("EXISTS (SELECT 1 ", rows(tags), ")")
      if (operator === "any") return one(values)
      if (values.length > dialect.eachTag) return counted(rows(values), values.length)
      return values.length === 0
        ? sql("true")
        : joined(
            values.map((tag) => one([tag])),
            " AND ",
          )
    },
  },
  location: {
    holds: (condition) =>
      condition.operator === "is_set"
        ? ({ data }) => data.latitude !== null && data.longitude !== null
        : isWithin(condition),
    sql: (dialect, _, condition) =>
      condition.operator === "is_set"
        ? sql("l.latitude IS NOT NULL AND l.longitude IS NOT NULL")
        : withinSql(dialect, condition),
  },
  attribute,
  words: {
    holds({ all, none }) {
      const hasOne = (phrases: On<"words">["all"][number], lead: SeenLead) =>
        phrases.some((phrase) => WORD_GROUP_NAMES.some((group) => hasPhrase(lead.words[group], phrase)))
      return (lead) =>
        all.every((phrases) => hasOne(phrases, lead)) && !none.some((phrases) => hasOne(phrases, lead))
    },
    sql: ({ words }, account, condition) => words(account, condition),
  },
  ids: {
    holds({ values }) {
      const ids = new Set(values)
      return ({ data }) => ids.has(data.id)
    },
    sql: ({ among }, _, { values }) => among("l.id", values),
  },
  import: {
    holds:
      ({ id }) =>
      (lead) =>
        lead.isOf(id),
    sql: ({ importLeads }, account, { id }) => importLeads(account, id),
  },
  source_id: {
    holds:
      ({ value }) =>
      ({ data }) =>
        data.source_id === value,
    sql: ({ exact }, _, { value }) => exact("l.source_id_exact", value),
  },
  phone: {
    holds({ key, numbers }) {
      const isSame = samePhone(key, numbers)
      return ({ phones }) => phones.some(isSame)
    },
    sql: ({ among, phoneNumber, phoneKey }, _, { key, numbers }) =>
      joined([among(phoneNumber, numbers), phoneKey(key)], " OR "),
  },
  digits: {
    holds(condition) {
      const test = digitsTest(condition)
      return ({ phones }) => phones.some(test)
    },
    sql: (dialect, _, condition) => digitsSql(dialect, "l.phone_key", condition),
  },
  suppressed: {
    holds:
      () =>
      ({ isSuppressed }) =>
        isSuppressed,
    sql: ({ suppressed }, account) => sql(suppressed, account, account, account),
  },
  contact: {
    holds({ field, text, same, digits }) {
      const test = text && TEXT[text.operator].test(text.values)
      const isSame = digits ? digitsTest(digits) : same && samePhone(same.key, same.numbers)
      const list = field === "email" ? "emails" : "phones"
      return ({ data, phones }) =>
        (test !== undefined &&
          furtherContacts(data, list).some(({ value }) => test(comparedText(field, value)))) ||
        (isSame !== undefined && phones.slice(1).some(isSame))
    },
    sql: (dialect, account, condition) => dialect.isAmong(contactRids(dialect, account, condition)),
  },
  any: {
    holds: ({ conditions }) => isOneOf(conditions),
    sql: (dialect, account, { conditions }) => oneOfSql(dialect, account, conditions),
  },
}

function meaningOf(condition: Condition): Meaning<Condition> {
  return MEANINGS[condition.on] as Meaning<Condition>
}

function conditionHolds(condition: Condition): Holds {
  const holds = meaningOf(condition).holds(condition)
  return condition.not ? (lead) => !holds(lead) : holds
}

function isOneOf(conditions: readonly Condition[]): Holds {
  const each = conditions.map(conditionHolds)
  return (lead) => each.some((holds) => holds(lead))
}

/** The filter as a function: all of `all` hold, and one of `any` where there is one. */
export function compileFilter({ all, any }: LeadFilter): Holds {
  const each = all.map(conditionHolds)
  const one = any.length === 0 ? undefined : isOneOf(any)
  return (lead) => each.every((holds) => holds(lead)) && (one === undefined || one(lead))
}

/** The filter as a condition on `leads l` and on the lead of the dialect's rid; `true` when it asks nothing. */
export function filterSql(dialect: FilterDialect, account: number, { all, any }: LeadFilter): Sql {
  const parts = all.map((condition) => conditionSql(dialect, account, condition))
  if (any.length > 0) parts.push(oneOfSql(dialect, account, any))
  return parts.length === 0 ? sql("true") : joined(parts, " AND ")
}

function conditionSql(dialect: FilterDialect, account: number, condition: Condition): Sql {
  const holds = dialect.instead?.(condition) ?? meaningOf(condition).sql(dialect, account, condition)
  // False and NULL: a negated condition matches empty fields too.
  return wrapped("(", holds, condition.not ? ") IS NOT TRUE" : ")")
}

function oneOfSql(dialect: FilterDialect, account: number, conditions: readonly Condition[]): Sql {
  const each = conditions.map((condition) => conditionSql(dialect, account, condition))
  return each.length === 0 ? sql("false") : wrapped("(", joined(each, " OR "), ")")
}

/** The rids of leads with such an email or phone besides the first, as a query that a test may be added to. */
export function contactRids(
  dialect: FilterDialect,
  account: number,
  { field, text, same, digits }: ContactCondition,
): Sql {
  const { contact, among } = dialect
  const tests = [
    ...(text ? [TEXT[text.operator].sql(dialect, contact.text, text.values)] : []),
    ...(same ? [among(contact.number, same.numbers)] : []),
    ...(digits ? [digitsSql(dialect, contact.key, digits)] : []),
    ...(same && same.key !== null ? [sql(`${contact.key} = ?`, same.key)] : []),
  ]
  const test = joined(tests, " OR ")
  return sql(
    `SELECT c.rid FROM lead_contacts c WHERE c.account_id = ? AND c.kind = ? AND (${test.sql})`,
    account,
    field,
    ...test.params,
  )
}

/** Whether a phone is one of these international numbers, or has this key. */
function samePhone(sought: string | null, numbers: readonly string[]) {
  return ({ key, number }: SeenLead["phones"][number]) =>
    (number !== null && numbers.includes(number)) || (key !== null && key === sought)
}

function digitsTest({ operator, digits }: PhoneDigits) {
  const test = TEXT[operator].test([digits])
  return ({ key }: SeenLead["phones"][number]) => test(key)
}

const digitsSql = (dialect: FilterDialect, column: string, { operator, digits }: PhoneDigits): Sql =>
  TEXT[operator].sql(dialect, { whole: column, beginning: column, kept: 0 }, [digits])

/** Every condition of a filter, those within others too. */
export function conditionsOf({ all, any }: LeadFilter): Condition[] {
  return [...all, ...any].flatMap((one) => (one.on === "any" ? one.conditions : one))
}

/** Whether the words of a phrase stand next to each other; the last may be only begun. */
function hasPhrase(words: readonly string[], { words: sought, isBegun }: Phrase): boolean {
  const last = sought.length - 1
  const fits = (word: string | undefined, i: number) =>
    word !== undefined && (i === last && isBegun ? word.startsWith(sought[i]!) : word === sought[i])
  return words.some((word, at) => fits(word, 0) && sought.every((_, i) => fits(words[at + i], i)))
}

// Places within a circle: the great-circle distance by the haversine formula.

export type Circle = Extract<Condition, { on: "location"; operator: "within" }>

interface Point {
  latitude: number
  longitude: number
}

const radians = (degrees: number) => degrees * (Math.PI / 180)

function kilometresBetween(a: Point, b: Point): number {
  const across = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2
  const along = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  const root = Math.sqrt(across + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * along)
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, root))
}

function isWithin(circle: Circle): (lead: SeenLead) => boolean {
  const near = boxes(circle.latitude, circle.longitude, circle.kilometres)
  return ({ data: { latitude, longitude } }) =>
    latitude !== null &&
    longitude !== null &&
    near.some(
      ([south, north, west, east]) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    ) &&
    kilometresBetween(circle, { latitude, longitude }) <= circle.kilometres
}

/** Boxes first: an index may have them, and a comparison costs a tenth of a distance. */
function withinSql(dialect: FilterDialect, circle: Circle): Sql {
  const inBox = ([south, north, west, east]: Box) =>
    sql("(l.latitude BETWEEN ? AND ? AND l.longitude BETWEEN ? AND ?)", south, north, west, east)
  const near = boxes(circle.latitude, circle.longitude, circle.kilometres).map(inBox)
  return joined([wrapped("(", joined(near, " OR "), ")"), distanceSql(dialect, circle)], " AND ")
}

function distanceSql({ degrees, least }: FilterDialect, circle: Circle): Sql {
  const { bound, of, column } = degrees
  const [latitude, longitude] = [column("l.latitude"), column("l.longitude")]
  const root =
    `power(sin(radians(${latitude} - ${bound}) / 2), 2) + ` +
    `cos(radians(${bound})) * cos(radians(${latitude})) * power(sin(radians(${longitude} - ${bound}) / 2), 2)`
  const [lat, lon] = [of(circle.latitude), of(circle.longitude)]
  return sql(
    `${2 * EARTH_RADIUS_KM} * asin(${least("1", `sqrt(${root})`)}) <= ${bound}`,
    lat,
    lat,
    lon,
    circle.kilometres,
  )
}
