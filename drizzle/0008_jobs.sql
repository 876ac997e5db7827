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
