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
, trail_head INTEGER NOT NULL DEFAULT 0, trail_floor INTEGER NOT NULL DEFAULT 0, storage_limit INTEGER, stored_bytes INTEGER NOT NULL DEFAULT 0, changes_keep INTEGER, scoring_lease TEXT, scoring_leased_until INTEGER, segments_heard INTEGER NOT NULL DEFAULT 0, default_country TEXT, phones_from TEXT, statuses TEXT, suppression_count INTEGER NOT NULL DEFAULT 0, suppressed_kinds INTEGER NOT NULL DEFAULT 0, mail_looked TEXT, domains TEXT, time_zone TEXT, companies_from TEXT) STRICT;
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
, issued_by TEXT, kind TEXT NOT NULL DEFAULT 'key', list_style TEXT, guard TEXT, segment TEXT, maker TEXT) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id);
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
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
, company TEXT, job_title TEXT, linkedin_url TEXT, phone_number TEXT, last_note_at INTEGER, note_count INTEGER NOT NULL DEFAULT 0, last_contacted_at INTEGER, contacted_at INTEGER, last_touched_at INTEGER GENERATED ALWAYS AS (
  max(updated_at, last_interaction_at, coalesce(last_note_at, 0), coalesce(last_contacted_at, 0))
) VIRTUAL, owner TEXT, next_step TEXT, next_step_at INTEGER, due_told_at INTEGER, origins TEXT, enrich_told_at INTEGER, lawful_basis TEXT, consent TEXT, consent_at INTEGER, email_status TEXT, stage TEXT, lost_reason TEXT, value REAL, company_id TEXT) STRICT;
CREATE UNIQUE INDEX leads_id ON leads (account_id, id);
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
, shape INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE lead_scores (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  score REAL NOT NULL,
  version INTEGER NOT NULL
, activity TEXT) STRICT;
CREATE INDEX lead_scores_score ON lead_scores (account_id, score);
CREATE TABLE lead_tags (
  account_id INTEGER NOT NULL,
  tag TEXT NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, tag, rid)
) STRICT, WITHOUT ROWID;
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
CREATE VIRTUAL TABLE lead_locations USING rtree (
  rid, account_low, account_high, latitude_low, latitude_high, longitude_low, longitude_high
);
CREATE TABLE notes (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  lead_rid INTEGER NOT NULL REFERENCES leads (rid),
  lead_id TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, author TEXT) STRICT;
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
, previous_secret TEXT, previous_until INTEGER, made_by TEXT) STRICT;
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
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_clients_expires_at ON oauth_clients (expires_at);
CREATE TABLE oauth_grants (
  code_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  resource TEXT,
  challenge TEXT NOT NULL,
  role TEXT NOT NULL,
  signer_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  key_rid INTEGER REFERENCES api_keys (rid) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX oauth_grants_key ON oauth_grants (key_rid) WHERE key_rid IS NOT NULL;
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at) WHERE key_rid IS NULL;
CREATE TABLE oauth_logins (
  selector TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  hash TEXT NOT NULL,
  role TEXT NOT NULL,
  tries_left INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX leads_city_rating ON leads (account_id, city, rating);
CREATE INDEX leads_country ON leads (account_id, country);
CREATE INDEX leads_state ON leads (account_id, state);
CREATE INDEX leads_company ON leads (account_id, company);
CREATE TABLE trail_states (
  account_id INTEGER NOT NULL,
  lead INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  state BLOB NOT NULL,
  notes BLOB,
  PRIMARY KEY (account_id, lead, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE trail_names (
  key INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX trail_names_name ON trail_names (account_id, name);
CREATE TABLE trail_batches (
  key INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  id ANY NOT NULL,
  import_id TEXT,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX trail_batches_id ON trail_batches (account_id, id);
CREATE INDEX trail_batches_import ON trail_batches (account_id, import_id) WHERE import_id IS NOT NULL;
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
CREATE TABLE jobs (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  progress TEXT,
  done INTEGER NOT NULL,
  total INTEGER,
  failed INTEGER NOT NULL DEFAULT 0,
  errors TEXT NOT NULL,
  batch_id TEXT,
  import_id TEXT,
  key_id TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  lease TEXT,
  leased_until INTEGER
) STRICT;
CREATE TABLE job_inputs (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  input TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_id ON jobs (account_id, id);
CREATE INDEX jobs_open ON jobs (rid) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE idempotent_answers (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  key BLOB NOT NULL,
  request BLOB NOT NULL,
  answer BLOB,
  created_at INTEGER NOT NULL
, import_id TEXT, counted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX idempotent_answers_key ON idempotent_answers (account_id, key);
CREATE INDEX idempotent_answers_created_at ON idempotent_answers (created_at);
CREATE TABLE members (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- The name folded: it signs in and stands in the trail, so that no two of an account share one.
  name_key TEXT NOT NULL,
  role TEXT NOT NULL,
  password TEXT,
  invite_hash BLOB,
  invite_expires_at INTEGER,
  created_at INTEGER NOT NULL,
  joined_at INTEGER
, invited_by TEXT, oidc_subject TEXT) STRICT;
CREATE UNIQUE INDEX members_name ON members (account_id, name_key);
CREATE INDEX members_sign_in ON members (name_key);
CREATE UNIQUE INDEX members_invite ON members (invite_hash) WHERE invite_hash IS NOT NULL;
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  member_rid INTEGER NOT NULL REFERENCES members (rid) ON DELETE CASCADE,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_member ON passkeys (member_rid);
CREATE TABLE sessions (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL,
  key_rid INTEGER REFERENCES api_keys (rid) ON DELETE CASCADE,
  member_rid INTEGER REFERENCES members (rid) ON DELETE CASCADE,
  agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_key ON sessions (key_rid) WHERE key_rid IS NOT NULL;
CREATE INDEX sessions_member ON sessions (member_rid) WHERE member_rid IS NOT NULL;
CREATE TABLE passkey_challenges (
  challenge TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE duplicate_pairs (
  rid INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  a INTEGER NOT NULL,
  b INTEGER NOT NULL,
  state INTEGER NOT NULL DEFAULT 0,
  probability REAL NOT NULL,
  reasons TEXT NOT NULL,
  evidence TEXT NOT NULL,
  merge_rid INTEGER,
  created_at INTEGER NOT NULL
, asked INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX duplicate_pairs_leads ON duplicate_pairs (account_id, a, b) WHERE state < 2;
CREATE INDEX duplicate_pairs_b ON duplicate_pairs (account_id, b) WHERE state < 2;
CREATE INDEX duplicate_pairs_probability ON duplicate_pairs (account_id, state, probability);
CREATE INDEX duplicate_pairs_merge ON duplicate_pairs (merge_rid) WHERE merge_rid IS NOT NULL;
CREATE TABLE duplicate_dismissals (
  account_id INTEGER NOT NULL,
  low TEXT NOT NULL,
  high TEXT NOT NULL,
  merge_rid INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, low, high, merge_rid)
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_dismissals_high ON duplicate_dismissals (account_id, high);
CREATE INDEX duplicate_dismissals_merge ON duplicate_dismissals (merge_rid) WHERE merge_rid > 0;
CREATE TABLE duplicate_decisions (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  pair_rid INTEGER NOT NULL,
  is_same INTEGER NOT NULL,
  probability REAL NOT NULL,
  evidence TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX duplicate_decisions_pair ON duplicate_decisions (account_id, pair_rid);
CREATE TABLE duplicate_accounts (
  account_id INTEGER PRIMARY KEY,
  auto_merge_above REAL,
  learning INTEGER NOT NULL DEFAULT 1,
  weights TEXT,
  decided INTEGER NOT NULL DEFAULT 0,
  learned INTEGER NOT NULL DEFAULT 0,
  pass TEXT,
  pass_to INTEGER NOT NULL DEFAULT 0,
  pass_left INTEGER NOT NULL DEFAULT 0,
  compared INTEGER NOT NULL DEFAULT 0
, pass_place TEXT, index_version INTEGER NOT NULL DEFAULT 1, loss TEXT) STRICT;
CREATE TABLE lead_aliases (
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_aliases_rid ON lead_aliases (account_id, rid);
CREATE TABLE merges (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  survivor_id TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE UNIQUE INDEX merges_id ON merges (account_id, id);
CREATE INDEX merges_survivor ON merges (account_id, survivor_id);
CREATE TABLE segments (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  filter TEXT NOT NULL,
  q TEXT,
  sort_by TEXT,
  sort_order TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, enrich INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX segments_id ON segments (account_id, id);
CREATE TABLE imports (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  file_name TEXT,
  state TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  job TEXT,
  undo_job TEXT,
  done INTEGER NOT NULL,
  total INTEGER,
  report TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  undone_at INTEGER
, alive_until INTEGER) STRICT;
CREATE UNIQUE INDEX imports_id ON imports (account_id, id);
CREATE TABLE import_leads (
  lead INTEGER NOT NULL,
  import INTEGER NOT NULL,
  PRIMARY KEY (lead, import)
) STRICT, WITHOUT ROWID;
CREATE TABLE import_mappings (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  name TEXT,
  header TEXT,
  options TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX import_mappings_name ON import_mappings (account_id, name) WHERE name IS NOT NULL;
CREATE INDEX import_mappings_header ON import_mappings (account_id, header);
CREATE TABLE segment_moves (
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  segment TEXT NOT NULL,
  lead TEXT NOT NULL,
  entered INTEGER NOT NULL,
  PRIMARY KEY (account_id, segment, lead)
) STRICT, WITHOUT ROWID;
CREATE INDEX leads_phone_number ON leads (account_id, phone_number) WHERE phone_number > '';
CREATE TABLE trail_leads (
  key INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  lead_id ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX trail_leads_id ON trail_leads (account_id, lead_id);
CREATE TABLE trail (
  account_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  lead INTEGER NOT NULL,
  action INTEGER NOT NULL,
  reason INTEGER,
  actor INTEGER NOT NULL,
  key INTEGER,
  batch INTEGER,
  created_at INTEGER NOT NULL,
  -- Seconds from `last_interaction_at` and `updated_at` of the lead before to the change, where it moved them to its time
  touched INTEGER,
  moved INTEGER,
  -- The lead's score after the change, of a deleted one before it; the one before it where that was another
  score REAL,
  score_before REAL,
  -- Of a merged push: a bit for each field, and the names of attributes, that the lead has as they were pushed
  same INTEGER,
  attributes INTEGER,
  -- Everything else that differs, as JSON; deflated where that is long
  facts ANY,
  -- Of a change that was recorded before ids were worked out of places
  id TEXT,
  PRIMARY KEY (account_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX trail_lead ON trail (account_id, lead, seq);
CREATE INDEX imports_running ON imports (alive_until) WHERE state = 'running';
CREATE TABLE lead_log (
  n INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  rid INTEGER NOT NULL
) STRICT;
CREATE TABLE lead_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  rid INTEGER NOT NULL
) STRICT;
CREATE INDEX leads_due ON leads (account_id, next_step_at)
  WHERE next_step_at IS NOT NULL AND (due_told_at IS NULL OR due_told_at <> next_step_at);
CREATE TABLE forms (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  settings TEXT NOT NULL,
  secret TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX forms_id ON forms (id);
CREATE INDEX forms_account ON forms (account_id);
CREATE TABLE form_posts (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  form_id TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  email TEXT,
  lead TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
, sender TEXT) STRICT;
CREATE UNIQUE INDEX form_posts_id ON form_posts (account_id, id);
CREATE INDEX form_posts_form ON form_posts (account_id, form_id, state, rid);
CREATE INDEX form_posts_email ON form_posts (account_id, email) WHERE email IS NOT NULL;
CREATE INDEX form_posts_ends ON form_posts (ends_at);
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
CREATE UNIQUE INDEX members_oidc ON members (oidc_subject) WHERE oidc_subject IS NOT NULL;
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
, made_by TEXT) STRICT;
CREATE UNIQUE INDEX links_id ON links (account_id, id);
CREATE TABLE enrichment_queue (
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  lead TEXT NOT NULL,
  PRIMARY KEY (account_id, lead)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE attribute_definitions (
  account_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  options TEXT,
  required INTEGER NOT NULL,
  unit TEXT,
  position INTEGER,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE lead_contacts (
  account_id INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  kind TEXT NOT NULL,
  item INTEGER NOT NULL,
  text TEXT NOT NULL,
  key TEXT,
  number TEXT,
  PRIMARY KEY (account_id, rid, kind, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_contacts_text ON lead_contacts (account_id, kind, text);
CREATE INDEX lead_contacts_key ON lead_contacts (account_id, key) WHERE key IS NOT NULL;
CREATE INDEX lead_contacts_number ON lead_contacts (account_id, number) WHERE number IS NOT NULL;
CREATE INDEX form_posts_sender ON form_posts (account_id, form_id, state, reason, sender, rid);
CREATE UNIQUE INDEX leads_email ON leads (account_id, email, CASE WHEN instr(substr(email, instr(email, '@')), '.') > 0 THEN 0 ELSE rid END);
CREATE TABLE activities (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  lead_rid INTEGER NOT NULL,
  lead_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  outcome TEXT,
  text TEXT,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  member_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX activities_id ON activities (account_id, id);
CREATE INDEX activities_lead ON activities (lead_rid, at, id);
CREATE INDEX activities_at ON activities (account_id, at);
CREATE TABLE stages (
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  color TEXT NOT NULL,
  position INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE templates (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX templates_id ON templates (account_id, id);
CREATE TABLE export_tickets (
  hash BLOB NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  key_id TEXT NOT NULL,
  wanted TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX export_tickets_account ON export_tickets (account_id, expires_at);
CREATE INDEX leads_company_id ON leads (account_id, company_id);
CREATE TABLE company_merges (
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  into_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE uploads (
  account_id INTEGER NOT NULL,
  process TEXT NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  alive_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, process)
) STRICT, WITHOUT ROWID;
INSERT INTO settings (name, value) VALUES ('trail_epoch', randomblob(8));
INSERT INTO lead_log (n, account, rid) VALUES (1, 0, 0);
INSERT INTO lead_head (one, rid) VALUES (1, 0);
