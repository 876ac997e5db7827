-- Stages of an account, each within one of the five statuses; removed ones stay for those who undo it.
CREATE TABLE stages (
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  status text NOT NULL,
  color text NOT NULL,
  position bigint NOT NULL,
  removed boolean NOT NULL,
  PRIMARY KEY (account_id, id)
);
ALTER TABLE leads ADD COLUMN stage text COLLATE "C";
ALTER TABLE leads ADD COLUMN lost_reason text COLLATE "C";
ALTER TABLE leads ADD COLUMN value double precision;
