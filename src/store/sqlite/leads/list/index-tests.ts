// Conditions that an index answers for a lead whose rid is known. A list that walks along the index of its sort then
// reads no row of `leads`: at a million leads these lie on as many pages as are tested, and a disk that has none of
// them in memory took 3.8 s for one page.

import { type Fragment, fragment } from "../../../../filters/fragment.ts"
import type { Condition, LeadFilter } from "../../../../filters/lead-query.ts"
import { fieldsThatAre } from "../../../../lead/lead-fields.ts"
import { valueList } from "../value-list.ts"

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
