// Statements that several writes of duplicates send.
import { INDEX_VERSION } from "../../contract/duplicates.ts"

/** Keeps an account's row of settings there. */
export const ENSURE = `INSERT INTO duplicate_accounts (account_id, index_version) VALUES ($1, ${INDEX_VERSION})
  ON CONFLICT DO NOTHING`

export const DECIDE = `INSERT INTO duplicate_decisions (account_id, pair_rid, is_same, probability, evidence, created_at)
  SELECT account_id, rid, $3, probability, evidence, $4 FROM duplicate_pairs WHERE account_id = $1 AND rid = $2
  ON CONFLICT (account_id, pair_rid) DO UPDATE SET is_same = excluded.is_same, created_at = excluded.created_at`

export const DECIDED = `INSERT INTO duplicate_accounts AS d (account_id, decided, index_version)
  VALUES ($1, 1, ${INDEX_VERSION})
  ON CONFLICT (account_id) DO UPDATE SET decided = d.decided + 1`

export const DISMISS = `INSERT INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
  VALUES ($1, $2, $3, 0, $4) ON CONFLICT DO NOTHING`

/** Has all leads compared again: of those up to $2, so many as $3. */
export const START_PASS = `UPDATE duplicate_accounts SET pass = 'compare', pass_place = NULL, pass_to = $2,
  pass_left = $3::bigint, compared = $3 WHERE account_id = $1 AND pass IS NULL`
