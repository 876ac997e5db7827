import * as v from "valibot"
import {
  AttributeName,
  AttributeTypeField,
  attributeProblem,
  Id,
  ignored,
  JsonValue,
} from "../../lead/fields.ts"
import type { Attribute, AttributeType, AttributeValue, Json } from "../../lead/lead.ts"
import { AppError, badRequest, notFound } from "../../runtime/errors.ts"
import type { Transaction } from "../../store/contract/store.ts"
import { type Calendar, keptDate } from "../../text/dates.ts"
import { exampleAttribute } from "../examples.ts"
import { type Context, calendarOf, operation, previewOne } from "../operation.ts"
import { getLeadRow } from "./lead-operations.ts"
import { AttributeOutput } from "./list/lead-output.ts"
import { withAttributes } from "./write/lead-data.ts"
import { replaceLead } from "./write/write.ts"

export const listAttributes = operation({
  name: "list_attributes",
  about: "List the custom attributes of a lead",
  tag: "Attributes",
  note: "In the order in which they were added.",
  example: { answers: { 200: [exampleAttribute] } },
  access: "read",
  forSegments: true,
  http: "GET /leads/:lead_id/attributes",
  input: v.strictObject({ lead_id: Id }),
  output: v.array(AttributeOutput),
  async run(ctx, { lead_id }) {
    const lead = (await getLeadRow(ctx, ctx.store.read.leads, lead_id)).data()
    return lead.attributes
  },
})

export const createAttribute = operation({
  name: "create_attribute",
  about: "Add a custom attribute to a lead; its name must be new there",
  tag: "Attributes",
  errors: ["conflict", "storage_limit_reached"],
  example: { body: { name: "seats", type: "number", value: 40 }, answers: { 201: exampleAttribute } },
  access: "write",
  forSegments: true,
  http: "POST /leads/:lead_id/attributes",
  tool: {
    words: {
      lead_id: "Lead id",
    },
  },
  input: v.strictObject({
    lead_id: Id,
    id: ignored,
    name: AttributeName,
    type: AttributeTypeField,
    value: JsonValue,
  }),
  output: AttributeOutput,
  status: 201,
  async run(ctx, { lead_id, name, type, value: sent }) {
    const value = fitting(type, sent, calendarOf(ctx))
    return changeAttributes(ctx, lead_id, (attributes, tx) => {
      if (attributes.some((attribute) => attribute.name === name)) throw nameTaken(name)
      const list = withAttributes(attributes, [{ name, type, value }], tx)
      return [list, list.at(-1)!]
    })
  },
})

export const updateAttribute = operation({
  name: "update_attribute",
  about: "Change the value of a custom attribute",
  tag: "Attributes",
  errors: ["storage_limit_reached"],
  note: "The value must fit the attribute's type. The body is `{value}`, or the whole record as it was read with another value.",
  example: { body: { value: 45 }, answers: { 200: { ...exampleAttribute, value: 45 } } },
  access: "write",
  forSegments: true,
  http: "PUT /leads/:lead_id/attributes/:id",
  tool: {
    words: {
      lead_id: "Lead id",
      id: "Attribute id, from list_attributes",
    },
  },
  input: v.strictObject({
    lead_id: Id,
    id: Id,
    value: JsonValue,
    name: v.optional(v.unknown()),
    type: v.optional(v.unknown()),
  }),
  toolInput: v.strictObject({ lead_id: Id, id: Id, value: JsonValue }),
  pathNamesAgree: true,
  output: AttributeOutput,
  run: (ctx, { lead_id, id, value, ...read }) =>
    changeAttributes(ctx, lead_id, (attributes) => {
      const { at, attribute } = getAttribute(attributes, id)
      refuseOther(attribute, read)
      const changed = { ...attribute, value: fitting(attribute.type, value, calendarOf(ctx)) }
      return [attributes.with(at, changed), changed]
    }),
})

export const deleteAttribute = operation({
  name: "delete_attribute",
  about: "Delete a custom attribute of a lead",
  tag: "Attributes",
  access: "write",
  forSegments: true,
  http: "DELETE /leads/:lead_id/attributes/:id",
  tool: {
    words: { lead_id: "Lead id", id: "Attribute id, from list_attributes" },
    preview: previewOne<{ lead_id: string; id: string }>(async (ctx, { lead_id, id }) => {
      const { attributes } = (await getLeadRow(ctx, ctx.store.read.leads, lead_id)).data()
      return getAttribute(attributes, id).attribute
    }),
  },
  input: v.strictObject({ lead_id: Id, id: Id }),
  async run(ctx, { lead_id, id }) {
    await changeAttributes(ctx, lead_id, (attributes) => [
      attributes.toSpliced(getAttribute(attributes, id).at, 1),
      undefined,
    ])
    return undefined
  },
})

type Change<T> = (attributes: Attribute[], tx: Transaction) => readonly [after: Attribute[], answer: T]

/**
 * Changes the attributes of one lead, with the audit record and events of any change. Returns the answer of `change`.
 */
function changeAttributes<T extends Attribute | undefined>(
  ctx: Context,
  leadId: string,
  change: Change<T>,
): Promise<T | Attribute> {
  return ctx.store.write(ctx.caller.account.key, async (tx) => {
    const row = await getLeadRow(ctx, tx.leads, leadId)
    const before = row.data()
    const [attributes, answer] = change(before.attributes, tx)
    const after = { ...before, attributes }
    await replaceLead(ctx, tx, { row, before, after, cause: { action: "updated" } })
    // As its definition wants it.
    return (answer && after.attributes.find(({ id }) => id === answer.id)) ?? answer
  })
}

function getAttribute(attributes: readonly Attribute[], id: string): { at: number; attribute: Attribute } {
  const at = attributes.findIndex((attribute) => attribute.id === id)
  const attribute = attributes[at]
  if (!attribute) throw notFound("Attribute")
  return { at, attribute }
}

function nameTaken(name: string): AppError {
  return new AppError(
    "conflict",
    `Duplicate name: this lead already has an attribute "${name}"; change its value with PUT`,
  )
}

/** Returns the value if it fits the type. Throws a `bad_request` that says what the type accepts. */
function fitting(type: AttributeType, sent: Json, calendar: Calendar): AttributeValue {
  const value = type === "date" ? keptDate(sent, calendar) : sent
  const problem = attributeProblem(type, value)
  if (problem !== undefined) throw badRequest(`value ${problem}`)
  return value as AttributeValue
}

/** Throws `bad_request` when a record's other properties differ from the stored ones. */
function refuseOther(attribute: Attribute, read: { name?: unknown; type?: unknown }): void {
  for (const key of ["name", "type"] as const) {
    if (read[key] !== undefined && read[key] !== attribute[key]) {
      throw badRequest(`${key} cannot be changed, only value can`)
    }
  }
  if ((read.name === undefined) !== (read.type === undefined)) {
    throw badRequest(
      "The body must be {value}, or the whole record as it was read, with id, name, type and value",
    )
  }
}
