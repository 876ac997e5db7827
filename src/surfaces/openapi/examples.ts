// One small world of examples: the same lead, note, rule, webhook and key wherever they are shown.
import { ACTIVITY_FIELDS, DATA_FIELDS, type Json } from "../../core/lead.ts"
import { LEAD_FIELD_NAMES, LEAD_FIELDS, type LeadFieldName, leadField } from "../../core/lead-fields.ts"
import { DUPLICATE_EXAMPLES } from "./duplicate-words.ts"

interface Example {
  body?: Json
  /** By status. */
  answers?: Readonly<Record<number, Json>>
  /** The answer as a text file, where it is one. */
  text?: string
}
type Fields = Record<string, Json>

const NOW = 1_795_262_400
const EARLIER = LEAD_FIELDS.created_at.example
const ID = LEAD_FIELDS.id.example
const OTHER = "cl_019aa6f2-9f07-7b18-8d24-c1a95e3b7f60"
const MERGE_ID = "mrg_019aa6f9-0c21-7b11-9f02-7d3e5a4c1b88"
const RULE_ID = "rule_019aa6f3-2b9c-7f01-a6d8-5c04e9b1723a"
const WEBHOOK_ID = "wh_019aa6f3-6d12-7c55-b0e9-82f3a4d71c96"

const attribute: Fields = {
  id: "019aa6f2-8c41-7d3e-9b52-5a0d3f4c7e21",
  name: "seats",
  type: "number",
  value: 40,
}

/** What the table of lead fields has as examples. */
const of = (name: LeadFieldName): Json => (leadField(name).example as Json | undefined) ?? null

export const lead: Fields = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, of(name)])),
  attributes: [attribute],
  ...Object.fromEntries(ACTIVITY_FIELDS.map((name) => [name, of(name)])),
  score: of("score"),
}

export const pushed: Fields = {
  name: of("name"),
  source: of("source"),
  email: of("email"),
  city: of("city"),
  rating: of("rating"),
  review_count: of("review_count"),
  tags: of("tags"),
  attributes: [{ name: "seats", type: "number", value: 40 }],
}
/** The lead that it becomes. */
const created: Fields = Object.fromEntries(
  Object.entries(lead).map(([name, value]) => {
    const isSent = !DATA_FIELDS.some((field) => field === name && leadField(field).nullable) || name in pushed
    return [name, isSent ? value : null]
  }),
)
const exported = `${[...LEAD_FIELD_NAMES, "seats"].join(",")}
${[...LEAD_FIELD_NAMES.map(of), 40].join(",")}
`
const qualified: Fields = { ...lead, status: "qualified", updated_at: NOW, last_interaction_at: NOW }

export const note: Fields = {
  id: "note_019aa6f4-01b7-7e92-8c33-6fd0a5e4b812",
  lead_id: ID,
  content: "Wants a call back on Monday",
  created_at: NOW,
  updated_at: NOW,
}

const rule: Fields = {
  id: RULE_ID,
  name: "well rated",
  expression: "rating >= 4.5 ? 60 : rating * 5",
  weight: 1,
  priority: 0,
  created_at: EARLIER,
  updated_at: EARLIER,
}

const webhook: Fields = {
  id: WEBHOOK_ID,
  url: "https://crm.example.com/leaddb",
  events: ["lead.created", "lead.updated"],
  active: true,
  has_secret: true,
  created_at: EARLIER,
  updated_at: EARLIER,
}

const delivery: Fields = {
  id: "dlv_019aa6f5-7e20-7a4c-9f16-0b8d2c5e63a1",
  event: "lead.created",
  status: "succeeded",
  attempts: 1,
  code: 200,
  error: null,
  milliseconds: 84,
  answer: "ok",
  next_attempt_at: null,
  created_at: NOW,
  updated_at: NOW,
}
const queued = { ...delivery, status: "pending", attempts: 0, code: null, milliseconds: null, answer: null }
const waiting: Fields = { ...queued, next_attempt_at: NOW }

const account: Fields = {
  id: "acc_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3",
  name: "Acme",
  plan: "free",
  limits: { leads: 100, requests: 100, batch: 100, storage: 50_000_000 },
  default_country: "DE",
  created_at: EARLIER,
}

const segment: Fields = {
  id: "seg_019aa6f6-5e2a-7c19-8f47-2b6d0e9c4a13",
  name: "Warm in Berlin",
  filter: ["and.eq.city.Berlin", "and.gte.score.40"],
  q: null,
  sort_by: "score",
  sort_order: "DESC",
  count: 128,
  created_at: NOW,
  updated_at: NOW,
}

