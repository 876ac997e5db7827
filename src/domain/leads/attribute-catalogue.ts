import * as v from "valibot"
import type { AttributeDefinition } from "../../lead/attribute-definition.ts"
import { described } from "../../lead/described.ts"
import { count, Id } from "../../lead/fields.ts"
import { ATTRIBUTE_TYPES } from "../../lead/lead.ts"
import type { CataloguedAttribute } from "../../store/contract/store.ts"
import { askAtOnce, operation, question, toolOf } from "../operation.ts"
import { definitionWords } from "./definitions/output.ts"
import { getLeadRow } from "./lead-operations.ts"

const AttributeCatalogueOutput = v.array(
  v.strictObject({
    name: v.string(),
    type: v.picklist(ATTRIBUTE_TYPES),
    leads: count,
    min: v.optional(v.number()),
    max: v.optional(v.number()),
    values: v.optional(v.array(v.strictObject({ value: v.string(), count }))),
    defined: v.optional(v.literal(true)),
    options: v.optional(v.nullable(v.array(v.string()))),
    required: v.optional(v.boolean()),
    unit: v.optional(v.nullable(v.string())),
    position: v.optional(v.nullable(count)),
    description: v.optional(v.nullable(v.string())),
  }),
)

export const catalogueQuestion = question({
  name: "attribute_catalogue",
  async run(ctx, _: object) {
    const account = ctx.caller.account.key
    const used = await ctx.store.read.leads.attributeCatalogue(account)
    const definitions = await ctx.store.read.attributeDefinitions.list(account)
    return definitions.length === 0 ? used : withDefinitions(used, definitions)
  },
})

/** Attributes with a place come first, in its order; the others as they are counted, and those that no lead has last. */
function withDefinitions(
  used: readonly CataloguedAttribute[],
  definitions: readonly AttributeDefinition[],
): CataloguedAttribute[] {
  const byName = new Map(definitions.map((one) => [one.name, one]))
  const counted = new Set(used.map(({ name, type }) => JSON.stringify([name, type])))
  const unseen = definitions.filter(({ name, type }) => !counted.has(JSON.stringify([name, type])))
  const all = [...used, ...unseen.map(({ name, type }) => ({ name, type, leads: 0 }))].map((entry) => {
    const definition = byName.get(entry.name)
    if (definition?.type !== entry.type) return entry
    const { options, required, unit, position, description } = definition
    return { ...entry, defined: true as const, options, required, unit, position, description }
  })
  const placeOf = (entry: object) =>
    ("position" in entry ? (entry.position as number | null) : null) ?? Number.POSITIVE_INFINITY
  return all.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)))
}

export const listAttributeCatalogue = operation({
  name: "list_attribute_catalogue",
  about: "The attributes that leads have: names, types, ranges and commonest values",
  tag: "Attributes",
  note: "Attributes whose definition gives them a place come first, then those of most leads. Ranges are of numbers, and of dates in Unix seconds, values of texts and lists. What is defined has `defined`, `options`, `required`, `unit`, `position` and `description` besides.",
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
  output: described(AttributeCatalogueOutput, {
    leads: "How many leads have it with this type.",
    min: "The least, of numbers and dates.",
    max: "The greatest, of numbers and dates.",
    values: "The commonest ten, of texts and lists with at most 200 values.",
    ...definitionWords,
    defined: "True for an attribute that was defined; else absent, as what follows.",
  }),
  run: (ctx) => askAtOnce(ctx, catalogueQuestion, {}),
})

export const listAttributesTool = toolOf({
  about: "List a lead's custom attributes; without lead_id all that leads have",
  words: { lead_id: "Without it: what leads have at all" },
  input: v.strictObject({ lead_id: v.optional(Id) }),
  async run(ctx, { lead_id }) {
    if (lead_id === undefined) return askAtOnce(ctx, catalogueQuestion, {})
    return (await getLeadRow(ctx, ctx.store.read.leads, lead_id)).data().attributes
  },
})
