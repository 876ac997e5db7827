// Numbers of accounts as they are worked out of rows. The trail has a column `key` as well: that of the API key.

export const REAL_LEADS = "SELECT count(*) FROM leads WHERE account_id = accounts.key"
/** The kinds of entries on the do-not-contact list, as bits (`KIND_BITS`). */
export const REAL_KINDS = `SELECT coalesce(sum(DISTINCT CASE kind WHEN 'email' THEN 1 WHEN 'domain' THEN 2 WHEN 'phone' THEN 4 ELSE 8 END), 0)
  FROM suppressions WHERE account_id = accounts.key`
export const REAL_ENTRIES = "SELECT count(*) FROM suppressions WHERE account_id = accounts.key"
export const LAST_CHANGE = "SELECT coalesce(max(seq), 0) FROM trail WHERE account_id = accounts.key"
