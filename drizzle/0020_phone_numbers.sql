-- Phones in their international form: '' for one of which it is not known, NULL for none and for what was not looked at
-- yet. It is filled behind the writes, an account after the other.
ALTER TABLE leads ADD COLUMN phone_number TEXT;
CREATE INDEX leads_phone_number ON leads (account_id, phone_number) WHERE phone_number > '';

-- The country of phones that name none, by its ISO code.
ALTER TABLE accounts ADD COLUMN default_country TEXT;
-- The id of the lead behind which phones are still to be looked at; NULL when all have been.
ALTER TABLE accounts ADD COLUMN phones_from TEXT;
UPDATE accounts SET phones_from = '' WHERE lead_count > 0;
