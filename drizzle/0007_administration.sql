-- Who made a key (the public id of another key, null for the command line), and what it is for: `key`, or `sign_in`
-- for what a client got through the browser.
ALTER TABLE api_keys ADD COLUMN issued_by TEXT;
ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'key';
UPDATE api_keys SET kind = 'sign_in', issued_by = (SELECT g.signer_id FROM oauth_grants g WHERE g.key_rid = rid)
  WHERE rid IN (SELECT key_rid FROM oauth_grants WHERE key_rid IS NOT NULL);

-- What was done to keys, webhooks, plans and the file itself, and with which key: null for the command line. An
-- account_id of 0 is about all accounts. Rows are never changed.
CREATE TABLE admin_log (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  key_id TEXT,
  actor_id TEXT,
  target_id TEXT,
  details TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX admin_log_account ON admin_log (account_id, rid);
