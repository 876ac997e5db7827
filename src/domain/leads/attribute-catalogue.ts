import * as v from "valibot"
import { described } from "../../core/described.ts"
import { ATTRIBUTE_TYPES } from "../../core/lead.ts"
import { askAtOnce, operation, question } from "../operation.ts"
import { getLeadRow, Id } from "./leads.ts"

const count = v.pipe(v.number(), v.integer())

export const AttributeCatalogueOutput = v.array(
  v.strictObject({
    name: v.string(),
    type: v.picklist(ATTRIBUTE_TYPES),
    leads: count,
    min: v.optional(v.number()),
    max: v.optional(v.number()),
    values: v.optional(v.array(v.strictObject({ value: v.string(), count }))),
  }),
)

export const catalogueQuestion = question({
  name: "attribute_catalogue",
  run: (ctx, _: object) => ctx.store.read.leads.attributeCatalogue(ctx.caller.account.key),
})

export const listAttributeCatalogue = operation({
  name: "list_attribute_catalogue",
  about: "The attributes that leads have: names, types, ranges and commonest values",
  tag: "Attributes",
  note: "Most leads first. Ranges are of numbers, values of texts and lists.",
  example: {
    answers: {
      200: [
        { name: "seats", type: "number", leads: 2, min: 12, max: 40 },
        { name: "chain", type: "text", leads: 1, values: [{ value: "Nord", count: 1 }] },
      ],
    },
  },
  access: "read",
  http: "GET /attributes",
  input: v.strictObject({}),
  output: described(AttributeCatalogueOutput, {
    leads: "How many leads have it with this type.",
    min: "The least, of numbers.",
    max: "The greatest, of numbers.",
    values: "The commonest ten, of texts and lists with at most 200 values.",
  }),
  run: (ctx) => askAtOnce(ctx, catalogueQuestion, {}),
})

export const listAttributesTool = operation({
  name: "list_attributes",
  about: "List a lead's custom attributes; without lead_id all that leads have",
  tag: "Attributes",
  access: "read",
  forSegments: true,
  tool: { words: { lead_id: "Without it: what leads have at all" } },
  input: v.strictObject({ lead_id: v.optional(Id) }),
  async run(ctx, { lead_id }) {
    if (lead_id === undefined) return askAtOnce(ctx, catalogueQuestion, {})
    return (await getLeadRow(ctx, ctx.store.read.leads, lead_id)).data().attributes
  },
})
