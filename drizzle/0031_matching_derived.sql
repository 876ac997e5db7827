-- Keys, terms and queues of comparing are in the derived file (src/store/sqlite/duplicates/matching-index.ts), which is
-- made again from the leads. Pairs, decisions, dismissals, merges and learned weights stay.
DROP TABLE duplicate_queue;
DROP TABLE duplicate_due;
DROP TABLE duplicate_keys;
DROP TABLE duplicate_terms;
UPDATE duplicate_accounts SET pass = NULL, pass_place = NULL, pass_left = 0 WHERE pass IN ('clear', 'index');
