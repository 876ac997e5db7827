-- Calls, emails and meetings with a lead. `contacted_at` is the last contact that is not among them: by the status, and
-- by notes of older versions, which count as contacts no more.
CREATE TABLE activities (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  lead_rid bigint NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  outcome text,
  text text,
  at bigint NOT NULL,
  author text NOT NULL,
  member_id text COLLATE "C",
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX activities_id ON activities (account_id, id);
CREATE INDEX activities_lead ON activities (account_id, lead_rid, at, id);
CREATE INDEX activities_at ON activities (account_id, at);
UPDATE leads SET contacted_at = last_contacted_at WHERE last_contacted_at IS DISTINCT FROM contacted_at;
