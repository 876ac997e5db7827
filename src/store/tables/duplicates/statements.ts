// Statements that several writes of duplicates run.
import type { WriteDb } from "../../sql/db.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { LAYOUT } from "./pairs.ts"

/** Makes an account's row of settings where it is not there. */
export const ENSURE = `INSERT INTO duplicate_accounts (account_id, index_version) VALUES ($1, ${LAYOUT})
  ON CONFLICT DO NOTHING`

/** Teaches what a pair's evidence is worth; one without evidence teaches nothing. */
export const DECIDE = `INSERT INTO duplicate_decisions (account_id, pair_rid, is_same, probability, evidence, created_at)
  SELECT account_id, rid, $3::integer, probability, evidence, $4::bigint FROM duplicate_pairs
  WHERE account_id = $1 AND rid = $2 AND evidence <> '{}'
  ON CONFLICT (account_id, pair_rid) DO UPDATE SET is_same = excluded.is_same, created_at = excluded.created_at`

export const DECIDED = `INSERT INTO duplicate_accounts AS d (account_id, decided, index_version)
  VALUES ($1, 1, ${LAYOUT})
  ON CONFLICT (account_id) DO UPDATE SET decided = d.decided + 1`

export const DISMISS = `INSERT INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
  VALUES ($1, $2, $3, 0, $4) ON CONFLICT DO NOTHING`

/** Has all leads compared again: those up to $2, $3 of them. */
export const START_PASS = `UPDATE duplicate_accounts SET pass = 'compare', pass_place = NULL, pass_to = $2,
  pass_left = $3::bigint, compared = $3 WHERE account_id = $1 AND pass IS NULL`

/** The numbers of a lead's pairs that are not merged, out of both indexes; $1 is the account, $2 the lead. */
export const pairsOfLead = ({
  hint,
}: Dialect) => `SELECT rid FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_leads")}
    WHERE account_id = $1 AND a = $2 AND state < 2
  UNION ALL SELECT rid FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_b")}
    WHERE account_id = $1 AND b = $2 AND state < 2`

/** The newest number that was given to a lead, and how many leads an account has. */
export interface LeadRange {
  last: number
  leads: number
}
export type LeadRangeOf<D extends WriteDb = WriteDb> = (db: D, account: number) => Promise<LeadRange>

export function lowFirst(one: string, other: string): [low: string, high: string] {
  return one < other ? [one, other] : [other, one]
}
