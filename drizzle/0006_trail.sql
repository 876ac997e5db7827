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
