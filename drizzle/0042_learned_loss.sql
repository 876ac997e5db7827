-- How learned weights and the shipped ones explain an account's own decisions.
ALTER TABLE duplicate_accounts ADD COLUMN loss TEXT;
