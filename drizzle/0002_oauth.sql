-- Sign-in of MCP clients through a browser (OAuth 2.0 with PKCE). Codes are kept as hashes only.

CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_clients_expires_at ON oauth_clients (expires_at);

-- An authorization code and what it is good for. Once it is redeemed the row stays as long as its key, so that a
-- code that is used again is recognised and takes the key with it.
CREATE TABLE oauth_grants (
  code_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  resource TEXT,
  challenge TEXT NOT NULL,
  role TEXT NOT NULL,
  signer_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  key_rid INTEGER REFERENCES api_keys (rid) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX oauth_grants_key ON oauth_grants (key_rid) WHERE key_rid IS NOT NULL;
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at) WHERE key_rid IS NULL;

-- One-time codes of `leaddb login`: found by their first characters, the others hashed.
CREATE TABLE oauth_logins (
  selector TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  hash TEXT NOT NULL,
  role TEXT NOT NULL,
  tries_left INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
