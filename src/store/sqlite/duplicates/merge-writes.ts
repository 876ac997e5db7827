import type { Database } from "bun:sqlite"
import type { DuplicateWrites } from "../../contract/duplicates.ts"
import { prepare } from "../file/database.ts"

type MergeWrites = Pick<
  DuplicateWrites,
  "addMerge" | "dismissLeads" | "endMerge" | "mergePairs" | "partPairs" | "addAliases" | "dropAliases"
>

export function mergeWrites(db: Database): MergeWrites {
  const addMerge = prepare(
    db,
    "INSERT INTO merges (account_id, id, survivor_id, data, created_at) VALUES (?, ?, ?, ?, ?)",
  )
  const endMerge = prepare(db, "UPDATE merges SET undone_at = ? WHERE account_id = ? AND rid = ?")
  const addPair = prepare(
    db,
    `INSERT OR IGNORE INTO duplicate_pairs (account_id, a, b, probability, reasons, evidence, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const mergePair = prepare<{ rid: number }>(
    db,
    `UPDATE duplicate_pairs INDEXED BY duplicate_pairs_leads SET state = 2, a = ?1, b = ?2, merge_rid = ?3
     WHERE account_id = ?4 AND a = min(?1, ?2) AND b = max(?1, ?2) AND state < 2 RETURNING rid`,
  )
  const decide = prepare(
    db,
    `INSERT INTO duplicate_decisions (account_id, pair_rid, is_same, probability, evidence, created_at)
     SELECT account_id, rid, ?, probability, evidence, ? FROM duplicate_pairs WHERE account_id = ? AND rid = ?
     ON CONFLICT DO UPDATE SET is_same = excluded.is_same, created_at = excluded.created_at`,
  )
  const decided = prepare(
    db,
    `INSERT INTO duplicate_accounts (account_id, decided) VALUES (?, 1)
     ON CONFLICT DO UPDATE SET decided = decided + 1`,
  )
  const carry = prepare(
    db,
    `INSERT OR IGNORE INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
     SELECT account_id, min(other, ?3), max(other, ?3), ?4, ?5 FROM (
       SELECT account_id, high AS other FROM duplicate_dismissals WHERE account_id = ?1 AND low = ?2
       UNION SELECT account_id, low FROM duplicate_dismissals WHERE account_id = ?1 AND high = ?2
     ) WHERE other <> ?3`,
  )
  /** Open pairs of a lead that are dismissed, and the other way round. */
  const settle = prepare(
    db,
    `UPDATE duplicate_pairs SET state = EXISTS (
       SELECT 1 FROM duplicate_dismissals d, leads x, leads y
       WHERE x.rid = duplicate_pairs.a AND x.account_id = duplicate_pairs.account_id
         AND y.rid = duplicate_pairs.b AND y.account_id = duplicate_pairs.account_id
         AND d.account_id = duplicate_pairs.account_id AND d.low = min(x.id, y.id) AND d.high = max(x.id, y.id))
     WHERE rid IN (SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_leads WHERE account_id = ?1 AND a = ?2 AND state < 2
       UNION ALL SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_b WHERE account_id = ?1 AND b = ?2 AND state < 2)`,
  )
  const dropCarried = prepare(
    db,
    "DELETE FROM duplicate_dismissals WHERE account_id = ? AND merge_rid = ? AND merge_rid > 0",
  )
  const dismiss = prepare(
    db,
    `INSERT OR IGNORE INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
     VALUES (?1, min(?2, ?3), max(?2, ?3), 0, ?4)`,
  )
  const partPair = prepare<{ rid: number }>(
    db,
    `UPDATE duplicate_pairs SET state = 1, a = min(?1, ?2), b = max(?1, ?2), merge_rid = NULL
     WHERE account_id = ?5 AND merge_rid = ?3 AND b = ?4 RETURNING rid`,
  )
  const dropPair = prepare(
    db,
    `DELETE FROM duplicate_pairs INDEXED BY duplicate_pairs_leads
     WHERE account_id = ?1 AND a = min(?2, ?3) AND b = max(?2, ?3) AND state < 2`,
  )
  const setAlias = prepare(
    db,
    `INSERT INTO lead_aliases (account_id, kind, value, rid) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET rid = excluded.rid`,
  )
  const dropAlias = prepare(
    db,
    "DELETE FROM lead_aliases WHERE account_id = ? AND kind = ? AND value = ? AND rid = ?",
  )
  return {
    async addMerge(account, { id, survivor_id, data, created_at }) {
      return Number(addMerge.run(account, id, survivor_id, JSON.stringify(data), created_at).lastInsertRowid)
    },
    async endMerge(account, merge, at) {
      endMerge.run(at, account, merge)
    },
    async mergePairs(account, merge, pairs, { at, isDecision }) {
      for (const { survivor, loser, probability, reasons, evidence } of pairs) {
        const [a, b] = [Math.min(survivor.ref, loser.ref), Math.max(survivor.ref, loser.ref)]
        const texts = [JSON.stringify(reasons.map(Object.values)), JSON.stringify(evidence)] as const
        addPair.run(account, a, b, probability, ...texts, at)
        const { rid } = mergePair.get(survivor.ref, loser.ref, merge, account)!
        if (isDecision) decide.run(1, at, account, rid)
        carry.run(account, loser.id, survivor.id, merge, at)
      }
      if (isDecision) decided.run(account)
      for (const { survivor } of pairs.slice(0, 1)) settle.run(account, survivor.ref)
    },
    async dismissLeads(account, one, other, at) {
      dismiss.run(account, one, other, at)
    },
    async partPairs(account, merge, pairs, at) {
      dropCarried.run(account, merge)
      for (const { survivor, loser, was } of pairs) {
        dismiss.run(account, survivor.id, loser.id, at)
        dropPair.run(account, survivor.ref, loser.ref)
        const pair = partPair.get(survivor.ref, loser.ref, merge, was, account)
        if (pair) decide.run(0, at, account, pair.rid)
      }
      decided.run(account)
      for (const { survivor } of pairs.slice(0, 1)) settle.run(account, survivor.ref)
    },
    async addAliases(account, lead, aliases) {
      for (const { kind, value } of aliases) setAlias.run(account, kind, value, lead)
    },
    async dropAliases(account, lead, aliases) {
      for (const { kind, value } of aliases) dropAlias.run(account, kind, value, lead)
    },
  }
}
