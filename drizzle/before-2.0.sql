-- The migrations of before 2.0, each behind a line with its name. They never change: a file of release 1.3.0 has the first
-- eleven, and each file says by which texts it was migrated. Later ones are files of their own.
-- migration 0001_initial
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
-- migration 0002_oauth
-- Sign-in of MCP clients through a browser (OAuth 2.0 with PKCE). Codes are kept as hashes only.

CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_clients_expires_at ON oauth_clients (expires_at);

-- An authorization code and what it is good for. Once it is redeemed the row stays as long as its key, so that a
-- code that is used again is recognised and takes the key with it.
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

-- One-time codes of `leaddb login`: found by their first characters, the others hashed.
CREATE TABLE oauth_logins (
  selector TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  hash TEXT NOT NULL,
  role TEXT NOT NULL,
  tries_left INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- migration 0003_text_index
-- Which leads may hold a text: the trigrams of all texts of a lead, folded. It is filled behind the writes, lead by
-- lead out of `lead_texts_waiting`, so a search looks into both. Segments are merged in small steps by the filler:
-- on its own FTS5 would now and then hold up a write for 150 ms.

CREATE VIRTUAL TABLE lead_texts USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO lead_texts (lead_texts, rank) VALUES ('automerge', 0);

CREATE TABLE lead_texts_waiting (rid INTEGER PRIMARY KEY) STRICT;
INSERT INTO lead_texts_waiting (rid) SELECT rid FROM leads;

-- What lists are asked for most: a city's leads, the best rated first
CREATE INDEX leads_city_rating ON leads (account_id, city, rating);

CREATE INDEX leads_country ON leads (account_id, country);
CREATE INDEX leads_state ON leads (account_id, state);
-- migration 0004_document_shape
-- Which fields a document was written with: those of an older shape are read as if they had the fields that came since
ALTER TABLE lead_documents ADD COLUMN shape INTEGER NOT NULL DEFAULT 1;
-- migration 0005_company
-- Where a person works, and as what
ALTER TABLE leads ADD COLUMN company TEXT;
ALTER TABLE leads ADD COLUMN job_title TEXT;
ALTER TABLE leads ADD COLUMN linkedin_url TEXT;
CREATE INDEX leads_company ON leads (account_id, company);
-- migration 0006_trail
-- The trail: what changed of which lead, in the order of commits. A change keeps only what differs: states are put
-- together from the lead as it is now, or from a state that was kept on the way, going back. `trail` has one row for
-- up to 32 changes that were written together: changes `seq`, `seq` + 1 and so on. What was recorded before is in
-- `changes`, with whole leads, until it is converted behind the writes; then its rid is its `seq`.

CREATE TABLE trail (
  account_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (account_id, seq)
) STRICT, WITHOUT ROWID;

-- A lead as the trail knows it, also when it is deleted: `last` is its newest change, which leads to those before it,
-- `older` the newest of its converted ones, each with the score that the lead had after it. `changes` counts them all.
CREATE TABLE trail_leads (
  key INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  lead_id ANY NOT NULL,
  changes INTEGER NOT NULL,
  last INTEGER NOT NULL,
  score REAL NOT NULL,
  older INTEGER NOT NULL,
  older_score REAL NOT NULL
) STRICT;
CREATE UNIQUE INDEX trail_leads_lead ON trail_leads (account_id, lead_id);

-- Whole leads: what a deleted one was last, with its notes, and now and then what one was after a change
CREATE TABLE trail_states (
  account_id INTEGER NOT NULL,
  lead INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  state BLOB NOT NULL,
  notes BLOB,
  PRIMARY KEY (account_id, lead, seq)
) STRICT, WITHOUT ROWID;

-- Who did it, as numbers
CREATE TABLE trail_names (
  key INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX trail_names_name ON trail_names (account_id, name);

-- What was done by one request, import or job; its changes are among those from `first` to `last`.
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

-- The newest change of an account, and the one before its oldest that is kept
ALTER TABLE accounts ADD COLUMN trail_head INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN trail_floor INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET trail_head = (SELECT coalesce(max(rid), 0) FROM changes);

-- Differs after every restore: cursors of the trail are good for one
INSERT INTO settings (name, value) VALUES ('trail_epoch', randomblob(8));
-- migration 0007_administration
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
-- migration 0008_jobs
-- Work that takes longer than a request, done slice by slice: `input` says what is to be done and for whom, `progress`
-- how far it is; both change in the transaction of each slice. A running job is its worker's as long as the lease is.
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
-- What a job needs to know: apart, since its row is written with every slice. It goes when the job ends.
CREATE TABLE job_inputs (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  input TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_id ON jobs (account_id, id);
CREATE INDEX jobs_open ON jobs (rid) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
-- migration 0009_idempotency
-- Answers to requests that carried an Idempotency-Key, for those who send them again: both ids are hashes, the answer is
-- encrypted with the key that was sent. NULL while a request is under way that takes several transactions.
CREATE TABLE idempotent_answers (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  key BLOB NOT NULL,
  request BLOB NOT NULL,
  answer BLOB,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX idempotent_answers_key ON idempotent_answers (account_id, key);
CREATE INDEX idempotent_answers_created_at ON idempotent_answers (created_at);
-- migration 0010_sessions
-- People of an account, and who is signed in. Passwords, invitations and session tokens are kept as hashes only.

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
) STRICT;
CREATE UNIQUE INDEX members_name ON members (account_id, name_key);
CREATE INDEX members_sign_in ON members (name_key);
CREATE UNIQUE INDEX members_invite ON members (invite_hash) WHERE invite_hash IS NOT NULL;

-- Public keys of members' devices (WebAuthn), by the credential's id.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  member_rid INTEGER NOT NULL REFERENCES members (rid) ON DELETE CASCADE,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_member ON passkeys (member_rid);

-- A session goes with the key or the member that signed in; one of a one-time code has neither.
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

-- What a browser was asked to sign with a passkey; good once.
CREATE TABLE passkey_challenges (
  challenge TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- migration 0011_storage
-- Bytes that an account keeps in leads, notes and its trail, kept up by every write. Small accounts are counted here;
-- for large ones from before this is an estimate, as counting them would hold up the start.
ALTER TABLE accounts ADD COLUMN storage_limit INTEGER;
ALTER TABLE accounts ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET stored_bytes = lead_count * 1000 WHERE lead_count > 1000;
UPDATE accounts SET stored_bytes = (
  SELECT coalesce(sum(octet_length(d.data)), 0) FROM leads l JOIN lead_documents d ON d.rid = l.rid
  WHERE l.account_id = accounts.key
) WHERE lead_count <= 1000;
-- migration 0012_word_index
-- The words of a lead and its notes, for searching. It is filled behind the writes out of `lead_words_waiting`, like
-- `lead_texts`. Words come folded, each behind two characters that stand for its account: an account searches among
-- its own words alone. Prefixes of two letters (four characters) have lists of their own.

CREATE VIRTUAL TABLE lead_words USING fts5 (
  name, kind, contact, place, text, notes,
  content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4'
);
INSERT INTO lead_words (lead_words, rank) VALUES ('automerge', 0);

CREATE TABLE lead_words_waiting (
  account_id INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, rid)
) STRICT, WITHOUT ROWID;
INSERT INTO lead_words_waiting (account_id, rid) SELECT account_id, rid FROM leads ORDER BY account_id, rid;

-- Words of letters, for finding what a mistyped one was meant to be: each also backwards, behind a "<". Words that no
-- lead has any more stay.
CREATE TABLE known_words (
  account_id INTEGER NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (account_id, word)
) STRICT, WITHOUT ROWID;
-- migration 0013_changes_keep
-- How long an account's changes are kept, in seconds: NULL as the service is set, 0 for ever
ALTER TABLE accounts ADD COLUMN changes_keep INTEGER;
-- migration 0014_duplicates
-- Leads that were made, changed or deleted and have yet to be indexed: `before` is what the index holds of a lead, as
-- JSON of what matching reads; NULL for a new one. `turn` tells whether a lead has changed while it was worked on.
CREATE TABLE duplicate_queue (
  account_id INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  turn INTEGER NOT NULL DEFAULT 0,
  before TEXT,
  PRIMARY KEY (account_id, rid)
) STRICT, WITHOUT ROWID;

-- Indexed leads that have yet to be compared with others
CREATE TABLE duplicate_due (
  account_id INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, rid)
) STRICT, WITHOUT ROWID;

-- Leads that share one are worth comparing
CREATE TABLE duplicate_keys (
  account_id INTEGER NOT NULL,
  key INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, key, rid)
) STRICT, WITHOUT ROWID;

-- In how many leads a word or a value is
CREATE TABLE duplicate_terms (
  account_id INTEGER NOT NULL,
  term INTEGER NOT NULL,
  leads INTEGER NOT NULL,
  PRIMARY KEY (account_id, term)
) STRICT, WITHOUT ROWID;

-- Pairs of leads, a before b. State 0 is open, 1 dismissed, 2 merged: then b went into a by the merge, and a rid may
-- meanwhile be another lead's. `evidence` is what learning needs.
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
) STRICT;
CREATE UNIQUE INDEX duplicate_pairs_leads ON duplicate_pairs (account_id, a, b) WHERE state < 2;
CREATE INDEX duplicate_pairs_b ON duplicate_pairs (account_id, b) WHERE state < 2;
CREATE INDEX duplicate_pairs_probability ON duplicate_pairs (account_id, state, probability);
CREATE INDEX duplicate_pairs_merge ON duplicate_pairs (merge_rid) WHERE merge_rid IS NOT NULL;

