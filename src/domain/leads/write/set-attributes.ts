// Sets attributes of a lead by their names.
import * as v from "valibot"
import { badRequest } from "../../../core/errors.ts"
import { AttributeInput } from "../../../core/fields.ts"
import type { Attribute, AttributeType } from "../../../core/lead.ts"
import { parse } from "../../../core/parse.ts"
import type { LeadRow, Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { withAttributes } from "./lead-data.ts"
import { replaceLead } from "./write.ts"

const NAMES_MAX = 200
const Inputs = v.strictObject({ attributes: v.array(AttributeInput) })

/**
 * Gives attributes these values: null removes one, a name that the lead lacks is added with the type of its value. Throws
 * `bad_request` for a value that does not fit the type of an attribute that is there.
 */
export async function setAttributes(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  values: Readonly<Record<string, unknown>>,
): Promise<LeadRow> {
  const names = Object.keys(values)
  if (names.length > NAMES_MAX) throw badRequest(`attributes must name at most ${NAMES_MAX}`)
  const before = row.data()
  const types = new Map(before.attributes.map(({ name, type }) => [name, type]))
  const kept: Attribute[] = before.attributes.filter(({ name }) => values[name] !== null)
  const given = names.filter((name) => values[name] !== null)
  const sent = given.map((name) => ({
    name,
    type: types.get(name) ?? typeOf(values[name]),
    value: values[name],
  }))
  const { attributes } = parse(Inputs, { attributes: sent })
  const after = { ...before, attributes: withAttributes(kept, attributes, tx) }
  return replaceLead(ctx, tx, { row, before, after, cause: { action: "updated" }, announce: "events" })
}

function typeOf(value: unknown): AttributeType {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (Array.isArray(value)) return "list"
  return typeof value === "object" ? "object" : "text"
}
