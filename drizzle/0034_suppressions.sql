-- Who must not be contacted: emails, domains, phones, and keyed hashes of erased people, found by `key`; and which kinds
-- an account has, as bits, so that accounts without entries look nothing up.
CREATE TABLE suppressions (
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  key TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX suppressions_id ON suppressions (account_id, id);
CREATE INDEX suppressions_kind ON suppressions (account_id, kind, id);
ALTER TABLE accounts ADD COLUMN suppression_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN suppressed_kinds INTEGER NOT NULL DEFAULT 0;
