-- Where a person works, and as what
ALTER TABLE leads ADD COLUMN company TEXT;
ALTER TABLE leads ADD COLUMN job_title TEXT;
ALTER TABLE leads ADD COLUMN linkedin_url TEXT;
CREATE INDEX leads_company ON leads (account_id, company);
