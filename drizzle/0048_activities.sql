-- Calls, emails and meetings with a lead. `contacted_at` is the last contact that is not among them: by the status, and
-- by notes of older versions, which count as contacts no more.
CREATE TABLE activities (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  lead_rid INTEGER NOT NULL,
  lead_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  outcome TEXT,
  text TEXT,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  member_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX activities_id ON activities (account_id, id);
CREATE INDEX activities_lead ON activities (lead_rid, at, id);
CREATE INDEX activities_at ON activities (account_id, at);
UPDATE leads SET contacted_at = last_contacted_at WHERE last_contacted_at IS NOT contacted_at;
