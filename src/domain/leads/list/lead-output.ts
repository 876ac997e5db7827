// Shapes of answers: the OpenAPI document and the tests are generated from them.

import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { CONTACT_WORDS, count, seconds } from "../../../lead/fields.ts"
import {
  ACTIVITY_FIELDS,
  ATTRIBUTE_TYPES,
  DATA_FIELDS,
  DERIVED_FIELDS,
  type Json,
  STATUSES,
} from "../../../lead/lead.ts"
import { type LeadFieldKind, type LeadFieldName, leadField } from "../../../lead/lead-fields.ts"
import { SUPPRESSION_KINDS } from "../../../lead/suppression-keys.ts"
import { ORIGIN_KINDS } from "../write/origins.ts"

const BY_KIND: Readonly<Record<LeadFieldKind, v.GenericSchema>> = {
  id: v.string(),
  text: v.string(),
  status: v.picklist(STATUSES),
  number: v.number(),
  integer: count,
  tags: v.array(v.string()),
  moment: seconds,
  time: seconds,
  score: v.number(),
}

function fieldSchema(name: LeadFieldName): v.GenericSchema {
  const { kind, nullable } = leadField(name)
  return nullable ? v.nullable(BY_KIND[kind]) : BY_KIND[kind]
}

export const AttributeOutput = named(
  "Attribute",
  v.strictObject({
    id: v.string(),
    name: v.string(),
    type: v.picklist(ATTRIBUTE_TYPES),
    value: v.custom<Json>((value) => value !== undefined),
  }),
  { id: "UUID.", name: "Unique on the lead.", type: "Type of the value; cannot be changed." },
)

const contactList = v.array(
  described(
    v.strictObject({ value: v.string(), label: v.nullable(v.string()), status: v.optional(v.string()) }),
    CONTACT_WORDS,
  ),
)
const leadEntries = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, fieldSchema(name)])),
  attributes: v.array(AttributeOutput),
  emails: contactList,
  phones: contactList,
  ...Object.fromEntries([...ACTIVITY_FIELDS, ...DERIVED_FIELDS].map((name) => [name, fieldSchema(name)])),
  score: fieldSchema("score"),
}

export const LeadOutput = named("Lead", v.strictObject(leadEntries), {
  attributes: "Custom fields.",
})

const Origin = named(
  "Origin",
  v.strictObject({
    kind: v.picklist(ORIGIN_KINDS),
    source: v.nullable(v.string()),
    at: count,
    actor_id: v.nullable(v.string()),
    import_id: v.nullable(v.string()),
    confidence: v.nullable(v.number()),
  }),
  {
    kind: "What set the value.",
    source: "The source that the push or enrichment named.",
    at: "When the source knew it, else when it was written, in Unix seconds.",
    actor_id: "The user or key; null where the trail does not reach back that far.",
    import_id: "The import that brought it.",
    confidence: "0 to 1, as the enrichment told it.",
  },
)

export const ReadLeadOutput = named(
  "ReadLead",
  v.strictObject({ ...leadEntries, origins: v.optional(v.record(v.string(), Origin)) }),
  {
    attributes: "Custom fields.",
    origins: "With `include=origins`: by field, and `attr:` and the name of an attribute.",
  },
)

/** The entry that stops a lead, or would. */
const SuppressedBy = named(
  "SuppressedBy",
  v.strictObject({
    id: v.nullable(v.string()),
    kind: v.picklist(SUPPRESSION_KINDS),
    value: v.string(),
    reason: v.nullable(v.string()),
  }),
  {
    id: "Id of the entry of the do-not-contact list; null for a key that is bound to a segment.",
    kind: "What the entry names.",
    value: "The email, domain or phone; a keyed hash for an erased person.",
    reason: "Why it is on the list; null for such a key.",
  },
)

export const PushOutput = named(
  "PushedLead",
  v.strictObject({
    ...leadEntries,
    message: v.string(),
    duplicate: v.optional(v.literal(true)),
    potential_duplicate_id: v.optional(v.string()),
    replaced: v.optional(v.array(v.string())),
    changed: v.optional(v.record(v.string(), v.array(v.custom<Json>((value) => value !== undefined)))),
    possible_duplicates: v.optional(
      v.array(v.strictObject({ id: v.string(), name: v.string(), reason: v.string() })),
    ),
    skipped: v.optional(v.literal(true)),
    suppressed: v.optional(SuppressedBy),
    warnings: v.optional(v.array(v.string())),
    dry_run: v.optional(v.literal(true)),
  }),
  {
    message: "What happened, for people.",
    skipped: "Nothing was saved, as `on_suppressed=skip` wants it; the `id` is empty.",
    suppressed: "The entry of the do-not-contact list that it matches.",
    duplicate: "True when the lead was merged into an existing one; else absent.",
    potential_duplicate_id: "A lead with the same name and city, or phone and a similar name.",
    replaced:
      "`name` and `email`, where a merge replaced both on a lead of another source: it may be somebody else.",
    changed: "What a merge changed: `[before, after]` by field; attributes are `attr:` and their name.",
    "possible_duplicates[].reason": "What they have in common.",
    possible_duplicates: "Up to five leads that may be the same.",
    warnings: "About values that are kept but are no key, such as an email without a dot in its domain.",
    dry_run: "Nothing was saved; the `id` of a new lead is not valid.",
  },
)

