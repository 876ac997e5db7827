import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import type { AttributeCondition, Condition, LeadFilter, LeadSort } from "../../../../filters/lead-query.ts"
import { fieldsThatAre } from "../../../../lead/lead-fields.ts"
import { TEXT_INDEXED } from "../../../../lead/lead-keys.ts"
import { holding, type TextIndex } from "../../derived/lead-texts.ts"
import { wordRows } from "../../derived/word-match.ts"
import { contactRids, isOneOf, locationRids, numberSql, textSql, valueList } from "../filters.ts"

/** An index `leads_<field>_<sort>` that has the leads with one value of a field in the order of another. */
export interface Composed {
  condition: TextCondition
  sort: string
}

/** Sort fields of the composed indexes, by the field that leads them. */
const COMPOSED: Readonly<Record<string, string>> = { city: "rating" }

/** The composed index that has a filter's leads in the order of a sort. */
export function composedIndex(filter: LeadFilter, { key }: LeadSort): Composed | undefined {
  if (key.on !== "number") return undefined
  const condition = filter.all.find(
    (one) => one.on === "text" && one.operator === "eq" && !one.not && COMPOSED[one.field] === key.field,
  ) as TextCondition | undefined
  return condition && { condition, sort: key.field }
}

/** A query that gives rids out of an index alone, some perhaps several times: all that match a condition, or more. */
export interface Hits extends Fragment {
  /** Conditions that it gives just the matches of. */
  tested: readonly Condition[]
  /** Out of an index in the order of the rids. */
  isSorted?: boolean
  /** Out of the text index, where counting costs more. */
  isSlow?: boolean
}

/** `INDEXED BY` the index that has the leads with a value that all of a filter's must have; else nothing. */
export function valueIndex({ all }: LeadFilter): string {
  const condition = all.find(
    (one) => one.on === "text" && one.operator === "eq" && !one.not && isIndexed(one),
  )
  return condition?.on === "text" ? `INDEXED BY leads_${condition.field}` : ""
}

/** Tags that are looked up one by one; further ones are tested lead by lead. */
const TAGS = 6

/** Splits a condition on several tags into one for each, so that the rarest tag can drive the list. */
export function tagByTag(filter: LeadFilter): LeadFilter {
  const all = filter.all.flatMap((condition): Condition[] =>
    condition.on === "tags" &&
    !condition.not &&
    condition.operator === "all" &&
    condition.values.length <= TAGS
      ? condition.values.map((tag) => ({ ...condition, operator: "any", values: [tag] }))
      : [condition],
  )
  return { ...filter, all }
}

/** Queries that each give a superset of what a filter matches, those that are cheaper to count first. */
export function drivers(account: number, filter: LeadFilter, index: TextIndex): Hits[] {
  const hits = filter.all.flatMap((condition): Hits[] => {
    const one = driver(account, condition) ?? anyDriver(account, condition, index)
    if (!one) return []
    return [{ ...one, tested: isExact(condition) ? [condition] : [], isSorted: isOneValue(condition) }]
  })
  const any = oneOf(account, filter.any, index)
  if (any) hits.push({ ...any, tested: [] })
  const texts = filter.all.flatMap((condition) => textDriver(condition, index) ?? [])
  return [...hits, ...texts.map((one) => ({ ...one, tested: [], isSlow: true }))]
}

/** Hits of each of several conditions, one of which must hold. */
function anyDriver(account: number, condition: Condition, index: TextIndex): Fragment | undefined {
  return condition.on === "any" && !condition.not ? oneOf(account, condition.conditions, index) : undefined
}

function oneOf(account: number, conditions: readonly Condition[], index: TextIndex): Fragment | undefined {
  const each = conditions.map(
    (one) => driver(account, one) ?? textDriver(one, index) ?? anyDriver(account, one, index),
  )
  if (each.length === 0 || !each.every((one) => one !== undefined)) return undefined
  // The index of texts is asked once for a part of several fields.
  const different = new Map(each.map((one) => [JSON.stringify(one), one]))
  return join([...different.values()], " UNION ALL ")
}

