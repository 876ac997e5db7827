import type { Database } from "bun:sqlite"
import type { AttributeCondition, Condition, LeadFilter, LeadSort } from "../../core/lead-query.ts"
import { prepare } from "./database.ts"
import { type Fragment, fragment, join } from "./fragment.ts"
import { locationRids, numberSql, oneOf, textSql } from "./lead-conditions.ts"
import { holding, isInTextIndex } from "./lead-texts.ts"
import type { createStatementCache } from "./statement-cache.ts"

/** Columns of `leads` with an index of their own, `(account_id, column)`. */
export const INDEXED = new Set([
  "name",
  "source",
  "status",
  "email",
  "city",
  "state",
  "country",
  "category",
  "rating",
  "review_count",
  "created_at",
  "updated_at",
  "last_interaction_at",
])

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

/** A query that gives rids out of an index alone; `repeats` when one may come several times. */
export interface Driver extends Fragment {
  repeats: boolean
  /** Joins that keep of the rids, as `q`, those that also stand in other indexes; empty when there are none. */
  joins: Fragment
  /** Conditions that need no other test, since the query and its joins give just what they match. */
  tested: readonly Condition[]
}

/** SQLite joins at most 64 tables; a few narrow enough. */
const JOINED = 6

interface Hits extends Omit<Driver, "joins"> {
  /** Out of the text index, where counting costs more. */
  isSlow?: boolean
}

/** Hits that are fetched and sorted rather than risking to read a whole account for a few matches of two filters. */
const FEW = 10_000
/** Hits that are asked for in other indexes, when few of them will be left. */
const MANY = 50_000
/** So many of them tell how many will be left. */
const SAMPLE = 200

type Choice = (account: number, filter: LeadFilter, limit: number) => Driver | undefined

/**
 * Finds a filter's cheapest index query, when fetching its hits costs less than reading in sort order: there a page
 * comes after about `limit * leads / hits` leads, so up to the root of `limit * leads` the hits are fewer. With
 * conditions that no index tells of, nobody knows how many leads match: then a few more hits are worth fetching.
 */
export function createDriverChoice(db: Database, prepared: ReturnType<typeof createStatementCache>): Choice {
  const leadsOf = prepare<{ n: number }>(db, "SELECT lead_count AS n FROM accounts WHERE key = ?")
  const count = (sql: string, params: Fragment["params"], most: number) =>
    prepared<{ n: number }>(`SELECT count(*) AS n FROM (${sql} LIMIT ?)`).get(...params, most)!.n

  function fewest(found: readonly Hits[], most: number) {
    let best: { hits: Hits; n: number } | undefined
    for (const hits of found) {
      const least = best?.n ?? most + 1
      const n = count(hits.sql, hits.params, hits.isSlow ? Math.min(least, FEW + 1) : least)
      if (n < least && !(hits.isSlow && n > FEW)) best = { hits, n }
      if (n < 50) break
    }
    return best
  }

  /** How many of a driver's `n` hits its joins leave, going by the first of them. */
  function left({ sql, params, joins }: Driver, n: number): number {
    if (joins.sql === "" || n <= SAMPLE) return n
    const sample = `SELECT q.rid FROM (SELECT rid FROM (${sql}) LIMIT ${SAMPLE}) q${joins.sql}`
    return (count(sample, [...params, ...joins.params], SAMPLE) / SAMPLE) * n
  }

  return (account, filter, limit) => {
    const found = drivers(account, filter)
    if (found.length === 0) return undefined
    const balanced = Math.ceil(Math.sqrt(limit * (leadsOf.get(account)?.n ?? 0)))
    const conditions = filter.all.length + Math.min(filter.any.length, 1)
    const best = fewest(found, conditions > 1 ? Math.max(balanced, MANY) : balanced)
    if (!best) return undefined
    const driver = narrowed(account, best.hits, filter)
    const most = driver.tested.length < conditions && conditions > 1 ? Math.max(balanced, FEW) : balanced
    return left(driver, best.n) <= most ? driver : undefined
  }
}

/** `INDEXED BY` the index that has the leads with a value that all of a filter's must have; else nothing. */
export function valueIndex({ all }: LeadFilter): string {
  const found = all.find((one) => one.on === "text" && one.operator === "eq" && !one.not && isIndexed(one))
  return found?.on === "text" ? `INDEXED BY leads_${found.field}` : ""
}

