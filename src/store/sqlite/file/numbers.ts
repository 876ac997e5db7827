// Numbers of accounts as they are worked out of rows.

export const REAL_LEADS = "SELECT count(*) FROM leads WHERE account_id = key"
export const LAST_CHANGE = "SELECT coalesce(max(seq), 0) FROM trail WHERE account_id = key"
