-- Keys, people, sessions and sign-ins. Keys, passwords, invitations, codes and tokens are kept as hashes only.

CREATE TABLE api_keys (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  prefix text NOT NULL,
  role text NOT NULL,
  kind text NOT NULL,
  issued_by text COLLATE "C",
  created_at bigint NOT NULL,
  last_used_at bigint,
  expires_at bigint
);
CREATE INDEX api_keys_account ON api_keys (account_id, rid);

-- What was done to keys, webhooks, plans and the database itself: an account_id of 0 is about all accounts.
CREATE TABLE admin_log (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  key_id text,
  actor_id text,
  target_id text,
  details text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX admin_log_account ON admin_log (account_id, rid);

CREATE TABLE members (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  role text NOT NULL,
  password text,
  invite_hash bytea,
  invite_expires_at bigint,
  created_at bigint NOT NULL,
  joined_at bigint
);
CREATE UNIQUE INDEX members_name ON members (account_id, name_key);
CREATE INDEX members_sign_in ON members (name_key);
CREATE UNIQUE INDEX members_invite ON members (invite_hash) WHERE invite_hash IS NOT NULL;

CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  member_rid bigint NOT NULL REFERENCES members (rid) ON DELETE CASCADE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX passkeys_member ON passkeys (member_rid);

-- A session goes with the key or the member that signed in; one of a one-time code has neither.
CREATE TABLE sessions (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE,
  role text NOT NULL,
  key_rid bigint REFERENCES api_keys (rid) ON DELETE CASCADE,
  member_rid bigint REFERENCES members (rid) ON DELETE CASCADE,
  agent text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id, rid);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_key ON sessions (key_rid) WHERE key_rid IS NOT NULL;
CREATE INDEX sessions_member ON sessions (member_rid) WHERE member_rid IS NOT NULL;

-- What a browser was asked to sign with a passkey; good once.
CREATE TABLE passkey_challenges (
  challenge text COLLATE "C" PRIMARY KEY,
  expires_at bigint NOT NULL
);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);

CREATE TABLE oauth_clients (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint,
  expires_at bigint NOT NULL
);
CREATE INDEX oauth_clients_expires_at ON oauth_clients (expires_at);

-- An authorization code and what it is good for; once it is redeemed the row stays as long as its key.
CREATE TABLE oauth_grants (
  code_hash bytea PRIMARY KEY,
  account_id bigint NOT NULL,
  client_id text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  resource text,
  challenge text NOT NULL,
  role text NOT NULL,
  signer_id text,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  key_rid bigint REFERENCES api_keys (rid) ON DELETE CASCADE
);
CREATE UNIQUE INDEX oauth_grants_key ON oauth_grants (key_rid) WHERE key_rid IS NOT NULL;
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at) WHERE key_rid IS NULL;
CREATE INDEX oauth_grants_account ON oauth_grants (account_id);

-- One-time codes of `leaddb login`: found by their first characters, the others hashed.
CREATE TABLE oauth_logins (
  selector text COLLATE "C" PRIMARY KEY,
  account_id bigint NOT NULL,
  hash text NOT NULL,
  role text NOT NULL,
  tries_left int NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX oauth_logins_expires_at ON oauth_logins (expires_at);
