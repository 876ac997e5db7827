// Pairs of leads that may be the same, what finds them, and merges.
import { integer, real } from "drizzle-orm/sqlite-core"
import { account, owned, ownedWithId, tables, text } from "./columns.ts"

export const DUPLICATES = tables({
  duplicate_pairs: {
    ...owned(),
    a: integer().notNull(),
    b: integer().notNull(),
    state: integer().notNull(),
    probability: real().notNull(),
    reasons: text("merge").notNull(),
    evidence: text("merge").notNull(),
    merge_rid: integer(),
    created_at: integer().notNull(),
    asked: integer().notNull(),
  },
  duplicate_dismissals: {
    account_id: account(),
    low: text("none").primaryKey(),
    high: text("none").primaryKey(),
    merge_rid: integer().primaryKey(),
    created_at: integer().notNull(),
  },
  duplicate_decisions: {
    ...owned(),
    pair_rid: integer().notNull(),
    is_same: integer().notNull(),
    probability: real().notNull(),
    evidence: text("none").notNull(),
    created_at: integer().notNull(),
  },
  duplicate_accounts: {
    account_id: account(),
    auto_merge_above: real(),
    learning: integer().notNull(),
    weights: text("none"),
    loss: text("none"),
    decided: integer().notNull(),
    learned: integer().notNull(),
    pass: text("none"),
    pass_place: text("none"),
    pass_to: integer().notNull(),
    pass_left: integer().notNull(),
    compared: integer().notNull(),
    index_version: integer().notNull(),
  },
  merges: {
    ...ownedWithId(),
    survivor_id: text("none").notNull(),
    data: text("merge").notNull(),
    created_at: integer().notNull(),
    undone_at: integer(),
  },
})
