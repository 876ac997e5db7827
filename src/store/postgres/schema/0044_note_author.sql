-- Who wrote a note: the name of a member, or of a key. Older notes have none.
ALTER TABLE notes ADD COLUMN author text;
