// Warns of attributes that no lead has, instead of answering with a silently empty list.
import type { Condition, LeadFilter, LeadSort } from "../../../lead/lead-query.ts"
import { closest, counted, excerpt } from "../../../text/text.ts"
import type { ReadContext } from "../../operation.ts"

/** Attribute names in filters and a sort. */
export function attributesIn({ all, any }: LeadFilter, sort?: LeadSort): string[] {
  const within = [...all, ...any].flatMap((one) => (one.on === "any" ? one.conditions : one))
  const names = within.flatMap((one) => (one.on === "attribute" ? one.name : []))
  if (sort?.key.on === "attribute") names.push(sort.key.name)
  return [...new Set(names)]
}

const CONTACTED = "last_contacted_at"

/**
 * Says how many leads a filter such as `and.lt.last_contacted_at.30d` leaves out because they were never contacted: no
 * comparison holds for a time that there is not.
 */
export async function neverContactedWarnings(ctx: ReadContext, { all, any }: LeadFilter): Promise<string[]> {
  const isBefore = (one: Condition) =>
    one.on === "number" && one.field === CONTACTED && !one.not && /^lte?$/.test(one.operator)
  const isEmpty = (one: Condition) =>
    one.on === "number" && one.field === CONTACTED && one.operator === "is_empty"
  if (![...all, ...any].some(isBefore) || any.some(isEmpty)) return []
  const others = all.filter((one) => !isBefore(one))
  const never: Condition = { on: "number", not: false, field: CONTACTED, operator: "is_empty", values: [] }
  const rest = any.some(isBefore) ? [] : any
  const count = await ctx.store.read.leads.count(ctx.caller.account.key, {
    all: [...others, never],
    any: rest,
  })
  if (count === 0) return []
  return [
    `${counted(count, "lead")} more ${count === 1 ? "was" : "were"} never contacted, which no comparison matches: take or.lt.${CONTACTED}.DATE and or.is_empty.${CONTACTED} to have them, too`,
  ]
}

/** Warns of each attribute that no lead has, with the closest existing name. */
export async function unknownAttributeWarnings(
  ctx: ReadContext,
  names: readonly string[],
): Promise<string[]> {
  const { leads } = ctx.store.read
  const account = ctx.caller.account.key
  const warnings: string[] = []
  let catalogue: string[] | undefined
  for (const name of names) {
    if (await leads.hasAttribute(account, name)) continue
    catalogue ??= [...new Set((await leads.attributeCatalogue(account)).map((one) => one.name))]
    const near = closest(name, catalogue)
    const known = near
      ? `did you mean "attr:${excerpt(near)}"?`
      : catalogue.length > 0
        ? `attributes are such as ${catalogue
            .slice(0, 5)
            .map((one) => `"${excerpt(one)}"`)
            .join(", ")}; the list of attributes has all`
        : "no lead has any attribute"
    warnings.push(`no lead has an attribute "${excerpt(name)}": ${known}`)
  }
  return warnings
}
