import type { DuplicateWrites, LeadRef } from "../../contract/duplicates.ts"
import type { WriteDb } from "../../sql/db.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { DECIDE, DECIDED, DISMISS, lowFirst, pairsOfLead } from "./statements.ts"

type MergeWrites = Pick<
  DuplicateWrites,
  | "addMerge"
  | "forgetMerges"
  | "dismissLeads"
  | "keepMerge"
  | "mergePairs"
  | "partPairs"
  | "addAliases"
  | "dropAliases"
>

const ADD_MERGE = `INSERT INTO merges (account_id, id, survivor_id, data, created_at) VALUES ($1, $2, $3, $4, $5)
  RETURNING rid`
const FORGET_MERGE = "DELETE FROM merges WHERE account_id = $1 AND rid = $2"
const FORGET_PAIRS = "DELETE FROM duplicate_pairs WHERE account_id = $1 AND merge_rid = $2"
const KEEP_MERGE = "UPDATE merges SET undone_at = $3, data = $4 WHERE account_id = $1 AND rid = $2"

const ADD_PAIR = `INSERT INTO duplicate_pairs (account_id, a, b, probability, reasons, evidence, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`

/** $2 and $3 find the pair, $4 becomes its survivor and $5 its loser. */
const mergePair = ({ hint }: Dialect) => `UPDATE duplicate_pairs ${hint("INDEXED BY duplicate_pairs_leads")}
  SET state = 2, a = $4, b = $5, merge_rid = $6 WHERE account_id = $1 AND a = $2 AND b = $3 AND state < 2 RETURNING rid`

const carry = ({
  least,
  greatest,
}: Dialect) => `INSERT INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
  SELECT $1::bigint, ${least("o.other", '$3 COLLATE "C"')}, ${greatest("o.other", '$3 COLLATE "C"')}, $4::bigint, $5::bigint
  FROM (
    SELECT high AS other FROM duplicate_dismissals WHERE account_id = $1 AND low = $2
    UNION SELECT low FROM duplicate_dismissals WHERE account_id = $1 AND high = $2
  ) o WHERE o.other <> $3 ON CONFLICT DO NOTHING`

/** Dismisses open pairs of a lead whose leads were said not to be the same, and opens the others. */
const settle = (dialect: Dialect) => `UPDATE duplicate_pairs SET state = CASE WHEN EXISTS (
    SELECT 1 FROM duplicate_dismissals d, leads x, leads y
    WHERE x.account_id = $1 AND x.rid = duplicate_pairs.a AND y.account_id = $1 AND y.rid = duplicate_pairs.b
      AND d.account_id = $1 AND d.low = ${dialect.least("x.id", "y.id")} AND d.high = ${dialect.greatest("x.id", "y.id")})
    THEN 1 ELSE 0 END
  WHERE account_id = $1 AND rid IN (${pairsOfLead(dialect)})`

const DROP_CARRIED =
  "DELETE FROM duplicate_dismissals WHERE account_id = $1 AND merge_rid = $2 AND merge_rid > 0"
const dropPair = ({
  hint,
}: Dialect) => `DELETE FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_leads")}
  WHERE account_id = $1 AND a = $2 AND b = $3 AND state < 2`
const DROP_DECISION = "DELETE FROM duplicate_decisions WHERE account_id = $1 AND pair_rid = $2"
const PART_PAIR = `UPDATE duplicate_pairs SET state = $6, a = $2, b = $3, merge_rid = NULL
  WHERE account_id = $1 AND merge_rid = $4 AND b = $5 RETURNING rid`

/** PostgreSQL's index has a hash of the value, which may be long. */
const setAlias = ({ hashed }: Dialect) => `INSERT INTO lead_aliases (account_id, kind, value, rid)
  VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, kind, ${hashed("value")}) DO UPDATE SET rid = excluded.rid`
const DROP_ALIAS = "DELETE FROM lead_aliases WHERE account_id = $1 AND kind = $2 AND value = $3 AND rid = $4"

export function mergeWrites(db: WriteDb): MergeWrites {
  const [MERGE_PAIR, CARRY, SETTLE] = [mergePair(db.dialect), carry(db.dialect), settle(db.dialect)]
  const [DROP_PAIR, SET_ALIAS] = [dropPair(db.dialect), setAlias(db.dialect)]
  return {
    async addMerge(account, { id, survivor_id, data, created_at }) {
      const values = [account, id, survivor_id, JSON.stringify(data), created_at]
      return (await db.get<{ rid: number }>(ADD_MERGE, values))!.rid
    },
    async forgetMerges(account, refs) {
      for (const ref of refs) {
        db.later(FORGET_PAIRS, [account, ref])
        db.later(FORGET_MERGE, [account, ref])
      }
    },
    async keepMerge(account, { ref, undone_at, data }) {
      db.later(KEEP_MERGE, [account, ref, undone_at, JSON.stringify(data)])
    },
    async mergePairs(account, merge, pairs, { at, isDecision }) {
      for (const { survivor, loser, probability, reasons, evidence } of pairs) {
        const both = refsOf(survivor, loser)
        const texts = [JSON.stringify(reasons.map(Object.values)), JSON.stringify(evidence)] as const
        db.later(ADD_PAIR, [account, ...both, probability, ...texts, at])
        const merged = [account, ...both, survivor.ref, loser.ref, merge]
        const row = await db.get<{ rid: number }>(MERGE_PAIR, merged)
        if (isDecision) db.later(DECIDE, [account, row!.rid, 1, at])
        db.later(CARRY, [account, loser.id, survivor.id, merge, at])
      }
      if (isDecision) db.later(DECIDED, [account])
      for (const { survivor } of pairs.slice(0, 1)) db.later(SETTLE, [account, survivor.ref])
    },
    async dismissLeads(account, one, other, at) {
      db.later(DISMISS, [account, ...lowFirst(one, other), at])
    },
    async partPairs(account, merge, pairs, { at, areApart }) {
      db.later(DROP_CARRIED, [account, merge])
      for (const { survivor, loser, was } of pairs) {
        const both = refsOf(survivor, loser)
        if (areApart) db.later(DISMISS, [account, ...lowFirst(survivor.id, loser.id), at])
        db.later(DROP_PAIR, [account, ...both])
        const pair = await db.get<{ rid: number }>(PART_PAIR, [
          account,
          ...both,
          merge,
          was,
          areApart ? 1 : 0,
        ])
        // Only what a person says of a pair teaches.
        if (pair) db.later(DROP_DECISION, [account, pair.rid])
      }
      db.later(DECIDED, [account])
      for (const { survivor } of pairs.slice(0, 1)) db.later(SETTLE, [account, survivor.ref])
    },
    async addAliases(account, lead, aliases) {
      for (const { kind, value } of aliases) db.later(SET_ALIAS, [account, kind, value, lead])
    },
    async dropAliases(account, lead, aliases) {
      for (const { kind, value } of aliases) db.later(DROP_ALIAS, [account, kind, value, lead])
    },
  }
}

/** The handles of both leads, the smaller first. */
function refsOf(one: LeadRef, other: LeadRef): [a: number, b: number] {
  return [Math.min(one.ref, other.ref), Math.max(one.ref, other.ref)]
}