-- Leads that are not the same, by their ids, the smaller first: for ever, whatever becomes of them. What came from a
-- merge, whose survivor stands for its losers, goes when the merge is undone.
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

-- What people said of pairs, for learning
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

-- Settings, what was learned, and how far a pass over all leads is: `pass` is index or compare; `pass_left` leads with
-- rids above `pass_after` up to `pass_to` are still to come. `decided` grows with every decision, `learned` is what it
-- was when probabilities were last worked out from all of them; -1 asks for that. `compared` is how many leads there were at the last pass.
CREATE TABLE duplicate_accounts (
  account_id INTEGER PRIMARY KEY,
  auto_merge_above REAL,
  learning INTEGER NOT NULL DEFAULT 1,
  weights TEXT,
  decided INTEGER NOT NULL DEFAULT 0,
  learned INTEGER NOT NULL DEFAULT 0,
  pass TEXT,
  pass_after INTEGER NOT NULL DEFAULT 0,
  pass_to INTEGER NOT NULL DEFAULT 0,
  pass_left INTEGER NOT NULL DEFAULT 0,
  compared INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO duplicate_accounts (account_id, pass, pass_to, pass_left)
  SELECT key, 'index', (SELECT coalesce(max(rid), 0) FROM leads), lead_count FROM accounts WHERE lead_count > 0;

-- Emails (folded) and source_ids of leads that went into others, which are found by them from then on
CREATE TABLE lead_aliases (
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_aliases_rid ON lead_aliases (account_id, rid);

-- What is needed to take a merge back, as JSON
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
-- migration 0015_secret_overlap
-- The secret that a webhook had before, and until when (Unix seconds) what is sent is signed with it, too.
ALTER TABLE webhooks ADD COLUMN previous_secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_until INTEGER;
-- migration 0016_segments
-- Selections of leads that have a name: filters, a search and a sort as they were sent
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
) STRICT;
CREATE UNIQUE INDEX segments_id ON segments (account_id, id);
-- migration 0017_scoring_lease
-- Which process scores an account's leads at the moment, and until when (Unix milliseconds).
ALTER TABLE accounts ADD COLUMN scoring_lease TEXT;
ALTER TABLE accounts ADD COLUMN scoring_leased_until INTEGER;
-- migration 0018_imports
-- What was imported, by whom, and what became of it: `report` is what the answer said, `done` rows of `total` are behind it.
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
) STRICT;
CREATE UNIQUE INDEX imports_id ON imports (account_id, id);

