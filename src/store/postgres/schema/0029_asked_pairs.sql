-- Pairs that an import opened instead of merging stay open where comparing finds less.
ALTER TABLE duplicate_pairs ADD COLUMN asked integer NOT NULL DEFAULT 0;
