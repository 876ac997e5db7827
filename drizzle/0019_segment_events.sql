-- Which segments a lead has entered and left in work that tells of many leads at once: kept until an event tells of it.
CREATE TABLE segment_moves (
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  segment TEXT NOT NULL,
  lead TEXT NOT NULL,
  entered INTEGER NOT NULL,
  PRIMARY KEY (account_id, segment, lead)
) STRICT, WITHOUT ROWID;

-- Another number after each change of what decides which segments are to be told of; 0 where nobody listens.
ALTER TABLE accounts ADD COLUMN segments_heard INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET segments_heard = 1
WHERE EXISTS (SELECT 1 FROM segments s WHERE s.account_id = accounts.key)
  AND EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = accounts.key AND w.active = 1
    AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = '*'));