const key: Fields = {
  id: "key_019aa6f6-3c58-7d07-b2a4-91e6f0d8c375",
  name: "Web form",
  prefix: "ldb_9fK2",
  role: "editor",
  kind: "key",
  issued_by: "key_019aa6f0-51c2-7a3e-9d6b-08f4c7e2b915",
  created_at: NOW,
  last_used_at: null,
  expires_at: null,
}

const adminEntry: Fields = {
  id: "adm_019aa6f6-3c58-7d07-b2a4-91e6f0d8c376",
  action: "key.created",
  key_id: "key_019aa6f0-51c2-7a3e-9d6b-08f4c7e2b915",
  actor_id: "user_42",
  target_id: "key_019aa6f6-3c58-7d07-b2a4-91e6f0d8c375",
  details: { name: "Web form", role: "editor" },
  created_at: NOW,
}
const MEMBER_ID = "mem_019aa6f6-7a10-7e2c-93b5-0d4c8f1e62a7"
const INVITE = "9fK2mXw4Tq81vLrZ0aBcD3eFgH5iJ6kLmN7oP8qRs"
const actor: Fields = { kind: "member", id: MEMBER_ID, name: "Ada Lovelace" }
const session: Fields = {
  id: "ses_019aa6f6-9d3e-7b41-8a20-6c5f7e8d9a0b",
  role: "editor",
  actor,
  account: {
    id: "acc_019aa6f0-5512-7c0f-a9d1-3e6b84f27a05",
    name: "Acme",
    plan: "pro",
    limits: { leads: 500, requests: 1_000, batch: 500, storage: 50_000_000 },
  },
  expires_at: NOW + 30 * 86_400,
}
const listedSession: Fields = {
  id: "ses_019aa6f6-9d3e-7b41-8a20-6c5f7e8d9a0b",
  role: "editor",
  actor,
  agent: "Mozilla/5.0",
  current: true,
  created_at: EARLIER,
  last_used_at: NOW,
  expires_at: NOW + 30 * 86_400,
}
const challenge: Fields = {
  challenge: "q2Wm7c0yS3l1vQn8Xr5tBw",
  rpId: "leads.example.com",
  userVerification: "preferred",
}
const member: Fields = {
  id: MEMBER_ID,
  name: "Ada Lovelace",
  role: "editor",
  created_at: EARLIER,
  joined_at: NOW,
  invite_expires_at: null,
  passkeys: 1,
  has_password: false,
}
const invited: Fields = {
  ...member,
  joined_at: null,
  invite_expires_at: EARLIER + 7 * 86_400,
  passkeys: 0,
  invite: INVITE,
  invite_url: `https://leads.example.com/app/join#${INVITE}`,
}

const change: Fields = {
  id: "019aa6f7-10ad-7b63-8e5f-d47c2a9b0e18",
  lead_id: ID,
  user_id: "acc_019aa6f0-5512-7c0f-a9d1-3e6b84f27a05",
  actor_id: "key_019aa6f6-3c58-7d07-b2a4-91e6f0d8c375",
  action: "updated",
  before: lead,
  after: qualified,
  reason: null,
  created_at: NOW,
}

const BATCH = "019aa6f7-10ad-7000-8e5f-d4700c2a9b0e"
/** The same as differences, with what it belongs to. */
const feedChange: Fields = {
  id: change.id!,
  lead_id: ID,
  user_id: change.user_id!,
  actor_id: change.actor_id!,
  action: "updated",
  reason: null,
  created_at: NOW,
  diff: { status: ["new", "qualified"], updated_at: [NOW - 60, NOW] },
  key_id: change.actor_id!,
  batch_id: BATCH,
  import_id: null,
}

const job: Fields = {
  id: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24",
  kind: "revert",
  state: "running",
  done: 12_400,
  of: 48_210,
  failed: 0,
  errors: [],
  batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
  started_at: NOW,
  ended_at: null,
}

const ids = [ID, OTHER]
const someFailed: Fields = {
  results: [
    { index: 0, id: ID, success: true },
    { index: 1, id: OTHER, success: false, message: "Lead not found" },
  ],
  total: 2,
  success: 1,
  failed: 1,
  batch_id: BATCH,
}
const allDone: Fields = {
  results: ids.map((id, index) => ({ index, id, success: true })),
  total: 2,
  success: 2,
  failed: 0,
  batch_id: BATCH,
}
const one = { index: 0, id: ID, created_at: NOW }

