-- Stages of an account, each within one of the five statuses; removed ones stay for those who undo it.
CREATE TABLE stages (
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  color TEXT NOT NULL,
  position INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
ALTER TABLE leads ADD COLUMN stage TEXT;
ALTER TABLE leads ADD COLUMN lost_reason TEXT;
ALTER TABLE leads ADD COLUMN value REAL;
