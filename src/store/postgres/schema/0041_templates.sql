-- Mails with fields of leads in them.
CREATE TABLE templates (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX templates_id ON templates (account_id, id);
