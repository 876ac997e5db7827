// Sets attributes of a lead by their names.
import * as v from "valibot"
import { AttributeInput } from "../../../lead/fields.ts"
import type { Attribute, AttributeType, LeadData } from "../../../lead/lead.ts"
import { isObject, parse } from "../../../lead/parse.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { LeadRow, Transaction } from "../../../store/contract/store.ts"
import { type Context, calendarOf } from "../../operation.ts"
import { withAttributes } from "./lead-data.ts"
import { replaceLead } from "./write.ts"

const NAMES_MAX = 200
const Inputs = v.strictObject({ attributes: v.array(AttributeInput) })

/** Values by name, or a list of `{name, type, value}`. */
export type AttributeValues = Readonly<Record<string, unknown>> | readonly unknown[]

/**
 * Gives attributes these values: null removes one, a name that the lead lacks is added with the type of its value; a list says
 * the types. Throws `bad_request` for a value that does not fit the type of an attribute that is there.
 */
export async function setAttributes(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  given: AttributeValues,
): Promise<LeadRow> {
  const before = row.data()
  const { kept, sent } = Array.isArray(given)
    ? ofList(before, given as readonly unknown[])
    : byName(before, given as Readonly<Record<string, unknown>>)
  if (sent.length > NAMES_MAX) throw badRequest(`attributes must name at most ${NAMES_MAX}`)
  const { attributes } = parse(Inputs, { attributes: sent }, calendarOf(ctx))
  const after = { ...before, attributes: withAttributes(kept, attributes, tx) }
  return replaceLead(ctx, tx, { row, before, after, cause: { action: "updated" } })
}

/** A list whose items say no type is one of values by name; others say their types. */
function ofList(before: LeadData, list: readonly unknown[]) {
  const isUntyped = (one: unknown): one is { name: string; value: unknown } =>
    isObject(one) && typeof one.name === "string" && one.type === undefined && "value" in one
  const untyped = list.filter(isUntyped)
  const { kept, sent } = byName(before, Object.fromEntries(untyped.map(({ name, value }) => [name, value])))
  return { kept, sent: [...list.filter((one) => !isUntyped(one)), ...sent] }
}

/** The attributes that stay as they are, and the values that are set. */
function byName(before: LeadData, values: Readonly<Record<string, unknown>>) {
  const names = Object.keys(values)
  if (names.length > NAMES_MAX) throw badRequest(`attributes must name at most ${NAMES_MAX}`)
  const types = new Map(before.attributes.map(({ name, type }) => [name, type]))
  const kept: Attribute[] = before.attributes.filter(({ name }) => values[name] !== null)
  const sent = names
    .filter((name) => values[name] !== null)
    .map((name) => ({ name, type: types.get(name) ?? typeOf(values[name]), value: values[name] }))
  return { kept, sent }
}

/** The type of an attribute by its value. */
export function typeOf(value: unknown): AttributeType {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (Array.isArray(value)) return "list"
  return typeof value === "object" ? "object" : "text"
}
