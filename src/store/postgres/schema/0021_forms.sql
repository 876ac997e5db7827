-- Forms of public addresses. `settings` is what owners set, as JSON, and `secret` the captcha's, encrypted where there is a
-- key. A form is found by its id alone, which is the key of those who fill it in.
CREATE TABLE forms (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  active boolean NOT NULL,
  settings text NOT NULL,
  secret text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX forms_id ON forms (id);
CREATE INDEX forms_account ON forms (account_id);

-- What was posted and is no lead yet: spam, and what waits for its confirmation. `lead` is the lead that it becomes, as JSON;
-- empty once it was confirmed.
CREATE TABLE form_posts (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  form_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  reason text,
  email text COLLATE "C",
  lead text NOT NULL,
  created_at bigint NOT NULL,
  ends_at bigint NOT NULL
);
CREATE UNIQUE INDEX form_posts_id ON form_posts (account_id, id);
CREATE INDEX form_posts_form ON form_posts (account_id, form_id, state, rid);
CREATE INDEX form_posts_email ON form_posts (account_id, email) WHERE email IS NOT NULL;
CREATE INDEX form_posts_ends ON form_posts (ends_at);
