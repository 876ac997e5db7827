// Filters on emails and phones look at those besides the first as well, where an account has any: by the store, so that
// no reader of leads can forget it.
import type { Condition, LeadFilter } from "../../../filters/lead-query.ts"
import type { LeadReads } from "../../contract/store.ts"

/** Whether an account has leads with more than one email or phone. */
type HasContacts = (account: number) => Promise<boolean> | boolean

/** The filter as it is, unless it asks for an email or phone and some lead of the account has more than one. */
export async function withContacts(
  hasContacts: HasContacts,
  account: number,
  filter: LeadFilter,
): Promise<LeadFilter> {
  if (![...filter.all, ...filter.any].some(asksContact)) return filter
  if (!(await hasContacts(account))) return filter
  return { all: filter.all.map(amongAll), any: filter.any.map(amongAll) }
}

type Filtered = Pick<LeadReads, "list" | "walk" | "ids" | "count" | "groups" | "attributeNames">

/** Reads whose filters look at all emails and phones. */
export const amongContacts = <T extends Filtered>(reads: T, hasContacts: HasContacts): T =>
  withFilters(reads, (account, filter) => withContacts(hasContacts, account, filter))

/** Reads by what `whole` makes of each filter. */
export function withFilters<T extends Filtered>(
  reads: T,
  whole: (account: number, filter: LeadFilter) => Promise<LeadFilter>,
): T {
  const filtered: Filtered = {
    list: async (account, query) =>
      reads.list(account, { ...query, filter: await whole(account, query.filter) }),
    async *walk(account, query) {
      yield* reads.walk(account, { ...query, filter: await whole(account, query.filter) })
    },
    ids: async (account, filter) => reads.ids(account, await whole(account, filter)),
    count: async (account, filter) => reads.count(account, await whole(account, filter)),
    groups: async (account, filter, keys, figures) =>
      reads.groups(account, await whole(account, filter), keys, figures),
    attributeNames: async (account, filter) => reads.attributeNames(account, await whole(account, filter)),
  }
  return { ...reads, ...filtered }
}

function asksContact(condition: Condition): boolean {
  if (condition.on === "any") return condition.conditions.some(asksContact)
  if (condition.on === "phone" || condition.on === "digits") return true
  return condition.on === "text" && isContact(condition.field) && condition.operator !== "is_empty"
}

const isContact = (field: string): field is "email" | "phone" => field === "email" || field === "phone"

function amongAll(condition: Condition): Condition {
  if (!asksContact(condition)) return condition
  if (condition.on === "any") return { ...condition, conditions: condition.conditions.flatMap(withOther) }
  const other = otherContact(condition)
  return other
    ? { on: "any", not: condition.not, conditions: [{ ...condition, not: false }, other] }
    : condition
}

/** Within another condition, where one more stands beside it: none has conditions that have conditions. */
function withOther(condition: Condition): Condition[] {
  const other = asksContact(condition) && !condition.not && otherContact(condition)
  return other ? [condition, other] : [amongAll(condition)]
}

function otherContact(condition: Condition): Condition | undefined {
  if (condition.on === "phone") {
    const { key, numbers } = condition
    return { on: "contact", not: false, field: "phone", same: { key, numbers } }
  }
  if (condition.on === "digits") {
    const { operator, digits } = condition
    return { on: "contact", not: false, field: "phone", digits: { operator, digits } }
  }
  if (condition.on !== "text" || !isContact(condition.field)) return undefined
  const { field, operator, values } = condition
  return { on: "contact", not: false, field, text: { operator, values } }
}
