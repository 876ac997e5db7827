// The tables whose queries are built with drizzle. The leads' own tables, the audit trail and the outbox are on
// every write's path and use prepared SQL instead (10 us against 7 us a statement); drizzle/*.sql creates them all.
import { blob, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { Role } from "../../core/access.ts"
import type { KeyKind } from "../contract/store.ts"

export const accounts = sqliteTable("accounts", {
  key: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  plan: text().notNull(),
  leads_limit: integer(),
  requests_limit: integer(),
  batch_limit: integer(),
  storage_limit: integer(),
  stored_bytes: integer().notNull().default(0),
  lead_count: integer().notNull().default(0),
  rules_revision: integer().notNull().default(0),
  segments_heard: integer().notNull().default(0),
  scoring_lease: text(),
  scoring_leased_until: integer(),
  trail_head: integer().notNull().default(0),
  trail_floor: integer().notNull().default(0),
  changes_keep: integer(),
  default_country: text(),
  phones_from: text(),
  created_at: integer().notNull(),
})

export const apiKeys = sqliteTable("api_keys", {
  rid: integer().primaryKey(),
  account_id: integer().notNull(),
  id: text().notNull(),
  hash: blob().$type<Uint8Array>().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  role: text().$type<Role>().notNull(),
  kind: text().$type<KeyKind>().notNull().default("key"),
  issued_by: text(),
  created_at: integer().notNull(),
  last_used_at: integer(),
  expires_at: integer(),
})

export const notes = sqliteTable("notes", {
  rid: integer().primaryKey(),
  account_id: integer().notNull(),
  id: text().notNull(),
  lead_rid: integer().notNull(),
  lead_id: text().notNull(),
  content: text().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const scoringRules = sqliteTable("scoring_rules", {
  rid: integer().primaryKey(),
  account_id: integer().notNull(),
  id: text().notNull(),
  name: text().notNull(),
  expression: text().notNull(),
  weight: real().notNull(),
  priority: integer().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const segments = sqliteTable("segments", {
  rid: integer().primaryKey(),
  account_id: integer().notNull(),
  id: text().notNull(),
  name: text().notNull(),
  filter: text({ mode: "json" }).$type<string[]>().notNull(),
  q: text(),
  sort_by: text(),
  sort_order: text(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
