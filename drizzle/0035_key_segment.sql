-- The segment that the key is bound to, by its public id: it sees and writes these leads alone.
ALTER TABLE api_keys ADD COLUMN segment TEXT;
