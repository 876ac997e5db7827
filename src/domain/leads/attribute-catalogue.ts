import * as v from "valibot"
import { ATTRIBUTE_TYPES } from "../../core/lead.ts"
import { operation } from "../../core/operation.ts"

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

export const listAttributeCatalogue = operation({
  name: "list_attribute_catalogue",
  about: "The attributes that leads have: names, types, ranges and commonest values",
  access: "read",
  http: "GET /attributes",
  input: v.strictObject({}),
  output: AttributeCatalogueOutput,
  run: (ctx) => ctx.store.read.leads.attributeCatalogue(ctx.caller.account.key),
})
