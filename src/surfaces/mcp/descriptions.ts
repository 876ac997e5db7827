import { LEAD_FIELD_NAMES, leadField } from "../../core/lead-fields.ts"
import type { Access } from "../../domain/operation.ts"

// Descriptions of tools beyond their operation's: every client pays for each word in tokens.

/** Descriptions of parameters by `tool.parameter` or name, at most 40 characters each to save the agent's context. */
const PARAMETERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    LEAD_FIELD_NAMES.flatMap((name) =>
      Object.entries(leadField(name).toolWords ?? {}).map(([tool, words]) => [`${tool}.${name}`, words]),
    ),
  ),
  lead_id: "Lead id, from list_leads",
  ids: "Lead ids, from list_leads",
  lead_ids: "Lead ids; each gets the note",
  q: "Words anywhere in a lead or its notes",
  fields: "Only these, and the id",
  segment: "Id of a saved filter",
  total: "Counts all that match",
  group_by: "Up to 3: fields, tags or attr:<name>",
  metrics: "count, avg:rating, share:status=new …",
  by: "Periods of a time in group_by",
  include: "What to add",
  "list_attributes.lead_id": "Without it: what leads have at all",
  "list_notes.cursor": "next_cursor of the answer before",
  "search.query": 'Words, "phrases", -without',
  confirm: "Must be true to delete",
  filter: "Each such as and.eq.city.Berlin",
  sort: "Lead field or attr:<name>",
  sort_order: "Direction of sort",
  "list_leads.limit": "Leads per page, 1-1000",
  limit: "How many at most, 1-1000",
  cursor: "next_cursor of the page before",
  format: "Exports all matches as a file",
  "create_lead.attributes": "Custom fields",
  leads: "Each with the fields of create_lead",
  data: "Fields to change, as in update_lead",
  tag: "Tag to add",
  content: "Note text",
  type: "What value is",
  value: "Must fit the type",
  expression: "Such as rating > 4 ? 20 : 0",
  weight: "Multiplies the rule's value",
  priority: "Order in lists, lowest first",
  url: "http(s) address that events go to",
  events: "All when left out",
  secret: "Key of the HMAC signature",
  explain: "Adds what each rule contributed",
  role: "Rights of the key",
  expires_at: "Unix seconds; never when left out",
  active: "true turns it on again",
  delivery_id: "From list_webhook_deliveries",
  "list_webhook_deliveries.status": "Only these",
  since: "Unix seconds",
  until: "Unix seconds",
  dry_run: "Only says what would happen",
  expect: "Refused if another number matches",
  batch_id: "From the answer of the batch",
  import_id: "From the answer of the import",
  change_ids: "From list_changes",
  force: "Also where it was changed since",
  split: "Takes merged leads apart again",
  actor_id: "Who changed it",
  key_id: "By this API key",
  field: "Changes of this field",
  action: "What was done",
  order: "asc is oldest first",
  view: "Differences or whole leads",
  "import_leads.content": "The file, as text or base64",
  "import_leads.format": "Found out when left out",
  "import_leads.source": "source of leads that have none",
  map: "Each as Column=field or =attr:name",
  on_duplicate: "What becomes of leads that exist",
}

/** The meaning of `id`, by the last word of the tool's name. */
const IDS: Readonly<Record<string, string>> = {
  note: "Note id, from list_notes",
  segment: "Segment id, from list_segments",
  attribute: "Attribute id, from list_attributes",
  rule: "Rule id, from list_scoring_rules",
  webhook: "Webhook id, from list_webhooks",
  key: "Key id, from list_api_keys",
  job: "Job id, from what started it",
  deliveries: "Webhook id, from list_webhooks",
  delivery: "Webhook id, from list_webhooks",
}

/** The description of a parameter by its path, such as `create_lead.attributes[].type`. */
export function describeParameter(path: string): string | undefined {
  const tool = path.split(".", 1)[0]!
  const name = path.slice(path.lastIndexOf(".") + 1)
  if (name === "id") return IDS[tool.split("_").at(-1)!] ?? PARAMETERS.lead_id
  return Object.hasOwn(PARAMETERS, path) ? PARAMETERS[path] : PARAMETERS[name]
}

/** Objects whose fields another tool spells out. */
export const SPELLED_OUT_ELSEWHERE: ReadonlySet<string> = new Set([
  "batch_create_leads.leads[]",
  "batch_update_leads.data",
])

/** The tools in the order of the list that clients get; clients cache the list, so the order must not change. */
export const TOOL_ORDER: readonly string[] = [
  "list_leads",
  "get_lead",
  "create_lead",
  "update_lead",
  "delete_lead",
  "create_lead_tag",
  "batch_create_leads",
  "batch_update_leads",
  "batch_delete_leads",
  "create_note",
  "list_notes",
  "update_note",
  "delete_note",
  "list_attributes",
  "create_attribute",
  "update_attribute",
  "delete_attribute",
  "list_scoring_rules",
  "create_scoring_rule",
  "get_scoring_rule",
  "update_scoring_rule",
  "delete_scoring_rule",
  "update_lead_score",
  "update_all_scores",
  "list_webhooks",
  "create_webhook",
  "delete_webhook",
  "list_api_keys",
  "create_api_key",
  "delete_api_key",
  "get_stats",
  "list_categories",
  "list_cities",
]

/** The methods of tools without a route, as a route would have them. */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ["batch_update_leads", "PUT"],
  ["batch_delete_leads", "DELETE"],
])

/** Writes that change nothing more when they are repeated, though they are no PUT or DELETE. */
const REPEATABLE: ReadonlySet<string> = new Set(["create_lead_tag", "update_lead_score", "update_all_scores"])

/** Tools that make the service speak to the world outside. */
const OUTWARD: ReadonlySet<string> = new Set([
  ...["create_webhook", "update_webhook", "test_webhook"],
  ...["retry_webhook_delivery", "retry_webhook_deliveries"],
])

export interface Annotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/**
 * Annotations by which clients judge a tool's risk. Tools that need confirming are destructive: all others can be
 * undone.
 */
export function annotationsOf(name: string, access: Access, method: string): Annotations {
  const reads = access === "read" || method === "GET"
  return {
    readOnlyHint: reads,
    destructiveHint: method === "DELETE",
    idempotentHint: reads || method === "PUT" || method === "DELETE" || REPEATABLE.has(name),
    openWorldHint: OUTWARD.has(name),
  }
}
