-- The zone of an account's days, where it is not UTC.
ALTER TABLE accounts ADD COLUMN time_zone text COLLATE "C";
