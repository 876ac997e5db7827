-- Which leads may hold a text: the trigrams of all texts of a lead, folded. It is filled behind the writes, lead by
-- lead out of `lead_texts_waiting`, so a search looks into both. Segments are merged in small steps by the filler:
-- on its own FTS5 would now and then hold up a write for 150 ms.

CREATE VIRTUAL TABLE lead_texts USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO lead_texts (lead_texts, rank) VALUES ('automerge', 0);

CREATE TABLE lead_texts_waiting (rid INTEGER PRIMARY KEY) STRICT;
INSERT INTO lead_texts_waiting (rid) SELECT rid FROM leads;

-- What lists are asked for most: a city's leads, the best rated first
CREATE INDEX leads_city_rating ON leads (account_id, city, rating);

CREATE INDEX leads_country ON leads (account_id, country);
CREATE INDEX leads_state ON leads (account_id, state);
