-- The trail: what changed of which lead, in the order of commits; it outlives its lead. `facts` say how to go back from the
-- lead after a change to the one before it, as JSON; scores stand beside, as they move without changes. `state` is a whole
-- lead: what a deleted one was last, and now and then what one was after a change.
CREATE TABLE trail (
  account_id bigint NOT NULL,
  seq bigint NOT NULL,
  id text COLLATE "C",
  lead_id text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  reason text,
  actor_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C",
  batch_id text COLLATE "C",
  import_id text COLLATE "C",
  created_at bigint NOT NULL,
  facts text,
  score_before double precision,
  score_after double precision,
  pushed text,
  state text,
  notes text,
  PRIMARY KEY (account_id, seq)
);
CREATE INDEX trail_lead ON trail (account_id, lead_id, seq);
CREATE INDEX trail_state ON trail (account_id, lead_id, seq) WHERE state IS NOT NULL;
CREATE INDEX trail_batch ON trail (account_id, batch_id, seq) WHERE batch_id IS NOT NULL;
CREATE INDEX trail_import ON trail (account_id, import_id, seq) WHERE import_id IS NOT NULL;
