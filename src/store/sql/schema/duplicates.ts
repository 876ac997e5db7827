// Pairs of leads that may be the same, what finds them, and merges.
import { integer, real, text } from "drizzle-orm/sqlite-core"
import { account, owned, ownedWithId, tables } from "./columns.ts"

export const DUPLICATES = tables({
  duplicate_pairs: {
    ...owned(),
    a: integer().notNull(),
    b: integer().notNull(),
    state: integer().notNull(),
    probability: real().notNull(),
    reasons: text().notNull(),
    evidence: text().notNull(),
    merge_rid: integer(),
    created_at: integer().notNull(),
    asked: integer().notNull(),
  },
  duplicate_dismissals: {
    account_id: account(),
    low: text().primaryKey(),
    high: text().primaryKey(),
    merge_rid: integer().primaryKey(),
    created_at: integer().notNull(),
  },
  duplicate_decisions: {
    ...owned(),
    pair_rid: integer().notNull(),
    is_same: integer().notNull(),
    probability: real().notNull(),
    evidence: text().notNull(),
    created_at: integer().notNull(),
  },
  duplicate_accounts: {
    account_id: account(),
    auto_merge_above: real(),
    learning: integer().notNull(),
    weights: text(),
    loss: text(),
    decided: integer().notNull(),
    learned: integer().notNull(),
    pass: text(),
    pass_place: text(),
    pass_to: integer().notNull(),
    pass_left: integer().notNull(),
    compared: integer().notNull(),
    index_version: integer().notNull(),
  },
  merges: {
    ...ownedWithId(),
    survivor_id: text().notNull(),
    data: text().notNull(),
    created_at: integer().notNull(),
    undone_at: integer(),
  },
})
