// Filters on emails and phones that look at those besides the first as well, where an account has any.
import type { Condition, LeadFilter } from "../../../core/lead-query.ts"
import type { ReadContext } from "../../operation.ts"

/** The filter as it is, unless it asks for an email or phone and some lead of the account has more than one. */
export async function withContacts(ctx: ReadContext, filter: LeadFilter): Promise<LeadFilter> {
  if (![...filter.all, ...filter.any].some(asksContact)) return filter
  if (!(await ctx.store.read.leads.hasContacts(ctx.caller.account.key))) return filter
  return { all: filter.all.map(amongAll), any: filter.any.map(amongAll) }
}

function asksContact(condition: Condition): boolean {
  if (condition.on === "any") return condition.conditions.some(asksContact)
  if (condition.on === "phone") return true
  return condition.on === "text" && isContact(condition.field) && condition.operator !== "is_empty"
}

const isContact = (field: string): field is "email" | "phone" => field === "email" || field === "phone"

function amongAll(condition: Condition): Condition {
  if (!asksContact(condition)) return condition
  if (condition.on === "any") return { ...condition, conditions: condition.conditions.map(amongAll) }
  const other = otherContact(condition)
  return other
    ? { on: "any", not: condition.not, conditions: [{ ...condition, not: false }, other] }
    : condition
}

function otherContact(condition: Condition): Condition | undefined {
  if (condition.on === "phone") {
    const { key, numbers } = condition
    return { on: "contact", not: false, field: "phone", same: { key, numbers } }
  }
  if (condition.on !== "text" || !isContact(condition.field)) return undefined
  const { field, operator, values } = condition
  return { on: "contact", not: false, field, text: { operator, values } }
}
