// What fields and parameters are, in words, by path or by name. A schema here corrects what is converted.

import { LEAD_FIELD_NAMES, leadField } from "../../core/lead-fields.ts"
import { UNKNOWN } from "../../domain/imports/columns.ts"
import {
  ATTRIBUTE_OPERATORS,
  FILTERS_MAX,
  LOCATION_OPERATORS,
  NUMBER_OPERATORS,
  TAG_OPERATORS,
  TEXT_OPERATORS,
} from "../../domain/leads/filter.ts"
import { EXPRESSION_MAX } from "../../expression/index.ts"
import type { Schema } from "./types.ts"

const NEEDED = "Cannot be cleared."

/** What the table of lead fields says, by name and by schema and name. */
const leadWords: Record<string, string | Schema> = Object.fromEntries(
  LEAD_FIELD_NAMES.flatMap((name) => {
    const { words, wordsIn = {}, required } = leadField(name)
    return [
      ...(words ? [[name, words]] : []),
      ...(required ? [[`LeadChanges.${name}`, { type: "string", description: NEEDED }]] : []),
      ...Object.entries(wordsIn).map(([schema, text]) => [`${schema}.${name}`, text]),
    ]
  }),
)

export const FIELDS: Readonly<Record<string, string | Schema>> = {
  ...leadWords,
  count: "How many this answer holds.",
  next_cursor: "Pass it on as `cursor` to read on; null when there is no more.",
  has_more: "Whether there is more to read.",
  potential_duplicate_id: "A lead with the same name and city.",
  duplicate: "There, and true, when the lead was merged into the one it repeats.",
  total: "How many items were sent.",
  success: "How many succeeded.",
  failed: "How many failed.",
  index: "Place in what was sent, from 0.",
  value: "Must fit the type.",
  content: "Free text.",
  lead_id: "`cl_` and a UUID.",
  attributes: "Custom fields, at most 200.",

  "Lead.attributes": "Custom fields.",
  "LeadChanges.attributes": {
    readOnly: true,
    type: "array",
    items: { $ref: "#/components/schemas/Attribute" },
    description: "Only as they are; attributes have routes of their own.",
  },
  "PushedLead.message": "What happened, for people.",
  "LeadPage.count": "How many leads this page holds.",

  "Attribute.id": "UUID.",
  "Attribute.name": "Each name once per lead.",
  "Attribute.type": "What the value is; set once.",
  "AttributeInput.name": "Each name once per lead.",
  "AttributeInput.type": "What the value is.",
  "create_attribute.name": "New on this lead.",
  "create_attribute.type": "What the value is; it cannot be changed later.",

  "BatchCreateResult.created": "The leads that were saved, or merged.",
  "BatchCreateResult.errors": "The leads that were not.",
  "BatchCreateResult.errors[].message": "Why the item was not saved.",
  "BatchCreateResult.created[].id": "Of the new lead, or of the one it was merged into.",
  "BatchResult.results": "What became of each lead.",
  "BatchResult.results[].id": "As it was sent.",
  "BatchResult.results[].success": "Whether this lead was changed.",
  "BatchResult.results[].message": "Why it was not.",
  "batch_create_leads.leads": "At most what the plan takes at once: 100, 500 or 1,000.",
  "batch_update_leads.ids": "At most what the plan takes at once: 100, 500 or 1,000.",
  "batch_update_leads.data": "The same changes for all of them.",
  "batch_delete_leads.ids": "At most what the plan takes at once: 100, 500 or 1,000.",

  "ImportReport.dry_run": "Nothing was changed.",
  "ImportReport.format": "What the file was read as.",
  "ImportReport.total": "Rows that were read; blank ones do not count.",
  "ImportReport.created": "New leads.",
  "ImportReport.merged": "Rows that were merged into the leads they repeat.",
  "ImportReport.merged_by": "The same by what they repeated.",
  "ImportReport.merged_by.email": "Same email.",
  "ImportReport.merged_by.source_id": "Same source_id.",
  "ImportReport.merged_by.phone": "Same phone and a similar name.",
  "ImportReport.potential_duplicates": "New leads with the name and city of another.",
  "ImportReport.rejected": "Rows that were not imported.",
  "ImportReport.errors": "Why, for the first 1,000.",
  "ImportReport.errors[].line":
    "Line of the file where the row begins, from 1; the row of the sheet in XLSX.",
  "ImportReport.errors[].message": "What is wrong with the row.",
  "ImportReport.errors_truncated": "Whether more rows were rejected than `errors` names.",
  "ImportReport.columns": "What became of each column, at most 1,000.",
  "ImportReport.columns[].column": "As the file names it.",
  "ImportReport.columns[].target": "A lead field, `attr:<name>:<type>`, or `-` for none.",

  "list_changes.changes": "Newest first.",
  "Change.id": "UUID.",
  "Change.action": "What happened to the lead.",
  "Change.user_id": "The account.",
  "Change.actor_id": "The member that the proxy named in X-Actor-Id, else the API key.",
  "Change.before": "The lead before; null when it was created.",
  "Change.after": "The lead after; null when it was deleted.",
  "Change.reason": "Of a merge `dedup:email`, `dedup:source_id` or `dedup:phone`.",
  "Note.id": "`note_` and a UUID.",
  batch_id: "Shared by all changes that were made together: by one request, import or job.",
  import_id: "The import that made the change.",
  key_id: "The API key that was used; null for what older versions recorded.",
  diff: "What each field was and what it became; an attribute is `attr:<name>`.",
  "revert_changes.change_ids": "Ids of changes.",
  "revert_changes.batch_id": "What was done together with this id.",
  "revert_changes.import_id": "What this import did.",
  "revert_changes.filter":
    "Changes as `GET /changes` filters them, with `since`; its filters may also stand in the body itself.",
  "revert_changes.lead_id": "Only changes of this lead.",
  "revert_changes.action": "Only changes of this kind.",
  "revert_changes.actor_id": "Only what this member or key did.",
  "revert_changes.key_id": "Only what was done with this API key.",
  "revert_changes.field": "Only changes of this field, or `attr:<name>`.",
  "revert_changes.since": "Only changes at or after this time, Unix seconds.",
  "revert_changes.until": "Only changes at or before this time, Unix seconds.",
  "revert_changes.filter.lead_id": "Only changes of this lead.",
  "revert_changes.filter.action": "Only changes of this kind.",
  "revert_changes.filter.actor_id": "Only what this member or key did.",
  "revert_changes.filter.key_id": "Only what was done with this API key.",
  "revert_changes.filter.field": "Only changes of this field, or `attr:<name>`.",
  "revert_changes.filter.since": "Only changes at or after this time, Unix seconds.",
  "revert_changes.filter.until": "Only changes at or before this time, Unix seconds.",
  "revert_changes.expect": "How many leads these are changes of; with another number nothing is done.",
  "revert_changes.dry_run": "Only says what would happen.",
  "revert_changes.force": "Also leads that were changed since.",
  "revert_changes.split": "What was merged into a lead becomes a lead of its own.",
  "revert_changes.matched": "Leads that these are changes of.",
  "revert_changes.reverted": "Leads that are as they were before.",
  "revert_changes.skipped": "Leads that were left alone, and why.",
  "revert_changes.skipped[].message": "Why.",
  "revert_changes.job": "The job that does it, for `GET /jobs/{id}`.",
  "Job.id": "`job_` and a UUID.",
  "Job.kind": "What it does.",
  "Job.done": "How much is done.",
  "Job.of": "Of how much; null while that is not known.",
  "Job.errors": "What could not be done, at most 1,000.",
  "Job.errors[].message": "Why.",
  "Job.started_at": "Unix seconds; null while it waits.",
  "Job.ended_at": "Unix seconds; null until then.",
  "Job.state": "Where it stands.",
  "ChangeFeed.changes": "In the order asked for.",
  "ChangeFeed.next_cursor":
    "Where to go on: with `order=asc` always there, and good for as long as the trail is kept; else null at the end.",
  "FeedChange.before": "The lead before; null when it was created. With `view=full`.",
  "FeedChange.after": "The lead after; null when it was deleted. With `view=full`.",
  "FeedChange.action": "What happened to the lead.",
  "FeedChange.user_id": "The account.",
  "FeedChange.actor_id": "The member that the proxy named in X-Actor-Id, else the API key.",
  "FeedChange.reason": "Of a merge `dedup:<criterion>`, of what was put back `revert:<id>`.",
  "FeedChange.id": "UUID.",
  "parameter.lead_id": "Only changes of this lead.",
  "parameter.action": "Only changes of this kind.",
  "parameter.actor_id": "Only what this member or key did.",
  "parameter.key_id": "Only what was done with this API key.",
  "parameter.field": "Only changes of this field, or `attr:<name>`.",
  "parameter.batch_id": "Only what was done together with this id.",
  "parameter.import_id": "Only what this import did.",
  "parameter.since": "Only changes at or after this time, Unix seconds.",
  "parameter.until": "Only changes at or before this time, Unix seconds.",
  "parameter.order":
    "`desc`, the newest first, unless told; `asc` is the order of commits, in which a feed is read.",
  "parameter.view": "Whole leads before and after, or what differs.",
  "parameter.wait": "With `order=asc`: seconds to wait until there is a change.",

  "ScoringRule.id": "`rule_` and a UUID.",
  expression: { maxLength: EXPRESSION_MAX, description: "Such as `rating >= 4 ? 20 : 0`." },
  weight: "Multiplies what the expression gives.",
  priority: "Orders the rules in lists, lowest first.",
  "create_scoring_rule.name": "For people.",
  "ScoringRule.name": "For people.",
  "update_scoring_rule.name": "For people.",
  "preview_scoring_rule.lead_id": "Try it on this lead.",
  "preview_scoring_rule.lead": "Or on this one, which is not saved.",
  "preview_scoring_rule.value": "What the expression gives.",
  "preview_scoring_rule.error.position": "Character at which the expression goes wrong, from 1.",
  "update_lead_score.rules": "What each rule brought, when `explain` asks for it.",
  "update_lead_score.rules[].id": "Of the rule.",
  "update_lead_score.rules[].name": "Of the rule.",
  "update_lead_score.rules[].value": "What the expression gave.",
  "update_lead_score.rules[].weight": "Of the rule.",
  "update_lead_score.rules[].contribution": "Value times weight.",
  "update_all_scores.count": "How many leads there are.",
  "update_all_scores.changed": "How many scores changed.",

  url: "http or https, without user name or password.",
  events: "Names of events.",
  "create_webhook.events": "All eleven when left out.",
  "update_webhook.events": "All eleven when null.",
  secret: "Key of the HMAC signature, 1 to 500 characters; never shown again.",
  active: "Off: nothing is sent, what happens meanwhile is not queued.",
  "Webhook.id": "`wh_` and a UUID.",
  "Webhook.has_secret": "Whether deliveries are signed.",
  "Webhook.disabled_reason": "There when failing deliveries turned it off.",
  "list_webhook_deliveries.deliveries": "Newest first.",
  "Delivery.id": "What X-Service-Delivery says.",
  "Delivery.event": "Name of the event.",
  "Delivery.status": "A pending one waits for its next attempt; a failed one has had its last.",
  "Delivery.attempts": "Attempts made so far.",
  "Delivery.code": "HTTP status of the last answer.",
  "Delivery.error": "What went wrong at the last attempt.",
  "Delivery.milliseconds": "What the last attempt took.",
  "Delivery.answer": "First 1 KiB of the last answer; empty for private targets.",
  "Delivery.next_attempt_at": "Unix seconds; null when there is none.",
  "retry_webhook_deliveries.since": "Unix seconds: deliveries created then or later.",
  "retry_webhook_deliveries.retried": "How many are sent again.",

  "ApiKey.id": "`key_` and a UUID.",
  "ApiKey.name": "For people.",
  "ApiKey.prefix": "How the key begins, to recognise it.",
  "ApiKey.last_used_at": "Unix seconds, written once a minute; null before the first use.",
  "ApiKey.kind": "`sign_in` for what a client got through the browser: it holds for the tool server alone.",
  "ApiKey.issued_by": "The key that made it or signed in for it; null for the command line.",
  "create_api_key.kind": "Always `key`.",
  "create_api_key.issued_by": "The key that made it.",
  "AdminEntry.action": "What was done.",
  "AdminEntry.key_id": "The key that did it; null for the command line.",
  "AdminEntry.actor_id": "The member whom a dashboard's proxy named.",
  "AdminEntry.target_id": "What it was done to.",
  "AdminEntry.details": "What is worth knowing of it.",
  "list_admin_log.entries": "Newest first.",
  "create_api_key.id": "`key_` and a UUID.",
  "create_api_key.name": "For people.",
  "create_api_key.prefix": "How the key begins, to recognise it.",
  "create_api_key.key": "The key itself. Shown in this answer and never again.",
  role: "Owner when left out.",
  "ApiKey.role": "What the key may do.",
  expires_at: "Unix seconds; null for never.",
  last_used_at: "Unix seconds.",

  "Stats.score.hot": "Leads with 70 or more.",
  "Stats.score.warm": "Leads with 40 to 69.",
  "Stats.score.cold": "Leads below 40.",
  "Stats.plan.name": "Name of the plan.",
  "Stats.plan.leads_limit": "null for no limit.",

  // Parameters.
  "parameter.filter": `\`logic.operator.field.value\`, at most ${FILTERS_MAX} times: all \`and\` filters must hold, and one of the \`or\` filters.`,
  "parameter.sort_by": "A lead field, `score`, `id` or `attr:<name>`; `created_at` unless told.",
  "parameter.sort_order": {
    type: "string",
    enum: ["ASC", "DESC"],
    default: "ASC",
    description: "Direction of the sort; what is empty comes last in both.",
  },
  "parameter.limit": "How many at most.",
  "parameter.fields":
    "Only these, and the id: names with commas between them, `attr:<name>` too. Leads then lack the others.",
  "parameter.total": "Adds the number of all leads that match as `total`.",

  "LeadPage.total": "How many leads match, when `total=true` asks for it.",
  warnings: "What was named that does not exist, such as an attribute that no lead has.",
  "parameter.group_by": "One to three fields with commas between them: any field, `tags`, `attr:<name>`.",
  "parameter.metrics":
    "`count` unless told; `sum: avg: min: max: median:` of a number, `share:status=converted`, `distinct:city`.",
  "parameter.by": "The step of a time among the fields: its first day stands for it. A day unless told.",
  "parameter.tz": "The time zone in which days begin, such as `Europe/Berlin`; UTC unless told.",
  "parameter.sort": "A field or metric as it was asked for; the commonest first unless told.",
  "list_attribute_catalogue[].leads": "How many leads have it with this type.",
  "list_attribute_catalogue[].min": "The least, of numbers.",
  "list_attribute_catalogue[].max": "The greatest, of numbers.",
  "list_attribute_catalogue[].values": "The commonest ten, of texts and lists with at most 200 values.",
  "aggregate_leads.groups": "A property for each field and each metric, named as they were asked for.",
  "aggregate_leads.other":
    "The same metrics for all groups that the limit left out; null when there are none.",
  "aggregate_leads.total": "How many leads matched.",
  "parameter.cursor": "`next_cursor` of the page before, with the same filters and sort.",
  "parameter.format": "What the file is.",
  "parameter.explain": "Adds what each rule brought.",
  "parameter.map": "`COLUMN:FIELD`, `COLUMN:attr:NAME:TYPE`, or `COLUMN:-` to leave it out.",
  "parameter.unknown": {
    type: "string",
    enum: [...UNKNOWN],
    default: "reject",
    description: "What becomes of columns that are no lead field.",
  },
  "parameter.source": "The source of rows without one.",
  "parameter.sheet": "The sheet of a workbook, by name; the first unless told.",
  "parameter.dry_run": "Only says what would happen.",
  "parameter.status": "Only deliveries with this status.",
}

