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
