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
