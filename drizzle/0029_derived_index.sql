-- What is derived from leads has a file of its own, which is made again whenever it is missing (src/store/sqlite/derived).
-- It follows the leads by their rids, and what changes of older ones by the numbers of this log; creates write nothing here.
-- The log keeps its last row, so that a gap in the numbers tells an index that it has missed some. A `rid` of 0 stands for
-- a whole account that is gone.
CREATE TABLE lead_log (
  n INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  rid INTEGER NOT NULL
) STRICT;
INSERT INTO lead_log (n, account, rid) VALUES (1, 0, 0);

-- The highest rid that a lead had which is gone. Rids up to it may be given again, which the log has to tell.
CREATE TABLE lead_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  rid INTEGER NOT NULL
) STRICT;
INSERT INTO lead_head (one, rid) VALUES (1, 0);

DROP TABLE lead_words;
DROP TABLE lead_words_waiting;
DROP TABLE known_words;
DROP TABLE lead_texts;
DROP TABLE lead_texts_waiting;
