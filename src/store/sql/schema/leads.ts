// Leads with what is searched and sorted by, what belongs to them, and the trail of their changes.
import { integer, real } from "drizzle-orm/sqlite-core"
import { type AttributeType, DATA_NUMBER_FIELDS, DATA_TIME_FIELDS, type Status } from "../../../lead/lead.ts"
import { LEAD_FIELDS, type LeadField } from "../../../lead/lead-fields.ts"
import type { SuppressionKind } from "../../../lead/suppression-keys.ts"
import { account, bool, bytes, changed, ownedWithId, tables, text } from "./columns.ts"
import { COLUMNS } from "./lead-rows.ts"

const FIELDS: Readonly<Record<string, LeadField | undefined>> = LEAD_FIELDS
const NUMBERS: ReadonlySet<string> = new Set([...DATA_NUMBER_FIELDS, ...DATA_TIME_FIELDS])

/** A lead's fields as they are searched and sorted by, from the table of fields. */
function searched() {
  const columns = COLUMNS.map((name) => {
    const column = NUMBERS.has(name) ? real() : text(name === "id" ? "none" : "lead")
    return [name, FIELDS[name] && !FIELDS[name].nullable ? column.notNull() : column] as const
  })
  return Object.fromEntries(columns)
}

export const LEADS = tables({
  scoring_rules: {
    ...ownedWithId(),
    name: text("members").notNull(),
    expression: text("members").notNull(),
    weight: real().notNull(),
    priority: integer().notNull(),
    ...changed(),
  },
  attribute_definitions: {
    account_id: account(),
    name: text("members").primaryKey(),
    type: text("none").$type<AttributeType>().notNull(),
    options: text("members"),
    required: bool().notNull(),
    unit: text("members"),
    position: integer(),
    description: text("members"),
    ...changed(),
  },
  stages: {
    account_id: account(),
    id: text("none").primaryKey(),
    name: text("members").notNull(),
    status: text("none").$type<Status>().notNull(),
    color: text("none").notNull(),
    position: integer().notNull(),
    removed: bool().notNull(),
  },
  company_merges: {
    account_id: account(),
    id: text("none").primaryKey(),
    into_id: text("none").notNull(),
  },
  segments: {
    ...ownedWithId(),
    name: text("members").notNull(),
    filter: text("members").notNull(),
    q: text("members"),
    sort_by: text("none"),
    sort_order: text("none"),
    enrich: integer().notNull(),
    ...changed(),
  },
  links: {
    ...ownedWithId(),
    hash: bytes("none").notNull(),
    segment: text("members").notNull(),
    fields: text("members").notNull(),
    password: text("none"),
    actor_id: text("none").notNull(),
    made_by: text("none"),
    created_at: integer().notNull(),
    expires_at: integer(),
  },
  enrichment_queue: { account_id: account(), lead: text("none").primaryKey() },
  segment_moves: {
    account_id: account(),
    segment: text("none").primaryKey(),
    lead: text("none").primaryKey(),
    entered: bool().notNull(),
  },
  suppressions: {
    account_id: account(),
    id: text("none").notNull(),
    kind: text("none").$type<SuppressionKind>().notNull(),
    value: text("entry").notNull(),
    key: text("entry").primaryKey(),
    reason: text("entry"),
    created_at: integer().notNull(),
  },
  notes: {
    ...ownedWithId(),
    lead_rid: integer().notNull(),
    lead_id: text("none").notNull(),
    content: text("lead").notNull(),
    ...changed(),
    author: text("members"),
  },
  activities: {
    ...ownedWithId(),
    lead_rid: integer().notNull(),
    lead_id: text("none").notNull(),
    kind: text("none").notNull(),
    outcome: text("none"),
    text: text("lead"),
    at: integer().notNull(),
    author: text("members").notNull(),
    member_id: text("none"),
    created_at: integer().notNull(),
  },
  leads: {
    account_id: account(),
    rid: integer().primaryKey(),
    ...searched(),
    last_note_at: real(),
    note_count: real().notNull(),
    last_contacted_at: real(),
    contacted_at: real(),
    due_told_at: real(),
    origins: text("lead"),
    enrich_told_at: real(),
    tags: integer().notNull(),
    shape: integer().notNull(),
    data: text("lead").notNull(),
  },
  lead_scores: {
    account_id: account(),
    rid: integer().primaryKey(),
    score: real().notNull(),
    version: integer().notNull(),
    activity: text("lead"),
  },
  lead_tags: {
    account_id: account(),
    tag: text("lead").primaryKey(),
    rid: integer().primaryKey(),
  },
  lead_attributes: {
    account_id: account(),
    name: text("lead").primaryKey(),
    rid: integer().primaryKey(),
    item: integer().primaryKey(),
    type: text("none").notNull(),
    text: text("lead"),
    number: real(),
  },
  lead_contacts: {
    account_id: account(),
    rid: integer().primaryKey(),
    kind: text("none").primaryKey(),
    item: integer().primaryKey(),
    text: text("lead").notNull(),
    key: text("lead"),
    number: text("lead"),
  },
  lead_aliases: {
    account_id: account(),
    kind: text("none").primaryKey(),
    value: text("lead").primaryKey(),
    rid: integer().notNull(),
  },
  trail: {
    account_id: account(),
    seq: integer().primaryKey(),
    id: text("none"),
    lead_id: text("none").notNull(),
    action: text("none").notNull(),
    reason: text("none"),
    actor_id: text("none").notNull(),
    key_id: text("none"),
    batch_id: text("none"),
    import_id: text("none"),
    created_at: integer().notNull(),
    facts: text("trail"),
    score_before: real(),
    score_after: real(),
    pushed: text("trail"),
    state: text("trail"),
    notes: text("trail"),
  },
})
