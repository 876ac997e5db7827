-- Public addresses of segments. The token of an address is kept as its SHA-256 only.
CREATE TABLE links (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL UNIQUE,
  segment text COLLATE "C" NOT NULL,
  fields text NOT NULL,
  password text,
  actor_id text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX links_id ON links (account_id, id);
-- What enrichments have set at a lead, and when it was said that a lead needs one.
ALTER TABLE leads ADD COLUMN origins text;
ALTER TABLE leads ADD COLUMN enrich_told_at double precision;
-- Whether a segment's leads are to be enriched: 1 while those that were there first are yet to be told of, then 2.
ALTER TABLE segments ADD COLUMN enrich int NOT NULL DEFAULT 0;
-- Leads of such segments that are to be told of.
CREATE TABLE enrichment_queue (
  account_id bigint NOT NULL,
  lead text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, lead)
);
-- Why a lead's data may be kept, rules by which it is erased, and the record of what was.
ALTER TABLE leads ADD COLUMN lawful_basis text COLLATE "C";
ALTER TABLE leads ADD COLUMN consent text COLLATE "C";
ALTER TABLE leads ADD COLUMN consent_at double precision;
CREATE TABLE retention_rules (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  filter text NOT NULL,
  months int,
  days int,
  notice_days int NOT NULL,
  noticed_at bigint NOT NULL,
  leased_until bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX retention_rules_id ON retention_rules (account_id, id);
CREATE TABLE erasures (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  rule_id text COLLATE "C",
  rule_name text,
  count bigint NOT NULL,
  actor_id text,
  key_id text,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX erasures_id ON erasures (account_id, id);