function isOneValue(condition: Condition): boolean {
  if (condition.not) return false
  if (condition.on === "tags") return condition.operator === "any" && condition.values.length === 1
  return (condition.on === "text" || condition.on === "number") && condition.operator === "eq"
}

/** Whether a condition's index query gives nothing else than it matches. */
function isExact(condition: Condition): boolean {
  if (condition.on === "tags") return condition.operator === "any" || condition.values.length === 1
  return ["text", "number", "words", "ids", "phone", "digits", "source_id"].includes(condition.on)
}

/** Candidates out of the text index, for a condition on a text that no other index answers. */
function textDriver(condition: Condition, index: TextIndex): Fragment | undefined {
  if (condition.not) return undefined
  if (condition.on === "text" && TEXT_INDEXED.has(condition.field) && !isIndexed(condition))
    return textIndexDriver(condition, index)
  if (condition.on !== "attribute" || condition.empty || attributeDriver(0, condition)) return undefined
  // An item of a list is as a whole what a text may hold.
  const { texts, numbers, dates, bool } = condition
  return texts && !numbers && !dates && bool === undefined ? textIndexDriver(texts, index) : undefined
}

type TextTest = Pick<Extract<Condition, { on: "text" }>, "operator" | "values">

function textIndexDriver({ operator, values }: TextTest, index: TextIndex): Fragment | undefined {
  return operator === "is_empty" ? undefined : holding(values, index)
}

type TextCondition = Extract<Condition, { on: "text" }>

function isIndexed({ field, operator }: TextCondition): boolean {
  return INDEXED.has(field) && ["eq", "in", "starts_with"].includes(operator)
}

/** Values that the stretches of an index are read around, at most. */
const AROUND = 10

