-- By which keys leads are compared, a row a lead: 0.6 KB where a row a key took 1.5. Each key has its account above its 32
-- bits. Entries are made at once: what an index puts off, each look at it reads.
CREATE TABLE match_keys (
  account_id integer NOT NULL,
  rid bigint NOT NULL,
  keys bigint[] NOT NULL,
  PRIMARY KEY (account_id, rid)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX match_keys_keys ON match_keys USING gin (keys) WITH (fastupdate = off);

-- In how many leads a word or a value is
CREATE TABLE match_terms (
  account_id integer NOT NULL,
  term integer NOT NULL,
  leads integer NOT NULL,
  PRIMARY KEY (account_id, term)
);

-- Instances of older versions make an index of their own here, while they work on an account; it is made anew when a newer one
-- takes the account over.
TRUNCATE duplicate_keys, duplicate_terms;
