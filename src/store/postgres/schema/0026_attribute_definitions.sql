-- What an account says of the attributes of a name: type, options, unit, place on screens.
CREATE TABLE attribute_definitions (
  account_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text NOT NULL,
  options text,
  required boolean NOT NULL,
  unit text,
  position bigint,
  description text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, name)
);