const IMPORT = "imp_019aa6f8-33d0-7003-9c1e-2b7d4f5a6c80"

/** A dry run. */
const importReport = {
  id: null,
  dry_run: true,
  format: "csv",
  preset: null,
  mapping: null,
  sheet: null,
  decimal: "dot",
  total: 2,
  created: 0,
  merged: 1,
  merged_by: { email: 1, source_id: 0, phone: 0 },
  skipped: 0,
  potential_duplicates: 0,
  rejected: 1,
  errors: [
    {
      line: 3,
      message:
        "name is required: no column of the row has one, nor a company, a website, an email or a phone",
    },
  ],
  errors_truncated: false,
  warnings: [],
  warnings_truncated: false,
  columns: [
    { column: "Company", target: "name", example: "Trattoria Da Nino", filled: 1 },
    { column: "E-Mail", target: "email", example: "nino@example.com", filled: 1 },
    { column: "City", target: "city", example: "Berlin", filled: 2 },
    { column: "Seats", target: "attr:Seats:number", example: "40", filled: 1 },
    { column: "Rating", target: "attr:Rating:text", example: "great", filled: 1 },
  ],
  preview: [
    {
      name: "Trattoria Da Nino",
      source: "fair",
      email: "nino@example.com",
      city: "Berlin",
      attributes: [
        { name: "Seats", type: "number", value: 40 },
        { name: "Rating", type: "text", value: "great" },
      ],
    },
  ],
  merges: [{ line: 2, id: "cl_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3", name: "Nino", by: "email" }],
  summary: {
    rows: 2,
    created: 0,
    merged: 1,
    skipped: 0,
    rejected: 1,
    without_room: 0,
    warnings: {},
    room: null,
  },
}

const importRecord = {
  id: IMPORT,
  name: "fair.csv",
  file_name: "fair.csv",
  state: "done",
  actor_id: "key_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3",
  key_id: "key_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3",
  preset: null,
  created: 0,
  merged: 1,
  skipped: 0,
  rejected: 1,
  warnings: 0,
  progress: { done: 2, of: 2, rate: 900, seconds_left: 0 },
  job: null,
  undo_job: null,
  error: null,
  created_at: NOW,
  ended_at: NOW,
  undone_at: null,
}

const mapping = { name: "fair", options: { map: ["Firm:name"] }, created_at: NOW, used_at: NOW }

