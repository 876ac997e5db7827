// The shape of a definition in answers.

import * as v from "valibot"
import type { AttributeDefinition } from "../../../lead/attribute-definition.ts"
import { count } from "../../../lead/fields.ts"
import { ATTRIBUTE_TYPES, type AttributeValue } from "../../../lead/lead.ts"
import { question } from "../../operation.ts"
import { workEntries } from "../bulk/actions.ts"
import { valueAs } from "../bulk/change-attribute.ts"
import { selectionOf } from "../list/selection.ts"

/** Descriptions of the parts of a definition. */
export const definitionWords = {
  options: "The texts that a value, or an item of a list, may be, ignoring case; null for any.",
  required: "New leads must have it; imports warn.",
  unit: "What numbers count, such as `EUR`.",
  position: "Its place on screens, the least first; null for behind all that have one.",
  description: "For people.",
}

const definitionEntries = {
  name: v.string(),
  type: v.picklist(ATTRIBUTE_TYPES),
  options: v.nullable(v.array(v.string())),
  required: v.boolean(),
  unit: v.nullable(v.string()),
  position: v.nullable(count),
  description: v.nullable(v.string()),
  created_at: count,
  updated_at: count,
}

/** A definition with what its change did to leads. */
export const DefinitionOutput = v.strictObject({
  ...definitionEntries,
  matched: v.optional(count),
  misfits: v.optional(count),
  sample: v.optional(
    v.array(
      v.strictObject({
        lead_id: v.string(),
        value: v.custom<unknown>((value) => value !== undefined),
        message: v.optional(v.string()),
      }),
    ),
  ),
  ...workEntries,
})

export const outputWords = {
  ...definitionWords,
  name: "The attribute's name.",
  type: "The type of its values.",
  matched: "How many leads have the attribute.",
  misfits: "In a dry run: how many of their values do not fit.",
  "sample[].value": "The value as it is.",
  "sample[].message": "Why it does not fit.",
  sample: "In a dry run: five leads with values that do not fit, or five that have it where all fit.",
  dry_run: "Nothing was changed.",
  success: "Leads that were changed, or needed no change.",
  failed: "Leads whose value does not fit: it stays as it is.",
  "errors[].message": "Why the value stays.",
  errors: "The leads whose value stays.",
  job: "Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`.",
}

/** A definition as clients read it. */
export function definitionOutput(definition: AttributeDefinition): v.InferOutput<typeof DefinitionOutput> {
  const { name, type, options, required, unit, position, description, created_at, updated_at } = definition
  return { name, type, options, required, unit, position, description, created_at, updated_at }
}

// Counts the values of an attribute that would not fit a definition.

const SAMPLE = 5

interface Misfits {
  matched: number
  misfits: number
  /** Leads of values that do not fit; of those that have it at all where every value fits. */
  sample: { lead_id: string; value: AttributeValue; message?: string }[]
}

/** `definition` is undefined where every value fits. */
export const misfitsQuestion = question({
  name: "attribute_misfits",
  async run(
    ctx,
    { name, definition }: { name: string; definition?: Pick<AttributeDefinition, "type" | "options"> },
  ): Promise<Misfits> {
    const account = ctx.caller.account.key
    const { filter } = await selectionOf(ctx, { attribute: name })
    const outcome: Misfits = { matched: 0, misfits: 0, sample: [] }
    const fitting: Misfits["sample"] = []
    const sort = { key: { on: "id" }, descending: false } as const
    const yieldIfDue = ctx.eventLoop.yieldEvery()
    for await (const leads of ctx.store.readThrough.leads.walk(account, { filter, sort })) {
      for (const lead of leads) {
        const { id, attributes } = lead.data()
        const attribute = attributes.find((one) => one.name === name)
        if (!attribute) continue
        const { value } = attribute
        outcome.matched++
        const problem = definition && valueAs(definition, value).problem
        if (problem === undefined) {
          if (fitting.length < SAMPLE) fitting.push({ lead_id: id, value })
        } else if (++outcome.misfits <= SAMPLE) outcome.sample.push({ lead_id: id, value, message: problem })
        await yieldIfDue()
      }
    }
    return outcome.misfits > 0 ? outcome : { ...outcome, sample: fitting }
  },
})