const passedOver = (type: string): Schema => ({
  type,
  description: "Set by the service; taken and passed over.",
})

/** What clients may send back as they read it, by name. */
export const SET_BY_SERVICE: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    LEAD_FIELD_NAMES.filter((name) => leadField(name).readOnly).map((name) => {
      const { kind } = leadField(name)
      return [name, passedOver(kind === "time" ? "integer" : kind === "score" ? "number" : "string")]
    }),
  ),
  lead_id: passedOver("string"),
  has_secret: passedOver("boolean"),
  disabled_reason: passedOver("string"),
}

const list = (operators: readonly string[]) => operators.map((operator) => `\`${operator}\``).join(" ")

/** The filter language, for the operations that take filters. */
export const FILTER_WORDS = `A filter is \`logic.operator.field.value\`, such as \`and.gte.rating.4\`. Texts compare ignoring case.

| Fields | Operators |
|---|---|
| texts | ${list(TEXT_OPERATORS)} (\`not_empty\` means \`is_not_empty\`) |
| numbers, \`score\`, times | ${list(NUMBER_OPERATORS)} |
| \`tags\` | ${list(TAG_OPERATORS)} |
| \`location\` | ${list(LOCATION_OPERATORS)}; \`within_radius\` takes \`lat,lng,km\` |
| \`attr:<name>\` | ${list(ATTRIBUTE_OPERATORS)} |

\`in\` and \`not_in\` take values with commas between them, \`between\` takes \`low,high\`. \`neq\`, \`not_contains\` and \`not_in\` also match leads where the field is empty. A name with a dot is quoted: \`and.eq.attr:"net.revenue".5\`.`
