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
