-- Answers to requests that carried an Idempotency-Key, for those who send them again: both ids are hashes, the answer is
-- encrypted with the key that was sent. NULL while a request is under way that takes several transactions.
CREATE TABLE idempotent_answers (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  key BLOB NOT NULL,
  request BLOB NOT NULL,
  answer BLOB,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX idempotent_answers_key ON idempotent_answers (account_id, key);
CREATE INDEX idempotent_answers_created_at ON idempotent_answers (created_at);
