// Leads with what is searched and sorted by, what belongs to them, and the trail of their changes.
import { integer, real, text } from "drizzle-orm/sqlite-core"
import { type AttributeType, DATA_NUMBER_FIELDS, DATA_TIME_FIELDS } from "../../../core/lead.ts"
import { LEAD_FIELDS, type LeadField } from "../../../core/lead-fields.ts"
import type { SuppressionKind } from "../../../core/suppression-keys.ts"
import { account, bool, bytes, changed, ownedWithId, tables } from "./columns.ts"
import { COLUMNS } from "./lead-columns.ts"

const FIELDS: Readonly<Record<string, LeadField | undefined>> = LEAD_FIELDS
const NUMBERS: ReadonlySet<string> = new Set([...DATA_NUMBER_FIELDS, ...DATA_TIME_FIELDS])

/** A lead's fields as they are searched and sorted by, from the table of fields. */
function searched() {
  const columns = COLUMNS.map((name) => {
    const column = NUMBERS.has(name) ? real() : text()
    return [name, FIELDS[name] && !FIELDS[name].nullable ? column.notNull() : column] as const
  })
  return Object.fromEntries(columns)
}

export const LEADS = tables({
  scoring_rules: {
    ...ownedWithId(),
    name: text().notNull(),
    expression: text().notNull(),
    weight: real().notNull(),
    priority: integer().notNull(),
    ...changed(),
  },
  attribute_definitions: {
    account_id: account(),
    name: text().primaryKey(),
    type: text().$type<AttributeType>().notNull(),
    options: text(),
    required: bool().notNull(),
    unit: text(),
    position: integer(),
    description: text(),
    ...changed(),
  },
  segments: {
    ...ownedWithId(),
    name: text().notNull(),
    filter: text().notNull(),
    q: text(),
    sort_by: text(),
    sort_order: text(),
    enrich: integer().notNull(),
    ...changed(),
  },
  links: {
    ...ownedWithId(),
    hash: bytes().notNull(),
    segment: text().notNull(),
    fields: text().notNull(),
    password: text(),
    actor_id: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer(),
  },
  enrichment_queue: { account_id: account(), lead: text().primaryKey() },
  segment_moves: {
    account_id: account(),
    segment: text().primaryKey(),
    lead: text().primaryKey(),
    entered: bool().notNull(),
  },
  suppressions: {
    account_id: account(),
    id: text().notNull(),
    kind: text().$type<SuppressionKind>().notNull(),
    value: text().notNull(),
    key: text().primaryKey(),
    reason: text(),
    created_at: integer().notNull(),
  },
  notes: {
    ...ownedWithId(),
    lead_rid: integer().notNull(),
    lead_id: text().notNull(),
    content: text().notNull(),
    ...changed(),
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
    origins: text(),
    enrich_told_at: real(),
    tags: integer().notNull(),
    shape: integer().notNull(),
    data: text().notNull(),
  },
  lead_scores: {
    account_id: account(),
    rid: integer().primaryKey(),
    score: real().notNull(),
    version: integer().notNull(),
    activity: text(),
  },
  lead_tags: {
    account_id: account(),
    tag: text().primaryKey(),
    rid: integer().primaryKey(),
  },
  lead_attributes: {
    account_id: account(),
    name: text().primaryKey(),
    rid: integer().primaryKey(),
    item: integer().primaryKey(),
    type: text().notNull(),
    text: text(),
    number: real(),
  },
  lead_contacts: {
    account_id: account(),
    rid: integer().primaryKey(),
    kind: text().primaryKey(),
    item: integer().primaryKey(),
    text: text().notNull(),
    key: text(),
    number: text(),
  },
  lead_aliases: {
    account_id: account(),
    kind: text().primaryKey(),
    value: text().primaryKey(),
    rid: integer().notNull(),
  },
  trail: {
    account_id: account(),
    seq: integer().primaryKey(),
    id: text(),
    lead_id: text().notNull(),
    action: text().notNull(),
    reason: text(),
    actor_id: text().notNull(),
    key_id: text(),
    batch_id: text(),
    import_id: text(),
    created_at: integer().notNull(),
    facts: text(),
    score_before: real(),
    score_after: real(),
    pushed: text(),
    state: text(),
    notes: text(),
  },
})
