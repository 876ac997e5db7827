// The forty calls with their outcomes, which the client of each language plays against the service. `$name` stands for what
// an earlier call has saved.
export interface Play {
  call: string
  path?: string[]
  query?: object
  body?: object
  /** What the answer holds; everything when it is left out. */
  ok?: unknown
  error?: { status: number; code: string }
  /** Names for values of the answer, by their paths in it. */
  save?: Record<string, string>
}

const LEAD = { name: "Da Nino", source: "maps", email: "nino@example.com", rating: 4.5, tags: ["italian"] }
const NOWHERE = "cl_00000000-0000-7000-8000-000000000000"

export const PLAYS: readonly Play[] = [
  { call: "get_account", ok: { plan: "enterprise" } },
  { call: "create_lead", body: LEAD, ok: { ...LEAD, status: "new" }, save: { lead: "id" } },
  { call: "create_lead", body: { ...LEAD, phone: "+49 30 1" }, ok: { id: "$lead", duplicate: true } },
  { call: "create_lead", body: { name: "", source: "x" }, error: { status: 400, code: "bad_request" } },
  { call: "get_lead", path: ["$lead"], ok: { id: "$lead", rating: 4.5, city: null, phone: "+49 30 1" } },
  { call: "get_lead", path: [NOWHERE], error: { status: 404, code: "not_found" } },
  { call: "get_lead", path: ["../leads?x=ü /"], error: { status: 404, code: "not_found" } },
  {
    call: "update_lead",
    path: ["$lead"],
    body: { city: "Zürich", status: "contacted" },
    ok: { city: "Zürich" },
  },
  {
    call: "upsert_lead_by_email",
    path: ["ada+1@example.com"],
    body: { name: "Ada", source: "web" },
    ok: { email: "ada+1@example.com" },
    save: { ada: "id" },
  },
  {
    call: "batch_create_leads",
    body: {
      leads: [
        { name: "A", source: "b" },
        { name: "B", source: "b" },
        { name: "C", source: "b" },
      ],
    },
    ok: { total: 3, success: 3, failed: 0 },
    save: { a: "created.0.id", b: "created.1.id", c: "created.2.id" },
  },
  {
    call: "list_leads",
    query: {
      filter: ["and.eq.source.b", "and.neq.name.C"],
      sort_by: "name",
      sort_order: "DESC",
      limit: 5,
      total: true,
    },
    ok: { count: 2, total: 2, has_more: false, next_cursor: null, leads: [{ name: "B" }, { name: "A" }] },
  },
  { call: "list_leads", query: { limit: 0 }, error: { status: 400, code: "bad_request" } },
  { call: "iterate_leads", query: { sort_by: "name", limit: 2 }, ok: ["A", "Ada", "B", "C", "Da Nino"] },
  { call: "list_changes", path: ["$lead"], query: { limit: 10 }, ok: { count: 3 } },
  {
    call: "batch_update_leads",
    body: { ids: ["$a", "$b"], data: { city: "Bonn" } },
    ok: { total: 2, success: 2, failed: 0 },
  },
  {
    call: "aggregate_leads",
    query: { group_by: ["city"] },
    ok: {
      total: 5,
      groups: [
        { city: "Bonn", count: 2 },
        { city: null, count: 2 },
        { city: "Zürich", count: 1 },
      ],
    },
  },
  {
    call: "bulk_leads",
    body: { filter: ["and.eq.city.Bonn"], action: "add_tags", data: { tags: ["bulk"] }, expect: 2 },
    ok: { matched: 2, success: 2 },
  },
  {
    call: "bulk_leads",
    body: { all: true, action: "score", expect: 9 },
    error: { status: 409, code: "conflict" },
  },
  {
    call: "create_attribute",
    path: ["$lead"],
    body: { name: "seats", type: "number", value: 40 },
    ok: { name: "seats", value: 40 },
    save: { attribute: "id" },
  },
  { call: "update_attribute", path: ["$lead", "$attribute"], body: { value: 45.5 }, ok: { value: 45.5 } },
  { call: "list_attributes", path: ["$lead"], ok: [{ id: "$attribute", type: "number", value: 45.5 }] },
  {
    call: "create_note",
    path: ["$lead"],
    body: { content: "Called ☎" },
    ok: { content: "Called ☎" },
    save: { note: "id" },
  },
  {
    call: "update_note",
    path: ["$note"],
    body: { content: "Met" },
    ok: { content: "Met", lead_id: "$lead" },
  },
  { call: "list_notes", path: ["$lead"], ok: [{ id: "$note", content: "Met" }] },
  { call: "delete_note", path: ["$note"] },
  {
    call: "create_scoring_rule",
    body: { name: "seats", expression: 'attr("seats") > 40 ? 30 : 0', weight: 1.5 },
    ok: { weight: 1.5, priority: 0 },
    save: { rule: "id" },
  },
  {
    call: "create_scoring_rule",
    body: { name: "bad", expression: "rating >" },
    error: { status: 400, code: "bad_request" },
  },
  { call: "get_scoring_rule", path: ["$rule"], ok: { id: "$rule", name: "seats" } },
  { call: "update_scoring_rule", path: ["$rule"], body: { weight: 2 }, ok: { weight: 2 } },
  { call: "list_scoring_rules", ok: [{ id: "$rule" }] },
  { call: "update_lead_score", path: ["$lead"], ok: { id: "$lead", score: 60 } },
  { call: "update_all_scores", ok: { count: 5 } },
  { call: "delete_scoring_rule", path: ["$rule"] },
  { call: "delete_attribute", path: ["$lead", "$attribute"] },
  {
    call: "create_webhook",
    body: { url: "http://127.0.0.1:9/hook", events: ["lead.created"], secret: "secret-of-the-hook" },
    ok: { events: ["lead.created"], active: true, has_secret: true },
    save: { webhook: "id" },
  },
  { call: "get_webhook", path: ["$webhook"], ok: { id: "$webhook" } },
  { call: "update_webhook", path: ["$webhook"], body: { active: false }, ok: { active: false } },
  { call: "list_webhooks", ok: [{ id: "$webhook", active: false }] },
  { call: "delete_webhook", path: ["$webhook"] },
  {
    call: "create_api_key",
    body: { name: "CRM", role: "viewer" },
    ok: { name: "CRM", role: "viewer" },
    save: { key: "id" },
  },
  { call: "list_api_keys", ok: [{ role: "owner" }, { id: "$key", expires_at: null }] },
  { call: "delete_api_key", path: ["$key"] },
  { call: "delete_api_key", path: ["$key"], error: { status: 404, code: "not_found" } },
  { call: "get_stats", ok: { total_leads: 5, with_email: 2 } },
  { call: "list_categories", query: { limit: 3 }, ok: [] },
  {
    call: "list_cities",
    ok: [
      { city: "Bonn", count: 2 },
      { city: "Zürich", count: 1 },
    ],
  },
  {
    call: "export_leads",
    query: { format: "csv", fields: ["name"], sort_by: "name" },
    ok: "name\nA\nAda\nB\nC\nDa Nino\n",
  },
  { call: "batch_delete_leads", body: { ids: ["$a", "$b", "$c"] }, ok: { success: 3 } },
  { call: "delete_lead", path: ["$ada"] },
  { call: "delete_lead", path: ["$lead"] },
]
