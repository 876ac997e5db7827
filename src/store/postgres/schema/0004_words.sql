-- The words of a lead and its notes, for searching; `notes` are those of its notes again, to put both together when the
-- lead changes. Each begins with its account, so that an account searches among its own words alone, and with `w` or, in
-- notes, `n`; its places say in which fields it is: A the name, B facts of it, C where it is, D texts.
CREATE TABLE lead_words (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  words tsvector NOT NULL,
  notes tsvector,
  PRIMARY KEY (account_id, rid)
);
CREATE INDEX lead_words_words ON lead_words USING gin (words);

-- Words of letters, for finding what a mistyped one was meant to be: each also backwards, behind a "<". Words that no
-- lead has any more stay.
CREATE TABLE known_words (
  account_id bigint NOT NULL,
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, word)
);

-- The texts of a lead in the letters that an index of trigrams has, for finding parts of them. The index is no part of the
-- schema: it is made where the database has the extensions for it.
CREATE TABLE lead_texts (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  text text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, rid)
);
