// The shape of a definition in answers.

import * as v from "valibot"
import type { AttributeDefinition } from "../../../lead/attribute-definition.ts"
import { count } from "../../../lead/fields.ts"
import { ATTRIBUTE_TYPES } from "../../../lead/lead.ts"
import { workEntries } from "../bulk/actions.ts"

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
