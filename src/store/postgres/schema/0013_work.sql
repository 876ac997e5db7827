-- Work that takes longer than a request, done slice by slice; a running job is its worker's as long as the lease is.
CREATE TABLE jobs (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  progress text,
  done bigint NOT NULL,
  total bigint,
  failed bigint NOT NULL DEFAULT 0,
  errors text NOT NULL,
  batch_id text,
  import_id text,
  key_id text NOT NULL,
  actor_id text NOT NULL,
  role text NOT NULL,
  created_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint,
  lease text,
  leased_until bigint
);
CREATE UNIQUE INDEX jobs_id ON jobs (account_id, id);
CREATE INDEX jobs_open ON jobs (account_id, rid) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;

-- What a job needs to know: apart, since its row is written with every slice. It goes when the job ends.
CREATE TABLE job_inputs (
  rid bigint PRIMARY KEY,
  account_id bigint NOT NULL,
  input text NOT NULL
);

-- Answers to requests that carried an Idempotency-Key: both ids are hashes, the answer is encrypted with the key.
CREATE TABLE idempotent_answers (
  account_id bigint NOT NULL,
  key bytea NOT NULL,
  request bytea NOT NULL,
  answer bytea,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotent_answers_created_at ON idempotent_answers (created_at);

-- What was imported, by whom, and what became of it
CREATE TABLE imports (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  file_name text,
  state text NOT NULL,
  actor_id text NOT NULL,
  key_id text NOT NULL,
  job text,
  undo_job text,
  done bigint NOT NULL,
  total bigint,
  report text NOT NULL,
  created_at bigint NOT NULL,
  ended_at bigint,
  undone_at bigint
);
CREATE UNIQUE INDEX imports_id ON imports (account_id, id);

-- Leads that an import created or merged
CREATE TABLE import_leads (
  account_id bigint NOT NULL,
  lead bigint NOT NULL,
  import bigint NOT NULL,
  PRIMARY KEY (account_id, lead, import)
);
CREATE INDEX import_leads_import ON import_leads (account_id, import);

-- What columns of files are, as somebody said it: under a name, or for the next file with the same header.
CREATE TABLE import_mappings (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  name text COLLATE "C",
  header text COLLATE "C",
  options text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL
);
CREATE UNIQUE INDEX import_mappings_name ON import_mappings (account_id, name) WHERE name IS NOT NULL;
CREATE INDEX import_mappings_header ON import_mappings (account_id, md5(header));