export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...DUPLICATE_EXAMPLES,
  merge_leads: {
    body: { survivor: ID, losers: [OTHER], fields: { phone: OTHER }, dry_run: true },
    answers: {
      200: {
        merge_id: MERGE_ID,
        survivor: lead,
        losers: [OTHER],
        changed: ["phone"],
        aliases: [{ field: "source_id", value: "fair-17" }],
        notes: 1,
      },
    },
  },
  undo_merge: {
    answers: { 200: { merge_id: MERGE_ID, survivor: lead, losers: [{ ...lead, id: OTHER }], kept: [] } },
  },
  list_leads: { answers: { 200: { leads: [lead], next_cursor: null, has_more: false, count: 1 } } },
  export_leads: { answers: { 200: [lead] }, text: exported },
  download_export: { answers: { 200: [lead] }, text: exported },
  import_leads: {
    body: "Company,E-Mail,City,Seats,Rating\nTrattoria Da Nino,nino@example.com,Berlin,40,great\n,,Berlin,,\n",
    answers: {
      200: importReport,
      202: {
        id: IMPORT,
        job: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24",
        name: "fair.csv",
        preset: null,
        columns: [{ column: "Company", target: "name", example: "Trattoria Da Nino", filled: 0 }],
        room: null,
      },
    },
  },
  list_imports: { answers: { 200: { imports: [importRecord], count: 1 } } },
  get_import: {
    answers: { 200: { ...importRecord, report: { ...importReport, id: IMPORT, dry_run: false } } },
  },
  undo_import: {
    answers: {
      200: {
        matched: 2,
        reverted: 1,
        skipped: [{ lead_id: OTHER, message: "It was updated since, by anna: left alone without force" }],
        batch_id: BATCH,
      },
      202: { job: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24", matched: 48_210, batch_id: BATCH },
    },
  },
  list_import_mappings: { answers: { 200: [mapping] } },
  get_import_mapping: { answers: { 200: mapping } },
  create_import_mapping: { body: { name: "fair", map: ["Firm:name"] }, answers: { 201: mapping } },
  update_import_mapping: { body: { map: ["Firm:name"] }, answers: { 200: mapping } },
  get_lead: { answers: { 200: lead } },
  create_lead: {
    body: pushed,
    answers: {
      201: { ...created, message: "Lead created" },
      200: { ...lead, message: "Duplicate by email: merged into the existing lead", duplicate: true },
    },
  },
  upsert_lead_by_email: { body: pushed, answers: { 200: qualified, 201: created } },
  upsert_lead_by_source_id: { body: pushed, answers: { 200: qualified, 201: created } },
  update_lead: { body: { status: "qualified" }, answers: { 200: qualified } },
  list_changes: { answers: { 200: { changes: [change], count: 1 } } },
  revert_changes: {
    body: { batch_id: BATCH, expect: 2 },
    answers: {
      200: {
        matched: 2,
        reverted: 1,
        skipped: [{ lead_id: OTHER, message: "It was updated since, by anna: left alone without force" }],
        batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
      },
      202: {
        job: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24",
        matched: 48_210,
        batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
      },
    },
  },
  get_job: { answers: { 200: job } },
  stop_job: { answers: { 200: { ...job, state: "stopped", ended_at: NOW + 9 } } },
  list_account_changes: {
    answers: {
      200: { changes: [feedChange], next_cursor: "aBcD012345678901WzAsImE3Il0", has_more: false, count: 1 },
    },
  },
  batch_create_leads: {
    body: { leads: [pushed, { name: "Ada Lovelace", source: "webform" }] },
    answers: {
      201: {
        created: [{ ...one, duplicate: true }],
        errors: [],
        total: 1,
        success: 1,
        failed: 0,
        batch_id: BATCH,
      },
      207: {
        created: [one],
        errors: [{ index: 1, message: "Duplicate source_id" }],
        total: 2,
        success: 1,
        failed: 1,
        batch_id: BATCH,
      },
    },
  },
  batch_update_leads: {
    body: { ids, data: { status: "contacted" } },
    answers: { 200: allDone, 207: someFailed },
  },
  batch_delete_leads: { body: { ids }, answers: { 200: allDone, 207: someFailed } },
  bulk_leads: {
    body: { filter: ["and.lt.score.20"], action: "update", data: { status: "disqualified" }, expect: 2 },
    answers: {
      200: { matched: 2, success: 2, failed: 0, errors: [], batch_id: BATCH },
      202: { job: "job_019aa6f5-0d3e-7a21-8b47-3c5e9f1a6d20", matched: 3_918, batch_id: BATCH },
    },
  },
  create_note: { body: { content: "Wants a call back on Monday" }, answers: { 201: note } },
  list_notes: { answers: { 200: [note] } },
  update_note: { body: { content: "Wants a call back on Monday" }, answers: { 200: note } },
  create_attribute: { body: { name: "seats", type: "number", value: 40 }, answers: { 201: attribute } },
  list_attributes: { answers: { 200: [attribute] } },
  update_attribute: { body: { value: 45 }, answers: { 200: { ...attribute, value: 45 } } },
  list_segments: { answers: { 200: [segment] } },
  create_segment: {
    body: { name: "Warm in Berlin", filter: segment.filter ?? [], sort_by: "score", sort_order: "DESC" },
    answers: { 201: segment },
  },
  get_segment: { answers: { 200: segment } },
  update_segment: { body: { name: "Warm" }, answers: { 200: { ...segment, name: "Warm" } } },
  list_scoring_rules: { answers: { 200: [rule] } },
  create_scoring_rule: {
    body: { name: "well rated", expression: "rating >= 4.5 ? 60 : rating * 5" },
    answers: { 201: rule },
  },
  get_scoring_rule: { answers: { 200: rule } },
  update_scoring_rule: { body: { weight: 0.5 }, answers: { 200: { ...rule, weight: 0.5, updated_at: NOW } } },
  preview_scoring_rule: {
    body: { expression: "rating * 10", lead: { rating: 4.6 } },
    answers: { 200: { valid: true, value: 46 } },
  },
  update_lead_score: { answers: { 200: { id: ID, score: 60 } } },
  update_all_scores: {
    answers: {
      200: { count: 212, changed: 17 },
      202: { job: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24", of: 212 },
    },
  },
  list_webhooks: { answers: { 200: [webhook] } },
  create_webhook: {
    body: {
      url: "https://crm.example.com/leaddb",
      events: ["lead.created", "lead.updated"],
      secret: "between us",
    },
    answers: { 201: webhook },
  },
  get_webhook: { answers: { 200: webhook } },
  update_webhook: {
    body: { active: false },
    answers: { 200: { ...webhook, active: false, updated_at: NOW } },
  },
  test_webhook: { answers: { 202: { ...waiting, event: "webhook.test" } } },
  list_webhook_deliveries: {
    answers: { 200: { deliveries: [delivery], next_cursor: null, has_more: false, count: 1 } },
  },
  retry_webhook_delivery: { answers: { 202: waiting } },
  retry_webhook_deliveries: { body: { since: EARLIER }, answers: { 202: { retried: 3 } } },
  get_account: { answers: { 200: account } },
  update_account: { body: { default_country: "DE" }, answers: { 200: account } },
  list_admin_log: {
    answers: { 200: { entries: [adminEntry], next_cursor: null, has_more: false, count: 1 } },
  },
  list_api_keys: { answers: { 200: [key] } },
  create_api_key: {
    body: { name: "Web form", role: "editor" },
    answers: { 201: { ...key, key: "ldb_9fK2..." } },
  },
  list_attribute_catalogue: {
    answers: {
      200: [
        { name: "seats", type: "number", leads: 2, min: 12, max: 40 },
        { name: "chain", type: "text", leads: 1, values: [{ value: "Nord", count: 1 }] },
      ],
    },
  },
  aggregate_leads: {
    answers: {
      200: {
        groups: [
          { city: "Berlin", count: 2, "avg:rating": 4.4 },
          { city: null, count: 1, "avg:rating": null },
        ],
        other: null,
        total: 3,
      },
    },
  },
  explain_lead_score: {
    answers: {
      200: {
        id: ID,
        score: 60,
        rules: [{ id: RULE_ID, name: "well rated", value: 60, weight: 1, contribution: 60 }],
      },
    },
  },
  create_session: { body: { code: "7KQM2XVP9RTWC4HJ3FAS6GDEB8NZY5T0" }, answers: { 201: session } },
  create_passkey_challenge: { body: {}, answers: { 200: challenge } },
  get_session: { answers: { 200: session } },
  list_sessions: { answers: { 200: [listedSession] } },
  list_members: { answers: { 200: [member] } },
  invite_member: { body: { name: "Ada Lovelace", role: "editor" }, answers: { 201: invited } },
  update_member: { body: { role: "viewer" }, answers: { 200: { ...member, role: "viewer" } } },
  reinvite_member: { answers: { 201: invited } },
  read_invite: {
    body: { invite: INVITE },
    answers: { 200: { name: "Ada Lovelace", role: "editor", account: "Acme", passkey: null } },
  },
  accept_invite: {
    body: { invite: INVITE, password: "a long sentence is best" },
    answers: { 201: session },
  },
  get_stats: {
    answers: {
      200: {
        total_leads: 2,
        by_status: { new: 1, contacted: 0, qualified: 1, disqualified: 0, converted: 0 },
        by_source: { google_maps: 2 },
        score: { average: 41, min: 22, max: 60, hot: 0, warm: 1, cold: 1 },
        with_email: 2,
        with_phone: 0,
        created_last_7_days: 2,
        created_last_30_days: 2,
        plan: {
          name: "free",
          leads_limit: 100,
          leads_used: 2,
          storage_limit: 50_000_000,
          storage_used: 1_840,
        },
      },
    },
  },
  list_categories: { answers: { 200: [{ category: "restaurant", count: 2 }] } },
  list_cities: { answers: { 200: [{ city: "Berlin", count: 2 }] } },
}

const testData: Fields = { message: "This is a test event from leaddb", webhook_id: WEBHOOK_ID }

const merged: Fields = { merge_id: MERGE_ID, survivor: lead, losers: [OTHER] }

const moved: Fields = {
  segment: { id: segment.id ?? null, name: segment.name ?? null },
  ids: [ID],
  count: 1,
  lead,
}

/** The body of an event. */
export function eventExample(event: string): Json {
  if (event === "webhook.test") return { event, timestamp: NOW, data: testData }
  if (event === "lead.merged") return { event, timestamp: NOW, data: { ...merged, changed: ["phone"] } }
  if (event === "lead.unmerged") return { event, timestamp: NOW, data: { ...merged, kept: [] } }
  if (event.startsWith("segment.")) return { event, timestamp: NOW, data: moved }
  const data: Json = event.startsWith("note.")
    ? note
    : event === "leads.scored"
      ? { leads: [{ id: ID, score: 60 }], count: 1 }
      : event.startsWith("leads.")
        ? { ids, count: ids.length }
        : lead
  return { event, timestamp: NOW, data }
}
