-- Leads. Columns hold what is searched and sorted by: texts folded (NFC, lower case), numbers and times, which are all kept
-- as they are in JSON; `data` is the lead as clients read it. A rid is its account's: it is given under the account's lock, so
-- that the order of rids is the order of commits.
-- An entry of an index has room for 2,700 bytes: of texts it has the beginning, and hashes where only equality counts.

CREATE TABLE leads (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  phone text COLLATE "C",
  website text COLLATE "C",
  company text COLLATE "C",
  job_title text COLLATE "C",
  linkedin_url text COLLATE "C",
  address text COLLATE "C",
  city text COLLATE "C",
  state text COLLATE "C",
  country text COLLATE "C",
  postal_code text COLLATE "C",
  category text COLLATE "C",
  description text COLLATE "C",
  logo_url text COLLATE "C",
  source_id text COLLATE "C",
  phone_key text COLLATE "C",
  phone_number text COLLATE "C",
  source_id_exact text COLLATE "C",
  latitude double precision,
  longitude double precision,
  rating double precision,
  review_count double precision,
  created_at double precision NOT NULL,
  updated_at double precision NOT NULL,
  last_interaction_at double precision NOT NULL,
  last_note_at double precision,
  note_count double precision NOT NULL DEFAULT 0,
  last_contacted_at double precision,
  contacted_at double precision,
  tags integer NOT NULL,
  shape integer NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (account_id, rid)
);

-- A document with these fields, in this order: null where it has none. What it has stays as it is written.
CREATE FUNCTION lead_document(data text, fields text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '{' || string_agg(to_json(f.name)::text || ':' || coalesce((data::json -> f.name)::text, 'null'), ',' ORDER BY f.n) || '}'
  FROM unnest(fields) WITH ORDINALITY AS f (name, n)
$$;

CREATE UNIQUE INDEX leads_id ON leads (account_id, id);
CREATE UNIQUE INDEX leads_email ON leads (account_id, md5(email)) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX leads_source_id ON leads (account_id, md5(source_id_exact)) WHERE source_id_exact IS NOT NULL;
CREATE INDEX leads_phone_key ON leads (account_id, left(phone_key, 100), rid) WHERE phone_key IS NOT NULL;
CREATE INDEX leads_phone_number ON leads (account_id, left(phone_number, 100), rid) WHERE phone_number > '';
CREATE INDEX leads_name_city ON leads (account_id, left(name, 300), left(city, 300), rid) WHERE city IS NOT NULL;
CREATE INDEX leads_by_email ON leads (account_id, left(email, 640), rid);
CREATE INDEX leads_by_name ON leads (account_id, left(name, 640), rid);
CREATE INDEX leads_by_source ON leads (account_id, left(source, 640), rid);
CREATE INDEX leads_by_status ON leads (account_id, left(status, 640), rid);
CREATE INDEX leads_by_company ON leads (account_id, left(company, 640), rid);
CREATE INDEX leads_by_city ON leads (account_id, left(city, 640), rid);
CREATE INDEX leads_by_city_rating ON leads (account_id, left(city, 300), rating, rid);
CREATE INDEX leads_by_state ON leads (account_id, left(state, 640), rid);
CREATE INDEX leads_by_country ON leads (account_id, left(country, 640), rid);
CREATE INDEX leads_by_category ON leads (account_id, left(category, 640), rid);
CREATE INDEX leads_by_rating ON leads (account_id, rating, rid);
CREATE INDEX leads_by_review_count ON leads (account_id, review_count, rid);
CREATE INDEX leads_by_created_at ON leads (account_id, created_at, rid);
CREATE INDEX leads_by_updated_at ON leads (account_id, updated_at, rid);
CREATE INDEX leads_by_last_interaction_at ON leads (account_id, last_interaction_at, rid);
CREATE INDEX leads_by_place ON leads (account_id, latitude, longitude) WHERE latitude IS NOT NULL AND longitude IS NOT NULL;

CREATE TABLE lead_scores (
  account_id bigint NOT NULL,
  rid bigint NOT NULL,
  score double precision NOT NULL,
  version bigint NOT NULL,
  -- What was done with the lead, as members of JSON; NULL where nothing was
  activity text,
  PRIMARY KEY (account_id, rid)
) WITH (fillfactor = 80);
CREATE INDEX lead_scores_by_score ON lead_scores (account_id, score, rid);

CREATE TABLE lead_tags (
  account_id bigint NOT NULL,
  tag text COLLATE "C" NOT NULL,
  rid bigint NOT NULL,
  PRIMARY KEY (account_id, tag, rid)
);

-- One row an attribute, or one an item of a list attribute (`item` counts them from 0). `text` holds texts and
-- items folded, `number` numbers and bools (1 or 0); neither is set for objects and empty lists.
CREATE TABLE lead_attributes (
  account_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  rid bigint NOT NULL,
  item integer NOT NULL,
  type text COLLATE "C" NOT NULL,
  text text COLLATE "C",
  number double precision,
  PRIMARY KEY (account_id, name, rid, item)
);
CREATE INDEX lead_attributes_by_text ON lead_attributes (account_id, name, left(text, 400), rid) WHERE text IS NOT NULL;
CREATE INDEX lead_attributes_by_number ON lead_attributes (account_id, name, number, rid) WHERE number IS NOT NULL;

-- Emails (folded) and source_ids of leads that went into others, which are found by them from then on
CREATE TABLE lead_aliases (
  account_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  rid bigint NOT NULL
);
CREATE UNIQUE INDEX lead_aliases_value ON lead_aliases (account_id, kind, md5(value));
CREATE INDEX lead_aliases_rid ON lead_aliases (account_id, rid);

CREATE TABLE notes (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  lead_rid bigint NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  content text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX notes_id ON notes (account_id, id);
CREATE INDEX notes_lead ON notes (account_id, lead_rid, rid);

CREATE TABLE scoring_rules (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  expression text NOT NULL,
  weight double precision NOT NULL,
  priority bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX scoring_rules_id ON scoring_rules (account_id, id);

-- Selections of leads that have a name: filters, a search and a sort as they were sent
CREATE TABLE segments (
  account_id bigint NOT NULL,
  rid bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  filter text NOT NULL,
  q text,
  sort_by text,
  sort_order text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX segments_id ON segments (account_id, id);

-- Which segments a lead has entered and left in work that tells of many leads at once: kept until an event tells of it.
CREATE TABLE segment_moves (
  account_id bigint NOT NULL,
  segment text COLLATE "C" NOT NULL,
  lead text COLLATE "C" NOT NULL,
  entered boolean NOT NULL,
  PRIMARY KEY (account_id, segment, lead)
);