/** The same filter with each tag of several a condition of its own, so that the rarest of them is found. */
export function tagByTag(filter: LeadFilter): LeadFilter {
  const all = filter.all.flatMap((condition): Condition[] =>
    condition.on === "tags" &&
    !condition.not &&
    condition.operator === "all" &&
    condition.values.length <= JOINED
      ? condition.values.map((tag) => ({ ...condition, operator: "any", values: [tag] }))
      : [condition],
  )
  return { ...filter, all }
}

/**
 * Keeps of a driver's hits those that other indexes have under their rid too, before their rows are looked up: a row
 * that is not in memory costs as much as five such questions.
 */
function narrowed(account: number, driver: Hits, filter: LeadFilter): Driver {
  let room = JOINED
  const more = filter.all.flatMap((condition) => {
    const joins = driver.tested.includes(condition) ? [] : indexJoins(account, condition)
    if (joins.length === 0 || joins.length > room) return []
    room -= joins.length
    return [{ condition, joins }]
  })
  const joins = more.flatMap((one) => one.joins).map((joined, i) => joined(`i${i}`))
  return {
    ...driver,
    joins: join(joins, ""),
    tested: [...driver.tested, ...more.map(({ condition }) => condition)],
  }
}

/** Joins that each keep the rids `q` of leads that an index has under a value; of other conditions there are none. */
function indexJoins(account: number, condition: Condition): ((alias: string) => Fragment)[] {
  if (condition.not) return []
  if (condition.on === "text" && condition.operator === "eq" && INDEXED.has(condition.field)) {
    const { field, values } = condition
    return [
      (alias) =>
        fragment(
          ` CROSS JOIN leads ${alias} INDEXED BY leads_${field}
            ON ${alias}.account_id = ? AND ${alias}.${field} = ? AND ${alias}.rid = q.rid`,
          account,
          values[0]!,
        ),
    ]
  }
  if (condition.on !== "tags" || condition.operator === "is_empty") return []
  if (condition.values.length > (condition.operator === "any" ? 1 : JOINED)) return []
  return condition.values.map(
    (tag) => (alias: string) =>
      fragment(
        ` CROSS JOIN lead_tags ${alias} ON ${alias}.account_id = ? AND ${alias}.tag = ? AND ${alias}.rid = q.rid`,
        account,
        tag,
      ),
  )
}

/** Queries that each give a superset of what a filter matches, those that are cheaper to count first. */
function drivers(account: number, filter: LeadFilter): Hits[] {
  const found = filter.all.flatMap((condition): Hits[] => {
    const one = driver(account, condition)
    if (!one) return []
    const isColumn = condition.on === "text" || condition.on === "number"
    return [{ ...one, repeats: !isColumn, tested: isColumn ? [condition] : [] }]
  })
  const any = filter.any.map((condition) => driver(account, condition) ?? textDriver(condition))
  if (any.length > 0 && any.every((one) => one !== undefined))
    found.push({ ...join(any, " UNION ALL "), repeats: true, tested: [] })
  const texts = filter.all.flatMap((condition) => textDriver(condition) ?? [])
  return [...found, ...texts.map((one) => ({ ...one, repeats: true, tested: [], isSlow: true }))]
}

/** Candidates out of the text index, for a condition on a text that no other index answers. */
function textDriver(condition: Condition): Fragment | undefined {
  if (condition.not) return undefined
  if (condition.on === "text" && isInTextIndex(condition.field) && !isIndexed(condition))
    return textIndexDriver(condition)
  if (condition.on !== "attribute" || condition.empty || attributeDriver(0, condition)) return undefined
  // An item of a list is as a whole what a text may hold.
  const { texts, numbers, bool } = condition
  return texts && !numbers && bool === undefined ? textIndexDriver(texts) : undefined
}

type TextTest = Pick<Extract<Condition, { on: "text" }>, "operator" | "values">

function textIndexDriver({ operator, values }: TextTest): Fragment | undefined {
  return operator === "is_empty" ? undefined : holding(values)
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
  const test = oneOf("tag", operator === "all" ? tags.slice(0, 1) : tags)
  return fragment(`SELECT rid FROM lead_tags WHERE account_id = ? AND ${test.sql}`, account, ...test.params)
}

function attributeDriver(account: number, condition: AttributeCondition): Fragment | undefined {
  const { name, texts, numbers, bool, items, empty } = condition
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
  if (bool !== undefined) readings.push(having("number", fragment("number = ?", Number(bool))))
  if (items)
    readings.push(
      having("text", oneOf("text", items.operator === "all" ? items.values.slice(0, 1) : items.values)),
    )
  return readings.length === 0 ? undefined : join(readings, " UNION ALL ")
}
