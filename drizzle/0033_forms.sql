-- Forms of public addresses. `settings` is what owners set, as JSON, and `secret` the captcha's, encrypted where there is a
-- key. A form is found by its id alone, which is the key of those who fill it in.
CREATE TABLE forms (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  settings TEXT NOT NULL,
  secret TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX forms_id ON forms (id);
CREATE INDEX forms_account ON forms (account_id);

-- What was posted and is no lead yet: spam, and what waits for its confirmation. `lead` is the lead that it becomes, as JSON;
-- empty once it was confirmed.
CREATE TABLE form_posts (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL,
  form_id TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  email TEXT,
  lead TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX form_posts_id ON form_posts (account_id, id);
CREATE INDEX form_posts_form ON form_posts (account_id, form_id, state, rid);
CREATE INDEX form_posts_email ON form_posts (account_id, email) WHERE email IS NOT NULL;
CREATE INDEX form_posts_ends ON form_posts (ends_at);
