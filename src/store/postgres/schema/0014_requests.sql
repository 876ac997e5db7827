-- Requests that count against a limit, by the database's clock: `slots` of Unix milliseconds with the requests in each.
-- Unlogged: nobody waits for a disk to be counted, and after a failover everybody begins anew.
CREATE UNLOGGED TABLE request_counts (
  name text COLLATE "C" PRIMARY KEY,
  slots bigint[] NOT NULL,
  counts bigint[] NOT NULL,
  granted bigint NOT NULL,
  ends bigint NOT NULL
) WITH (fillfactor = 50);

-- Files that wait for work which goes on behind its answer, on whichever instance that is
CREATE TABLE kept_files (
  name text COLLATE "C" NOT NULL,
  part int NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, part)
);
