-- Public addresses of segments. The token of an address is kept as its SHA-256 only.
CREATE TABLE links (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  segment TEXT NOT NULL,
  fields TEXT NOT NULL,
  password TEXT,
  actor_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE UNIQUE INDEX links_id ON links (account_id, id);
-- What enrichments have set at a lead, and when it was said that a lead needs one.
ALTER TABLE leads ADD COLUMN origins TEXT;
ALTER TABLE leads ADD COLUMN enrich_told_at INTEGER;
-- Whether a segment's leads are to be enriched: 1 while those that were there first are yet to be told of, then 2.
ALTER TABLE segments ADD COLUMN enrich INTEGER NOT NULL DEFAULT 0;
-- Leads of such segments that are to be told of.
CREATE TABLE enrichment_queue (
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  lead TEXT NOT NULL,
  PRIMARY KEY (account_id, lead)
) STRICT, WITHOUT ROWID;
-- Why a lead's data may be kept, rules by which it is erased, and the record of what was.
ALTER TABLE leads ADD COLUMN lawful_basis TEXT;
ALTER TABLE leads ADD COLUMN consent TEXT;
ALTER TABLE leads ADD COLUMN consent_at INTEGER;
CREATE TABLE retention_rules (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  filter TEXT NOT NULL,
  months INTEGER,
  days INTEGER,
  notice_days INTEGER NOT NULL,
  noticed_at INTEGER NOT NULL,
  leased_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX retention_rules_id ON retention_rules (account_id, id);
CREATE TABLE erasures (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  reason TEXT NOT NULL,
  rule_id TEXT,
  rule_name TEXT,
  count INTEGER NOT NULL,
  actor_id TEXT,
  key_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX erasures_id ON erasures (account_id, id);
