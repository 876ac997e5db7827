-- How long an account's changes are kept, in seconds: NULL as the service is set, 0 for ever
ALTER TABLE accounts ADD COLUMN changes_keep INTEGER;
