-- Addresses of exports that work without a key for a while: by a hash of what stands in them.
CREATE TABLE export_tickets (
  hash BLOB NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  key_id TEXT NOT NULL,
  wanted TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX export_tickets_account ON export_tickets (account_id, expires_at);
