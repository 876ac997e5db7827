-- The firm that each lead is of, firms that were merged, and up to which of an account's older leads it was found out.
ALTER TABLE leads ADD COLUMN company_id TEXT;
CREATE INDEX leads_company_id ON leads (account_id, company_id);
CREATE TABLE company_merges (
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  into_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
ALTER TABLE accounts ADD COLUMN companies_from TEXT;
UPDATE accounts SET companies_from = '' WHERE lead_count > 0;
