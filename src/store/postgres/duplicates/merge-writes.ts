import type { DuplicateWrites } from "../../contract/duplicates.ts"
import { noteAliases } from "../leads/known.ts"
import type { Tx } from "../writes/transaction.ts"
import { lowFirst } from "./pairs.ts"
import { DECIDE, DECIDED, DISMISS } from "./statements.ts"

type MergeWrites = Pick<
  DuplicateWrites,
  "addMerge" | "dismissLeads" | "endMerge" | "mergePairs" | "partPairs" | "addAliases" | "dropAliases"
>

const ADD_PAIR = `INSERT INTO duplicate_pairs (account_id, a, b, probability, reasons, evidence, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`

const MERGE_PAIR = `UPDATE duplicate_pairs SET state = 2, a = $2, b = $3, merge_rid = $4
  WHERE account_id = $1 AND a = least($2::bigint, $3::bigint) AND b = greatest($2::bigint, $3::bigint) AND state < 2
  RETURNING rid`

const CARRY = `INSERT INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
  SELECT $1::bigint, least(o.other, $3 COLLATE "C"), greatest(o.other, $3 COLLATE "C"), $4::bigint, $5::bigint FROM (
    SELECT high AS other FROM duplicate_dismissals WHERE account_id = $1 AND low = $2
    UNION SELECT low FROM duplicate_dismissals WHERE account_id = $1 AND high = $2
  ) o WHERE o.other <> $3 ON CONFLICT DO NOTHING`

/** Open pairs of a lead that are dismissed, and the other way round. */
const SETTLE = `UPDATE duplicate_pairs p SET state = CASE WHEN EXISTS (
    SELECT 1 FROM duplicate_dismissals d, leads x, leads y
    WHERE x.account_id = $1 AND x.rid = p.a AND y.account_id = $1 AND y.rid = p.b
      AND d.account_id = $1 AND d.low = least(x.id, y.id) AND d.high = greatest(x.id, y.id)) THEN 1 ELSE 0 END
  WHERE p.account_id = $1 AND (p.a = $2 OR p.b = $2) AND p.state < 2`

const PART_PAIR = `UPDATE duplicate_pairs SET state = 1, a = least($2::bigint, $3::bigint),
    b = greatest($2::bigint, $3::bigint), merge_rid = NULL
  WHERE account_id = $1 AND merge_rid = $4 AND b = $5 RETURNING rid`

export function mergeWrites(tx: Tx): MergeWrites {
  return {
    async addMerge(account, { id, survivor_id, data, created_at }) {
      await tx.account(account)
      const row = await tx.get<{ rid: number }>(
        `INSERT INTO merges (account_id, id, survivor_id, data, created_at) VALUES ($1, $2, $3, $4, $5)
         RETURNING rid`,
        [account, id, survivor_id, JSON.stringify(data), created_at],
      )
      return row!.rid
    },
    async endMerge(account, merge, at) {
      await tx.account(account)
      tx.later("UPDATE merges SET undone_at = $3 WHERE account_id = $1 AND rid = $2", [account, merge, at])
    },
    async mergePairs(account, merge, pairs, { at, isDecision }) {
      await tx.account(account)
      for (const { survivor, loser, probability, reasons, evidence } of pairs) {
        const [a, b] = [Math.min(survivor.ref, loser.ref), Math.max(survivor.ref, loser.ref)]
        const texts = [JSON.stringify(reasons.map(Object.values)), JSON.stringify(evidence)] as const
        tx.later(ADD_PAIR, [account, a, b, probability, ...texts, at])
        const row = await tx.get<{ rid: number }>(MERGE_PAIR, [account, survivor.ref, loser.ref, merge])
        if (isDecision) tx.later(DECIDE, [account, row!.rid, 1, at])
        tx.later(CARRY, [account, loser.id, survivor.id, merge, at])
      }
      if (isDecision) tx.later(DECIDED, [account])
      for (const { survivor } of pairs.slice(0, 1)) tx.later(SETTLE, [account, survivor.ref])
    },
    async dismissLeads(account, one, other, at) {
      await tx.account(account)
      tx.later(DISMISS, [account, ...lowFirst(one, other), at])
    },
    async partPairs(account, merge, pairs, at) {
      await tx.account(account)
      if (merge > 0)
        tx.later("DELETE FROM duplicate_dismissals WHERE account_id = $1 AND merge_rid = $2", [
          account,
          merge,
        ])
      for (const { survivor, loser, was } of pairs) {
        tx.later(DISMISS, [account, ...lowFirst(survivor.id, loser.id), at])
        tx.later("DELETE FROM duplicate_pairs WHERE account_id = $1 AND a = $2 AND b = $3 AND state < 2", [
          account,
          Math.min(survivor.ref, loser.ref),
          Math.max(survivor.ref, loser.ref),
        ])
        const pair = await tx.get<{ rid: number }>(PART_PAIR, [account, survivor.ref, loser.ref, merge, was])
        if (pair) tx.later(DECIDE, [account, pair.rid, 0, at])
      }
      tx.later(DECIDED, [account])
      for (const { survivor } of pairs.slice(0, 1)) tx.later(SETTLE, [account, survivor.ref])
    },
    async addAliases(account, lead, aliases) {
      noteAliases(await tx.account(account), aliases)
      for (const { kind, value } of aliases) {
        tx.later(
          `INSERT INTO lead_aliases (account_id, kind, value, rid) VALUES ($1, $2, $3, $4)
           ON CONFLICT (account_id, kind, md5(value)) DO UPDATE SET rid = excluded.rid`,
          [account, kind, value, lead],
        )
      }
    },
    async dropAliases(account, lead, aliases) {
      noteAliases(await tx.account(account), aliases)
      for (const { kind, value } of aliases) {
        tx.later("DELETE FROM lead_aliases WHERE account_id = $1 AND kind = $2 AND value = $3 AND rid = $4", [
          account,
          kind,
          value,
          lead,
        ])
      }
    },
  }
}