-- Leads that an import created or merged. The rid of a lead that is removed may be another's later: its rows go with it.
CREATE TABLE import_leads (
  lead INTEGER NOT NULL,
  import INTEGER NOT NULL,
  PRIMARY KEY (lead, import)
) STRICT, WITHOUT ROWID;

-- What columns of files are, as somebody said it: under a name, or for the next file with the same header.
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
-- migration 0019_segment_events
-- Which segments a lead has entered and left in work that tells of many leads at once: kept until an event tells of it.
CREATE TABLE segment_moves (
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  segment TEXT NOT NULL,
  lead TEXT NOT NULL,
  entered INTEGER NOT NULL,
  PRIMARY KEY (account_id, segment, lead)
) STRICT, WITHOUT ROWID;

-- Another number after each change of what decides which segments are to be told of; 0 where nobody listens.
ALTER TABLE accounts ADD COLUMN segments_heard INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET segments_heard = 1
WHERE EXISTS (SELECT 1 FROM segments s WHERE s.account_id = accounts.key)
  AND EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = accounts.key AND w.active = 1
    AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = '*'));
-- migration 0020_phone_numbers
-- Phones in their international form: '' for one of which it is not known, NULL for none and for what was not looked at
-- yet. It is filled behind the writes, an account after the other.
ALTER TABLE leads ADD COLUMN phone_number TEXT;
CREATE INDEX leads_phone_number ON leads (account_id, phone_number) WHERE phone_number > '';

