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