const ListedLeadOutput = named(
  "ListedLead",
  v.strictObject({
    // With `fields` an answer holds these alone.
    ...v.partial(v.strictObject(leadEntries)).entries,
    id: fieldSchema("id"),
    highlight: v.optional(v.nullable(v.strictObject({ field: v.string(), snippet: v.string() }))),
  }),
  {
    "highlight.field": "A lead field, `attr:<name>` or `notes`.",
    "highlight.snippet": "HTML-escaped text with the words in `<mark>`.",
    highlight: "Where the words of `q` are, when `highlight=true` asks for it.",
  },
)

export const LeadListOutput = named(
  "LeadPage",
  v.strictObject({
    leads: v.array(ListedLeadOutput),
    next_cursor: v.nullable(v.string()),
    has_more: v.boolean(),
    count: count,
    total: v.optional(count),
    warnings: v.optional(v.array(v.string())),
  }),
  {
    count: "How many leads this page holds.",
    total: "How many leads match, when `total=true` asks for it.",
    warnings: "Names in the request that do not exist, such as an attribute that no lead has.",
  },
)

const counts = { total: count, success: count, failed: count, batch_id: v.string() }
const countWords = {
  total: "How many items were sent.",
  success: "How many succeeded.",
  failed: "How many failed.",
}

export const BatchCreateOutput = named(
  "BatchCreateResult",
  v.strictObject({
    created: v.array(
      v.strictObject({
        index: count,
        id: v.string(),
        created_at: seconds,
        duplicate: v.optional(v.literal(true)),
        potential_duplicate_id: v.optional(v.string()),
        suppressed: v.optional(SuppressedBy),
        warnings: v.optional(v.array(v.string())),
      }),
    ),
    errors: v.array(v.strictObject({ index: count, message: v.string() })),
    skipped: v.optional(v.array(v.strictObject({ index: count, message: v.string() }))),
    ...counts,
  }),
  {
    "created[].warnings": "About values that are kept but are no key.",
    "skipped[].index": "Index in the request, from 0.",
    "skipped[].message": "The entry of the do-not-contact list.",
    skipped: "With `on_suppressed=skip`: the leads that were left out, which count as successes.",
    "created[].index": "Index in the request, from 0.",
    "created[].id": "Id of the new lead, or of the one it was merged into.",
    "created[].duplicate": "True when the lead was merged into an existing one; else absent.",
    "created[].potential_duplicate_id": "A lead with the same name and city, or phone and a similar name.",
    "created[].suppressed": "The entry that it matches, with `on_suppressed=mark`.",
    created: "The leads that were saved, or merged.",
    "errors[].index": "Index in the request, from 0.",
    "errors[].message": "Why the item was not saved.",
    errors: "The leads that were not.",
    ...countWords,
  },
)

export const BatchOutput = named(
  "BatchResult",
  v.strictObject({
    results: v.array(
      v.strictObject({
        index: count,
        id: v.string(),
        success: v.boolean(),
        message: v.optional(v.string()),
      }),
    ),
    ...counts,
  }),
  {
    "results[].index": "Index in the request, from 0.",
    "results[].id": "As it was sent.",
    "results[].success": "Whether this lead was changed.",
    "results[].message": "Why it was not.",
    results: "Result for each lead.",
    ...countWords,
  },
)

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
const changeWords = {
  id: "UUID.",
  user_id: "The account.",
  actor_id: "The member that the proxy named in X-Actor-Id, else the API key.",
  action: "What happened to the lead.",
}

const ChangeOutput = named("Change", v.strictObject({ ...changeEntries, before: state, after: state }), {
  ...changeWords,
  reason: "For a merge: `dedup:email`, `dedup:source_id` or `dedup:phone`.",
  before: "The lead before; null when it was created.",
  after: "The lead after; null when it was deleted.",
})

/** A change record with the lead before and after it, or their differences. */
export const FeedChangeOutput = named(
  "FeedChange",
  v.strictObject({
    ...changeEntries,
    before: v.optional(state),
    after: v.optional(state),
    diff: v.optional(v.record(v.string(), v.array(v.custom<Json>((value) => value !== undefined)))),
    key_id: v.nullable(v.string()),
    actor_from: v.optional(v.picklist(["proxy", "header"])),
    batch_id: v.string(),
    import_id: v.nullable(v.string()),
  }),
  {
    ...changeWords,
    reason: "`dedup:<criterion>` for a merge, `revert:<id>` for a revert.",
    before: "The lead before; null when it was created. With `view=full`.",
    after: "The lead after; null when it was deleted. With `view=full`.",
    diff: "Each field before and after; an attribute is `attr:<name>`.",
    key_id: "The API key that was used; null for changes recorded by older versions.",
    actor_from:
      "Who named the actor in X-Actor-Id: `proxy` by the proxy's secret, `header` with an owner's key alone; otherwise absent.",
    import_id: "The import that made the change.",
  },
)

export const ChangeFeedOutput = named(
  "ChangeFeed",
  v.strictObject({
    changes: v.array(FeedChangeOutput),
    next_cursor: v.nullable(v.string()),
    has_more: v.boolean(),
    count: count,
  }),
  {
    changes: "In the order asked for.",
    next_cursor:
      "Cursor of the next page: with `order=asc` always present and valid as long as the trail is kept; else null on the last page.",
  },
)

export const ChangesOutput = v.strictObject({
  changes: v.array(ChangeOutput),
  count: count,
})
