import type { AttributeCondition, Condition, LeadFilter } from "../../core/lead-query.ts"
import { type Fragment, fragment, join } from "./fragment.ts"
import { locationRids, numberSql, oneOf, textSql } from "./lead-conditions.ts"

/** Columns of `leads` with an index of their own, `(account_id, column)`. */
export const INDEXED = new Set([
  "name",
  "source",
  "status",
  "email",
  "city",
  "category",
  "rating",
  "review_count",
  "created_at",
  "updated_at",
  "last_interaction_at",
])

/** A query that gives rids out of an index alone; `repeats` when one may come several times. */
export interface Driver extends Fragment {
  repeats: boolean
}

/** Queries that each give a superset of what a filter matches. The planner picks the one with the fewest hits. */
export function drivers(account: number, filter: LeadFilter): Driver[] {
  const found = filter.all.flatMap((condition): Driver[] => {
    const one = driver(account, condition)
    return one ? [{ ...one, repeats: condition.on !== "text" && condition.on !== "number" }] : []
  })
  const any = filter.any.map((condition) => driver(account, condition))
  if (any.length > 0 && any.every((one) => one !== undefined))
    found.push({ ...join(any, " UNION ALL "), repeats: true })
  return found
}

function driver(account: number, condition: Condition): Fragment | undefined {
  if (condition.not) return undefined
  switch (condition.on) {
    case "text":
      if (!INDEXED.has(condition.field) || !["eq", "in", "starts_with"].includes(condition.operator))
        return undefined
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
