-- How far a pass is, as the engine reads it; which index of keys and terms the account's leads have.
ALTER TABLE duplicate_accounts DROP COLUMN pass_after;
ALTER TABLE duplicate_accounts ADD COLUMN pass_place TEXT;
ALTER TABLE duplicate_accounts ADD COLUMN index_version INTEGER NOT NULL DEFAULT 1;
INSERT OR IGNORE INTO duplicate_accounts (account_id) SELECT key FROM accounts;
