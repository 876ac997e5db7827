-- Values that belong to the database, such as the key that signs cursors
CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);
INSERT INTO settings (name, value) VALUES
  ('secret', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  ('trail_epoch', substr(uuid_send(gen_random_uuid()), 9));

-- Rows that works on no account or on several wait for in turn; `last_id` is the newest id that was made
CREATE TABLE locks (
  name text COLLATE "C" PRIMARY KEY,
  last_id text COLLATE "C" NOT NULL
);
INSERT INTO locks (name, last_id) VALUES ('across', '');

-- A transaction that writes an account's rows holds its row here. Counts and the newest numbers that were given out stand
-- in it: they are written once a transaction. An account's keys are never given again.
CREATE TABLE accounts (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  plan text NOT NULL,
  leads_limit bigint,
  requests_limit bigint,
  batch_limit bigint,
  storage_limit bigint,
  lead_count bigint NOT NULL DEFAULT 0,
  stored_bytes bigint NOT NULL DEFAULT 0,
  lead_head bigint NOT NULL DEFAULT 0,
  trail_head bigint NOT NULL DEFAULT 0,
  trail_floor bigint NOT NULL DEFAULT 0,
  rules_revision bigint NOT NULL DEFAULT 0,
  segments_heard bigint NOT NULL DEFAULT 0,
  last_id text COLLATE "C" NOT NULL DEFAULT '',
  changes_keep bigint,
  default_country text,
  phones_from text COLLATE "C",
  scoring_lease text,
  scoring_leased_until bigint,
  created_at bigint NOT NULL
) WITH (fillfactor = 50);