-- The country of phones that name none, by its ISO code.
ALTER TABLE accounts ADD COLUMN default_country TEXT;
-- The id of the lead behind which phones are still to be looked at; NULL when all have been.
ALTER TABLE accounts ADD COLUMN phones_from TEXT;
UPDATE accounts SET phones_from = '' WHERE lead_count > 0;
-- migration 0021_matching_index
-- How far a pass is, as the engine reads it; which index of keys and terms the account's leads have.
ALTER TABLE duplicate_accounts DROP COLUMN pass_after;
ALTER TABLE duplicate_accounts ADD COLUMN pass_place TEXT;
ALTER TABLE duplicate_accounts ADD COLUMN index_version INTEGER NOT NULL DEFAULT 1;
INSERT OR IGNORE INTO duplicate_accounts (account_id) SELECT key FROM accounts;
-- migration 0022_activity
-- What was done with a lead: columns of `leads` are searched and sorted by, `lead_scores` has the same as members of JSON,
-- NULL where nothing was done. `contacted_at` is when the status became contacted last, `last_contacted_at` the later of
-- that and the newest note. Only leads with notes are written here.
ALTER TABLE leads ADD COLUMN last_note_at INTEGER;
ALTER TABLE leads ADD COLUMN note_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN last_contacted_at INTEGER;
ALTER TABLE leads ADD COLUMN contacted_at INTEGER;
ALTER TABLE lead_scores ADD COLUMN activity TEXT;
UPDATE leads SET note_count = n.count, last_note_at = n.newest, last_contacted_at = n.newest
  FROM (SELECT lead_rid, count(*) AS count, max(created_at) AS newest FROM notes GROUP BY lead_rid) n
  WHERE leads.rid = n.lead_rid;
