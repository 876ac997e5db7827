-- Leads that were made, changed or deleted and have yet to be indexed: `before` is what the index holds of a lead, as
-- JSON of what matching reads; NULL for a new one. `turn` tells whether a lead has changed while it was worked on.
CREATE TABLE duplicate_queue (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  turn bigint NOT NULL DEFAULT 0,
  before text,
  PRIMARY KEY (account_id, rid)
);

-- Indexed leads that have yet to be compared with others
CREATE TABLE duplicate_due (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);

-- Leads that share one are worth comparing
CREATE TABLE duplicate_keys (
  account_id bigint NOT NULL,
  key bigint NOT NULL,
  rid bigint NOT NULL,
  PRIMARY KEY (account_id, key, rid)
);

-- In how many leads a word or a value is
CREATE TABLE duplicate_terms (
  account_id bigint NOT NULL,
  term bigint NOT NULL,
  leads bigint NOT NULL,
  PRIMARY KEY (account_id, term)
);

-- Pairs of leads, a before b. State 0 is open, 1 dismissed, 2 merged: then b went into a by the merge. `evidence` is what
-- learning needs.
CREATE TABLE duplicate_pairs (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  a bigint NOT NULL,
  b bigint NOT NULL,
  state integer NOT NULL DEFAULT 0,
  probability double precision NOT NULL,
  reasons text NOT NULL,
  evidence text NOT NULL,
  merge_rid bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX duplicate_pairs_leads ON duplicate_pairs (account_id, a, b) WHERE state < 2;
CREATE INDEX duplicate_pairs_b ON duplicate_pairs (account_id, b) WHERE state < 2;
CREATE INDEX duplicate_pairs_probability ON duplicate_pairs (account_id, state, probability, rid);
CREATE INDEX duplicate_pairs_merge ON duplicate_pairs (account_id, merge_rid) WHERE merge_rid IS NOT NULL;

-- Leads that are not the same, by their ids, the smaller first: for ever, whatever becomes of them. What came from a
-- merge, whose survivor stands for its losers, goes when the merge is undone.
CREATE TABLE duplicate_dismissals (
  account_id bigint NOT NULL,
  low text COLLATE "C" NOT NULL,
  high text COLLATE "C" NOT NULL,
  merge_rid bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, low, high, merge_rid)
);
CREATE INDEX duplicate_dismissals_high ON duplicate_dismissals (account_id, high);
CREATE INDEX duplicate_dismissals_merge ON duplicate_dismissals (account_id, merge_rid) WHERE merge_rid > 0;

-- What people said of pairs, for learning
CREATE TABLE duplicate_decisions (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  pair_rid bigint NOT NULL,
  is_same integer NOT NULL,
  probability double precision NOT NULL,
  evidence text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX duplicate_decisions_pair ON duplicate_decisions (account_id, pair_rid);

-- Settings, what was learned, and how far a pass over all leads is: `pass` is index or compare; `pass_left` leads with
-- rids up to `pass_to` are still to come. `decided` grows with every decision, `learned` is what it
-- was when probabilities were last worked out from all of them; -1 asks for that.
CREATE TABLE duplicate_accounts (
  account_id bigint PRIMARY KEY,
  auto_merge_above double precision,
  learning integer NOT NULL DEFAULT 1,
  weights text,
  decided bigint NOT NULL DEFAULT 0,
  learned bigint NOT NULL DEFAULT 0,
  pass text,
  pass_place text,
  pass_to bigint NOT NULL DEFAULT 0,
  pass_left bigint NOT NULL DEFAULT 0,
  compared bigint NOT NULL DEFAULT 0,
  index_version integer NOT NULL
);

-- Which process compares the leads of an account; `until` in Unix milliseconds of the database.
CREATE TABLE matching_leases (
  account_id bigint PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until bigint NOT NULL
);

-- What is needed to take a merge back, as JSON
CREATE TABLE merges (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  survivor_id text COLLATE "C" NOT NULL,
  data text NOT NULL,
  created_at bigint NOT NULL,
  undone_at bigint,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX merges_id ON merges (account_id, id);
CREATE INDEX merges_survivor ON merges (account_id, survivor_id, rid);
