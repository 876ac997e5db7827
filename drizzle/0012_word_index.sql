-- The words of a lead and its notes, for searching. It is filled behind the writes out of `lead_words_waiting`, like
-- `lead_texts`. Words come folded, each behind two characters that stand for its account: an account searches among
-- its own words alone. Prefixes of two letters (four characters) have lists of their own.

CREATE VIRTUAL TABLE lead_words USING fts5 (
  name, kind, contact, place, text, notes,
  content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4'
);
INSERT INTO lead_words (lead_words, rank) VALUES ('automerge', 0);

CREATE TABLE lead_words_waiting (
  account_id INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY (account_id, rid)
) STRICT, WITHOUT ROWID;
INSERT INTO lead_words_waiting (account_id, rid) SELECT account_id, rid FROM leads ORDER BY account_id, rid;

-- Words of letters, for finding what a mistyped one was meant to be: each also backwards, behind a "<". Words that no
-- lead has any more stay.
CREATE TABLE known_words (
  account_id INTEGER NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (account_id, word)
) STRICT, WITHOUT ROWID;
