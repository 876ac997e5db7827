-- Who must not be contacted: emails, domains, phones, and keyed hashes of erased people, found by `key`; and which kinds
-- an account has, as bits, so that accounts without entries look nothing up.
CREATE TABLE suppressions (
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  reason text,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE UNIQUE INDEX suppressions_id ON suppressions (account_id, id);
CREATE INDEX suppressions_kind ON suppressions (account_id, kind, id);
ALTER TABLE accounts ADD COLUMN suppression_count bigint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN suppressed_kinds bigint NOT NULL DEFAULT 0;
