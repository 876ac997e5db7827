-- What each process of the service holds of an account's uploads that are under way; nothing of a process that died.
CREATE UNLOGGED TABLE uploads (
  account_id bigint NOT NULL,
  process text COLLATE "C" NOT NULL,
  files bigint NOT NULL,
  bytes bigint NOT NULL,
  alive_until bigint NOT NULL,
  PRIMARY KEY (account_id, process)
);
