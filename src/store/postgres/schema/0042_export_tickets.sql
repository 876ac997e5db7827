-- Addresses of exports that work without a key for a while: by a hash of what stands in them.
CREATE TABLE export_tickets (
  hash bytea NOT NULL PRIMARY KEY,
  account_id bigint NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  wanted text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX export_tickets_account ON export_tickets (account_id, expires_at);
