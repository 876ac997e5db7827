-- What an account says of the attributes of a name: type, options, unit, place on screens.
CREATE TABLE attribute_definitions (
  account_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  options TEXT,
  required INTEGER NOT NULL,
  unit TEXT,
  position INTEGER,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