UPDATE lead_scores SET activity = (
  SELECT '"last_note_at":' || last_note_at || ',"note_count":' || note_count || ',"last_contacted_at":' || last_contacted_at
  FROM leads WHERE leads.rid = lead_scores.rid
) WHERE rid IN (SELECT lead_rid FROM notes);
-- migration 0023_trail_rows
-- The trail, a row a change: who changed which lead when and how, with what is needed to go back from the lead after the
-- change to the one before it. The rows of older files are made of `trail_chunks` and `changes` behind this, in the same
-- transaction (store/sqlite/trail/convert.ts).

ALTER TABLE trail RENAME TO trail_chunks;
DROP INDEX trail_leads_lead;
ALTER TABLE trail_leads RENAME TO trail_chunk_leads;

-- A lead as a number, also when it is deleted
CREATE TABLE trail_leads (
  key INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  lead_id ANY NOT NULL
) STRICT;
INSERT INTO trail_leads (key, account_id, lead_id) SELECT key, account_id, lead_id FROM trail_chunk_leads;
CREATE UNIQUE INDEX trail_leads_id ON trail_leads (account_id, lead_id);

-- `lead` is a number of trail_leads, `batch` of trail_batches; `reason`, `actor`, `key` and `attributes` are numbers of
-- trail_names. `action` is 0 for created, 1 updated, 2 merged, 3 deleted.
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

-- Its rows as they are made, from the newest to the oldest of each account
CREATE TABLE trail_made AS SELECT * FROM trail;
-- migration 0024_trail_order
-- The trail's rows in order, and then its index: written at once, they take the least room
INSERT INTO trail SELECT * FROM trail_made ORDER BY rowid DESC;
CREATE INDEX trail_lead ON trail (account_id, lead, seq);
DROP TABLE trail_made;
DROP TABLE trail_chunks;
DROP TABLE trail_chunk_leads;
DROP TABLE changes;
-- migration 0025_invited_by
-- The key or member whose invitation is open: it ends with them.
ALTER TABLE members ADD COLUMN invited_by TEXT;
-- migration 0026_import_ends
-- How long the process that runs an import is known to live (Unix milliseconds); a job has a lease of its own.
ALTER TABLE imports ADD COLUMN alive_until INTEGER;
CREATE INDEX imports_running ON imports (alive_until) WHERE state = 'running';

-- The import that the request behind a mark runs, and the bytes of an answer that count against the account's storage.
ALTER TABLE idempotent_answers ADD COLUMN import_id TEXT;
ALTER TABLE idempotent_answers ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
-- migration 0027_list_style
-- The style of lists that a key's requests get; null follows the service.
ALTER TABLE api_keys ADD COLUMN list_style TEXT;
-- migration 0028_last_touched
-- The latest push, change, note or contact, worked out of the columns that hold them where it is read.
ALTER TABLE leads ADD COLUMN last_touched_at INTEGER GENERATED ALWAYS AS (
  max(updated_at, last_interaction_at, coalesce(last_note_at, 0), coalesce(last_contacted_at, 0))
) VIRTUAL;
-- migration 0029_derived_index
-- What is derived from leads has a file of its own, which is made again whenever it is missing (src/store/sqlite/derived).
-- It follows the leads by their rids, and what changes of older ones by the numbers of this log; creates write nothing here.
-- The log keeps its last row, so that a gap in the numbers tells an index that it has missed some. A `rid` of 0 stands for
-- a whole account that is gone.
CREATE TABLE lead_log (
  n INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  rid INTEGER NOT NULL
) STRICT;
INSERT INTO lead_log (n, account, rid) VALUES (1, 0, 0);

-- The highest rid that a lead had which is gone. Rids up to it may be given again, which the log has to tell.
CREATE TABLE lead_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  rid INTEGER NOT NULL
) STRICT;
INSERT INTO lead_head (one, rid) VALUES (1, 0);

