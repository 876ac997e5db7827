-- What each process of the service holds of an account's uploads that are under way; nothing of a process that died.
CREATE TABLE uploads (
  account_id INTEGER NOT NULL,
  process TEXT NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  alive_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, process)
) STRICT, WITHOUT ROWID;
