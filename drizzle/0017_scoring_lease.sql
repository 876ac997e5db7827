-- Which process scores an account's leads at the moment, and until when (Unix milliseconds).
ALTER TABLE accounts ADD COLUMN scoring_lease TEXT;
ALTER TABLE accounts ADD COLUMN scoring_leased_until INTEGER;