DROP TABLE lead_words;
DROP TABLE lead_words_waiting;
DROP TABLE known_words;
DROP TABLE lead_texts;
DROP TABLE lead_texts_waiting;
-- migration 0030_guard
-- Whether calls of tools with the key ask before harm: `plan` shows first what they would do.
ALTER TABLE api_keys ADD COLUMN guard TEXT;
-- migration 0031_matching_derived
-- Keys, terms and queues of comparing are in the derived file (src/store/sqlite/duplicates/matching-index.ts), which is
-- made again from the leads. Pairs, decisions, dismissals, merges and learned weights stay.
DROP TABLE duplicate_queue;
DROP TABLE duplicate_due;
DROP TABLE duplicate_keys;
DROP TABLE duplicate_terms;
UPDATE duplicate_accounts SET pass = NULL, pass_place = NULL, pass_left = 0 WHERE pass IN ('clear', 'index');
-- migration 0032_next_step
-- Whose lead it is, what is to be done next and when, for which step a reminder was sent, and names of the statuses.
ALTER TABLE leads ADD COLUMN owner TEXT;
ALTER TABLE leads ADD COLUMN next_step TEXT;
ALTER TABLE leads ADD COLUMN next_step_at INTEGER;
ALTER TABLE leads ADD COLUMN due_told_at INTEGER;
CREATE INDEX leads_due ON leads (account_id, next_step_at)
  WHERE next_step_at IS NOT NULL AND (due_told_at IS NULL OR due_told_at <> next_step_at);
ALTER TABLE accounts ADD COLUMN statuses TEXT;
-- migration 0033_forms
-- Forms of public addresses. `settings` is what owners set, as JSON, and `secret` the captcha's, encrypted where there is a
-- key. A form is found by its id alone, which is the key of those who fill it in.
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

-- What was posted and is no lead yet: spam, and what waits for its confirmation. `lead` is the lead that it becomes, as JSON;
-- empty once it was confirmed.
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
) STRICT;
CREATE UNIQUE INDEX form_posts_id ON form_posts (account_id, id);
CREATE INDEX form_posts_form ON form_posts (account_id, form_id, state, rid);
CREATE INDEX form_posts_email ON form_posts (account_id, email) WHERE email IS NOT NULL;
CREATE INDEX form_posts_ends ON form_posts (ends_at);
-- migration 0034_suppressions
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
-- migration 0035_key_segment
-- The segment that the key is bound to, by its public id: it sees and writes these leads alone.
ALTER TABLE api_keys ADD COLUMN segment TEXT;
-- migration 0036_member_oidc
-- Members who sign in with the provider of OpenID Connect, by the issuer and the subject there.
ALTER TABLE members ADD COLUMN oidc_subject TEXT;
CREATE UNIQUE INDEX members_oidc ON members (oidc_subject) WHERE oidc_subject IS NOT NULL;
-- migration 0037_privacy
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
-- migration 0038_attribute_definitions
-- What an account says of the attributes of a name: type, options, unit, place on screens.
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
-- migration 0039_lead_contacts
-- Emails and phones of leads besides the first, by which leads are found as well.
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
-- migration 0040_email_status
-- What is known of a lead's email, and up to which lead of an account it was looked up whether domains take mail.
ALTER TABLE leads ADD COLUMN email_status TEXT;
ALTER TABLE accounts ADD COLUMN mail_looked TEXT;
-- migration 0041_asked_pairs
-- Pairs that an import opened instead of merging stay open where comparing finds less.
ALTER TABLE duplicate_pairs ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
-- migration 0042_learned_loss
-- How learned weights and the shipped ones explain an account's own decisions.
ALTER TABLE duplicate_accounts ADD COLUMN loss TEXT;
-- migration 0043_form_senders
-- Who sent a post, as a hash of the address: of too many posts those of the sender with most of them go first.
ALTER TABLE form_posts ADD COLUMN sender TEXT;
CREATE INDEX form_posts_sender ON form_posts (account_id, form_id, state, reason, sender, rid);
-- migration 0044_makers
-- Who a key, a link or a webhook came from, since none of them may do more than its maker, nor live longer.
ALTER TABLE api_keys ADD COLUMN maker TEXT;
ALTER TABLE links ADD COLUMN made_by TEXT;
ALTER TABLE webhooks ADD COLUMN made_by TEXT;

