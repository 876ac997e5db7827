-- Emails and phones of leads besides the first, by which leads are found as well.
CREATE TABLE lead_contacts (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  item integer NOT NULL,
  text text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  number text COLLATE "C",
  PRIMARY KEY (account_id, rid, kind, item)
);
CREATE INDEX lead_contacts_text ON lead_contacts (account_id, kind, left(text, 400));
CREATE INDEX lead_contacts_key ON lead_contacts (account_id, left(key, 100)) WHERE key IS NOT NULL;
CREATE INDEX lead_contacts_number ON lead_contacts (account_id, left(number, 100)) WHERE number IS NOT NULL;
