// Numbers of accounts as they are worked out of rows. The trail has a column `key` as well: that of the API key.

export const REAL_LEADS = "SELECT count(*) FROM leads WHERE account_id = accounts.key"
export const LAST_CHANGE = "SELECT coalesce(max(seq), 0) FROM trail WHERE account_id = accounts.key"
