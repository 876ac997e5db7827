// What each kind of condition means: as a test of a lead that is at hand, and as SQL on `leads l` and what is kept under
// the same rid.
import { CONTACTS, furtherContacts } from "../lead/contacts.ts"
import { isActivityField, lastTouched, type TextField } from "../lead/lead.ts"
import { comparedText } from "../lead/lead-keys.ts"
import type { Condition, ContactCondition, LeadFilter, PhoneDigits, Phrase } from "../lead/lead-query.ts"
import { WORD_GROUP_NAMES } from "../lead/lead-words.ts"
import { attribute } from "./attributes.ts"
import { isWithin, withinSql } from "./circle.ts"
import { counted, type FilterDialect, joined, type Sql, sql, wrapped } from "./dialect.ts"
import { equals, ITEMS, NUMBER, TEXT } from "./operators.ts"
import type { SeenLead } from "./seen-lead.ts"

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
      const list = operator === "is_empty" ? undefined : CONTACTS.find(([, own]) => own === field)?.[0]
      const own = ({ data }: SeenLead) => test(compared(field, data[field]))
      if (!list) return own
      return (lead) =>
        own(lead) || furtherContacts(lead.data, list).some(({ value }) => test(comparedText(field, value)))
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
