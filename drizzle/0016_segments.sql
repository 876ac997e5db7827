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
