// Shapes of answers: the OpenAPI document and the tests are generated from them.
import * as v from "valibot"
import { ACTIVITY_FIELDS, ATTRIBUTE_TYPES, DATA_FIELDS, type Json, STATUSES } from "../../core/lead.ts"
import { type LeadFieldKind, type LeadFieldName, leadField } from "../../core/lead-fields.ts"

const seconds = v.pipe(v.number(), v.integer())

const BY_KIND: Readonly<Record<LeadFieldKind, v.GenericSchema>> = {
  id: v.string(),
  text: v.string(),
  status: v.picklist(STATUSES),
  number: v.number(),
  integer: v.pipe(v.number(), v.integer()),
  tags: v.array(v.string()),
  time: seconds,
  score: v.number(),
}

function shown(name: LeadFieldName): v.GenericSchema {
  const { kind, nullable } = leadField(name)
  return nullable ? v.nullable(BY_KIND[kind]) : BY_KIND[kind]
}

export const AttributeOutput = v.strictObject({
  id: v.string(),
  name: v.string(),
  type: v.picklist(ATTRIBUTE_TYPES),
  value: v.custom<Json>((value) => value !== undefined),
})

const leadEntries = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, shown(name)])),
  attributes: v.array(AttributeOutput),
  ...Object.fromEntries(ACTIVITY_FIELDS.map((name) => [name, shown(name)])),
  score: shown("score"),
}

export const LeadOutput = v.strictObject(leadEntries)

export const PushOutput = v.strictObject({
  ...leadEntries,
  message: v.string(),
  duplicate: v.optional(v.literal(true)),
  potential_duplicate_id: v.optional(v.string()),
  changed: v.optional(v.record(v.string(), v.array(v.custom<Json>((value) => value !== undefined)))),
  possible_duplicates: v.optional(
    v.array(v.strictObject({ id: v.string(), name: v.string(), reason: v.string() })),
  ),
  dry_run: v.optional(v.literal(true)),
})

export const ListedLeadOutput = v.strictObject({
  ...leadEntries,
  highlight: v.optional(v.nullable(v.strictObject({ field: v.string(), snippet: v.string() }))),
})

export const LeadListOutput = v.strictObject({
  leads: v.array(ListedLeadOutput),
  next_cursor: v.nullable(v.string()),
  has_more: v.boolean(),
  count: v.pipe(v.number(), v.integer()),
  total: v.optional(v.pipe(v.number(), v.integer())),
  warnings: v.optional(v.array(v.string())),
})

const count = v.pipe(v.number(), v.integer())
const counts = { total: count, success: count, failed: count, batch_id: v.string() }

export const BatchCreateOutput = v.strictObject({
  created: v.array(
    v.strictObject({
      index: count,
      id: v.string(),
      created_at: seconds,
      duplicate: v.optional(v.literal(true)),
      potential_duplicate_id: v.optional(v.string()),
    }),
  ),
  errors: v.array(v.strictObject({ index: count, message: v.string() })),
  ...counts,
})

export const BatchOutput = v.strictObject({
  results: v.array(
    v.strictObject({
      index: count,
      id: v.string(),
      success: v.boolean(),
      message: v.optional(v.string()),
    }),
  ),
  ...counts,
})

const state = v.nullable(LeadOutput)

const changeEntries = {
  id: v.string(),
  lead_id: v.string(),
  user_id: v.string(),
  actor_id: v.string(),
  action: v.picklist(["created", "updated", "merged", "deleted"]),
  reason: v.nullable(v.string()),
  created_at: seconds,
}
const states = { before: state, after: state }

export const ChangeOutput = v.strictObject({ ...changeEntries, ...states })

/** A change record with the lead before and after it, or their differences. */
export const FeedChangeOutput = v.strictObject({
  ...changeEntries,
  before: v.optional(state),
  after: v.optional(state),
  diff: v.optional(v.record(v.string(), v.array(v.custom<Json>((value) => value !== undefined)))),
  key_id: v.nullable(v.string()),
  batch_id: v.string(),
  import_id: v.nullable(v.string()),
})

export const ChangeFeedOutput = v.strictObject({
  changes: v.array(FeedChangeOutput),
  next_cursor: v.nullable(v.string()),
  has_more: v.boolean(),
  count: v.pipe(v.number(), v.integer()),
})

export const ChangesOutput = v.strictObject({
  changes: v.array(ChangeOutput),
  count: v.pipe(v.number(), v.integer()),
})
