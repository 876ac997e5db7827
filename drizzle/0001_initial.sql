-- Accounts and their keys

CREATE TABLE accounts (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  leads_limit INTEGER,
  requests_limit INTEGER,
  batch_limit INTEGER,
  lead_count INTEGER NOT NULL DEFAULT 0,
  rules_revision INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Values that belong to the file, such as the key that signs cursors
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;

-- Leads. `leads` holds what is searched and sorted by: texts folded (NFC, lower case), numbers, times.
-- `lead_documents` holds the lead as clients read it; `lead_scores` the score, which changes far more often.
-- Every rid is the lead's; rid order is creation order. Side tables have no foreign keys: one function writes
-- them all, and `leaddb check` looks for orphans.

CREATE TABLE leads (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  status TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  website TEXT,
  address TEXT,
  city TEXT,
  state TEXT,
  country TEXT,
  postal_code TEXT,
  category TEXT,
  logo_url TEXT,
  source_id TEXT,
  phone_key TEXT,
  source_id_exact TEXT,
  latitude REAL,
  longitude REAL,
  rating REAL,
  review_count INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_interaction_at INTEGER NOT NULL,
  description TEXT
) STRICT;
CREATE UNIQUE INDEX leads_id ON leads (account_id, id);
CREATE UNIQUE INDEX leads_email ON leads (account_id, email);
CREATE UNIQUE INDEX leads_source_id ON leads (account_id, source_id_exact) WHERE source_id_exact IS NOT NULL;
CREATE INDEX leads_phone_key ON leads (account_id, phone_key) WHERE phone_key IS NOT NULL;
CREATE INDEX leads_name_city ON leads (account_id, name, city) WHERE city IS NOT NULL;
CREATE INDEX leads_name ON leads (account_id, name);
CREATE INDEX leads_source ON leads (account_id, source);
CREATE INDEX leads_status ON leads (account_id, status);
CREATE INDEX leads_city ON leads (account_id, city);
CREATE INDEX leads_category ON leads (account_id, category);
CREATE INDEX leads_rating ON leads (account_id, rating);
CREATE INDEX leads_review_count ON leads (account_id, review_count);
CREATE INDEX leads_created_at ON leads (account_id, created_at);
CREATE INDEX leads_updated_at ON leads (account_id, updated_at);
CREATE INDEX leads_last_interaction_at ON leads (account_id, last_interaction_at);

CREATE TABLE lead_documents (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;

CREATE TABLE lead_scores (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  score REAL NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX lead_scores_score ON lead_scores (account_id, score);

CREATE TABLE lead_tags (
  account_id INTEGER NOT NULL,
  tag TEXT NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, tag, rid)
) STRICT, WITHOUT ROWID;

-- One row an attribute, or one an item of a list attribute (`item` counts them from 0). `text` holds texts and
-- items folded, `number` numbers and bools (1 or 0); neither is set for objects and empty lists.
CREATE TABLE lead_attributes (
  account_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  rid INTEGER NOT NULL,
  item INTEGER NOT NULL,
  type TEXT NOT NULL,
  text TEXT,
  number REAL,
  PRIMARY KEY (account_id, name, rid, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_attributes_text ON lead_attributes (account_id, name, text, rid) WHERE text IS NOT NULL;
CREATE INDEX lead_attributes_number ON lead_attributes (account_id, name, number, rid) WHERE number IS NOT NULL;

-- Boxes in degrees, one point each; the account is a dimension, so that a search never leaves it.
CREATE VIRTUAL TABLE lead_locations USING rtree (
  rid, account_low, account_high, latitude_low, latitude_high, longitude_low, longitude_high
);

-- Audit trail; it outlives its lead

CREATE TABLE changes (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  lead_id TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  action TEXT NOT NULL,
  before TEXT,
  after TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX changes_lead ON changes (account_id, lead_id);

CREATE TABLE notes (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  lead_rid INTEGER NOT NULL REFERENCES leads (rid),
  lead_id TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX notes_id ON notes (account_id, id);
CREATE INDEX notes_lead ON notes (lead_rid);

CREATE TABLE scoring_rules (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  expression TEXT NOT NULL,
  weight REAL NOT NULL,
  priority INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX scoring_rules_id ON scoring_rules (account_id, id);

-- Webhooks, and the outbox: an event's body is frozen once, each subscribed webhook has a delivery of it. A webhook
-- that was `removed` is never found again; its deliveries are deleted bit by bit, and it goes with the last.

CREATE TABLE webhooks (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT,
  active INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0,
  disabled_reason TEXT,
  failing_since INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX webhooks_id ON webhooks (account_id, id);
CREATE INDEX webhooks_removed ON webhooks (removed) WHERE removed = 1;

CREATE TABLE events (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Times of the schedule (`due_at`, `leased_until`, `failing_since`) are Unix milliseconds, those that people read
-- Unix seconds. `turn` grows with every attempt of any delivery: it is what `leaddb webhooks tail` follows.
CREATE TABLE deliveries (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  webhook_rid INTEGER NOT NULL REFERENCES webhooks (rid),
  event_rid INTEGER NOT NULL REFERENCES events (rid),
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER,
  leased_until INTEGER,
  lease TEXT,
  code INTEGER,
  error TEXT,
  milliseconds INTEGER,
  answer TEXT,
  turn INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX deliveries_id ON deliveries (account_id, id);
CREATE INDEX deliveries_webhook ON deliveries (webhook_rid, status);
CREATE INDEX deliveries_event ON deliveries (event_rid);
CREATE INDEX deliveries_due ON deliveries (webhook_rid, due_at) WHERE status = 'pending';
CREATE UNIQUE INDEX deliveries_turn ON deliveries (turn) WHERE turn IS NOT NULL;