/** Everything but some values: the stretches of the index between them, and what is empty. */
function otherThan(account: number, { field, values }: TextCondition): Fragment | undefined {
  if (values.length > AROUND) return undefined
  const sorted = [...new Set(values)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const between = sorted.map((value, i) => {
    const next = sorted[i + 1]
    const above = fragment(`${field} > ?`, value)
    return next === undefined ? above : join([above, fragment(`${field} < ?`, next)], " AND ")
  })
  const stretches = [fragment(`${field} IS NULL`), fragment(`${field} < ?`, sorted[0]!), ...between]
  return join(
    stretches.map((test) => fromLeads(account, test)),
    " UNION ALL ",
  )
}

function driver(account: number, condition: Condition): Fragment | undefined {
  if (condition.not) {
    const isAround = condition.on === "text" && isIndexed(condition) && condition.operator !== "starts_with"
    return isAround ? otherThan(account, condition) : undefined
  }
  switch (condition.on) {
    case "text":
      if (!isIndexed(condition)) return undefined
      return fromLeads(account, textSql(condition.field, condition.operator, condition.values))
    case "number":
      return numberDriver(account, condition)
    case "tags":
      return tagsDriver(account, condition.operator, condition.values)
    case "location":
      return condition.operator === "within" ? locationRids(account, condition) : undefined
    case "attribute":
      return attributeDriver(account, condition)
    case "words":
      return wordRows(account, condition)
    case "source_id":
      return fromLeads(account, fragment("source_id_exact = ?", condition.value))
    case "phone": {
      const numbers = join(
        [fragment("phone_number > '' AND phone_number IN"), valueList(condition.numbers)],
        " ",
      )
      const all = [fromLeads(account, numbers)]
      if (condition.key !== null) all.push(fromLeads(account, fragment("phone_key = ?", condition.key)))
      return join(all, " UNION ALL ")
    }
    case "digits":
      return fromLeads(account, textSql("phone_key", condition.operator, [condition.digits]))
    case "contact":
      return contactRids(account, condition)
    case "ids":
      return fromLeads(account, join([fragment("id IN"), valueList(condition.values)], " "))
  }
}

function fromLeads(account: number, test: Fragment): Fragment {
  return fragment(`SELECT rid FROM leads WHERE account_id = ? AND ${test.sql}`, account, ...test.params)
}

type NumberCondition = Extract<Condition, { on: "number" }>

function numberDriver(account: number, { field, operator, values }: NumberCondition): Fragment | undefined {
  if (field === "score") {
    const test = numberSql("score", operator, values)
    return fragment(
      `SELECT rid FROM lead_scores WHERE account_id = ? AND ${test.sql}`,
      account,
      ...test.params,
    )
  }
  return INDEXED.has(field) ? fromLeads(account, numberSql(field, operator, values)) : undefined
}

function tagsDriver(
  account: number,
  operator: "any" | "all" | "is_empty",
  tags: string[],
): Fragment | undefined {
  if (operator === "is_empty") return undefined
  const test = isOneOf("tag", operator === "all" ? tags.slice(0, 1) : tags)
  return fragment(`SELECT rid FROM lead_tags WHERE account_id = ? AND ${test.sql}`, account, ...test.params)
}

function attributeDriver(account: number, condition: AttributeCondition): Fragment | undefined {
  const { name, texts, numbers, dates, bool, items, present, empty } = condition
  if (present)
    return fragment(
      "SELECT rid FROM lead_attributes WHERE account_id = ? AND name = ? AND item = 0",
      account,
      name,
    )
  if (empty || items?.operator === "is_empty") return undefined
  if (texts && !["eq", "in", "starts_with"].includes(texts.operator)) return undefined
  const having = (column: "text" | "number", test: Fragment) =>
    fragment(
      `SELECT rid FROM lead_attributes WHERE account_id = ? AND name = ? AND ${column} IS NOT NULL AND ${test.sql}`,
      account,
      name,
      ...test.params,
    )
  const readings: Fragment[] = []
  if (texts) readings.push(having("text", textSql("text", texts.operator, texts.values)))
  if (numbers) readings.push(having("number", numberSql("number", numbers.operator, numbers.values)))
  if (dates) readings.push(having("number", numberSql("number", dates.operator, dates.values)))
  if (bool !== undefined) readings.push(having("number", fragment("number = ?", Number(bool))))
  if (items)
    readings.push(
      having("text", isOneOf("text", items.operator === "all" ? items.values.slice(0, 1) : items.values)),
    )
  return readings.length === 0 ? undefined : join(readings, " UNION ALL ")
}

// Conditions that an index answers for a lead whose rid is known. A list that walks along the index of its sort then
// reads no row of `leads`: at a million leads these lie on as many pages as are tested, and a disk that has none of
// them in memory took 3.8 s for one page.

/** Columns of `leads` with an index of their own, `(account_id, column)`. */
export const INDEXED = new Set(fieldsThatAre("indexed")).difference(new Set(["score"]))

/** Each value is looked up for each lead: with more, reading the row is less. */
const VALUES = 8

/** The condition on the lead with this rid, out of an index alone; undefined where none answers it. */
export function indexTest(account: number, condition: Condition, rid: string): Fragment | undefined {
  if (condition.on !== "text" && condition.on !== "number") return undefined
  const { field, operator, values } = condition
  if (!INDEXED.has(field) || (operator !== "eq" && operator !== "in") || values.length > VALUES)
    return undefined
  const list = valueList(values)
  return fragment(
    `EXISTS (SELECT 1 FROM leads c INDEXED BY leads_${field}
       WHERE c.account_id = ? AND c.${field} IN ${list.sql} AND c.rid = ${rid})`,
    account,
    ...list.params,
  )
}

/** Conditions on columns of `leads` that no index answers for a lead. */
const NEVER = new Set<Condition["on"]>(["location", "ids", "source_id", "digits", "suppressed"])

/** Whether all that a filter asks of columns of `leads` is answered by indexes; so it is when it asks for none. */
export function isAnsweredByIndexes({ all, any }: LeadFilter): boolean {
  return [...all, ...any].every((one) => {
    if (one.on === "any") return isAnsweredByIndexes({ all: one.conditions, any: [] })
    if (NEVER.has(one.on)) return false
    if (one.on === "number" && one.field === "score") return true
    return (one.on !== "text" && one.on !== "number") || indexTest(0, one, "") !== undefined
  })
}