WITH RECURSIVE up (id, by) AS (
  SELECT id, issued_by FROM api_keys WHERE issued_by IS NOT NULL
  UNION SELECT up.id, k.issued_by FROM up JOIN api_keys k ON k.id = up.by WHERE k.issued_by IS NOT NULL
)
UPDATE api_keys SET maker = (SELECT m.id FROM up JOIN members m ON m.id = up.by WHERE up.id = api_keys.id);

UPDATE links SET made_by = coalesce(
  (SELECT k.id FROM api_keys k WHERE k.id = links.actor_id),
  (SELECT m.id FROM members m WHERE m.account_id = links.account_id AND m.name = links.actor_id)
);

-- Domains, with spaces between them, whose verified addresses sign in here with the provider of OpenID Connect.
ALTER TABLE accounts ADD COLUMN domains TEXT;
-- migration 0045_time_zone
-- The zone of an account's days, where it is not UTC.
ALTER TABLE accounts ADD COLUMN time_zone TEXT;
-- migration 0046_unusable_emails
-- Emails without a dot in the domain are no addresses: several leads may have the same one.
DROP INDEX leads_email;
CREATE UNIQUE INDEX leads_email ON leads (account_id, email, CASE WHEN instr(substr(email, instr(email, '@')), '.') > 0 THEN 0 ELSE rid END);
-- migration 0047_views
-- From here on the views for other programs are made behind every migration: src/store/sql/views.ts
SELECT 1;
-- migration 0048_activities
-- Calls, emails and meetings with a lead. `contacted_at` is the last contact that is not among them: by the status, and
-- by notes of older versions, which count as contacts no more.
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
UPDATE leads SET contacted_at = last_contacted_at WHERE last_contacted_at IS NOT contacted_at;
-- migration 0049_stages
-- Stages of an account, each within one of the five statuses; removed ones stay for those who undo it.
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
ALTER TABLE leads ADD COLUMN stage TEXT;
ALTER TABLE leads ADD COLUMN lost_reason TEXT;
ALTER TABLE leads ADD COLUMN value REAL;
-- migration 0050_templates
-- Mails with fields of leads in them.
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
-- migration 0051_export_tickets
-- Addresses of exports that work without a key for a while: by a hash of what stands in them.
CREATE TABLE export_tickets (
  hash BLOB NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  key_id TEXT NOT NULL,
  wanted TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX export_tickets_account ON export_tickets (account_id, expires_at);
-- migration 0052_companies
-- The firm that each lead is of, firms that were merged, and up to which of an account's older leads it was found out.
ALTER TABLE leads ADD COLUMN company_id TEXT;
CREATE INDEX leads_company_id ON leads (account_id, company_id);
CREATE TABLE company_merges (
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  into_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
ALTER TABLE accounts ADD COLUMN companies_from TEXT;
UPDATE accounts SET companies_from = '' WHERE lead_count > 0;
-- migration 0053_note_author
-- Who wrote a note: the name of a member, or of a key. Older notes have none.
ALTER TABLE notes ADD COLUMN author TEXT;
-- migration 0054_uploads
-- What each process of the service holds of an account's uploads that are under way; nothing of a process that died.
CREATE TABLE uploads (
  account_id INTEGER NOT NULL,
  process TEXT NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  alive_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, process)
) STRICT, WITHOUT ROWID;
-- migration 0055_contact_lists
-- The views show both lists of contacts of older leads, too: src/store/sql/views.ts
SELECT 1;
