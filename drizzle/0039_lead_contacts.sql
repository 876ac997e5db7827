-- Emails and phones of leads besides the first, by which leads are found as well.
CREATE TABLE lead_contacts (
  account_id INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  kind TEXT NOT NULL,
  item INTEGER NOT NULL,
  text TEXT NOT NULL,
  key TEXT,
  number TEXT,
  PRIMARY KEY (account_id, rid, kind, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_contacts_text ON lead_contacts (account_id, kind, text);
CREATE INDEX lead_contacts_key ON lead_contacts (account_id, key) WHERE key IS NOT NULL;
CREATE INDEX lead_contacts_number ON lead_contacts (account_id, number) WHERE number IS NOT NULL;
