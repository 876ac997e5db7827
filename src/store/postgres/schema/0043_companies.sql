-- The firm that each lead is of, firms that were merged, and up to which of an account's older leads it was found out.
ALTER TABLE leads ADD COLUMN company_id text COLLATE "C";
CREATE INDEX leads_by_company_id ON leads (account_id, left(company_id, 640), rid);
CREATE TABLE company_merges (
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  into_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, id)
);
ALTER TABLE accounts ADD COLUMN companies_from text COLLATE "C";
UPDATE accounts SET companies_from = '' WHERE lead_count > 0;
