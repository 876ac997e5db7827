-- People of an account, and who is signed in. Passwords, invitations and session tokens are kept as hashes only.

CREATE TABLE members (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- The name folded: it signs in and stands in the trail, so that no two of an account share one.
  name_key TEXT NOT NULL,
  role TEXT NOT NULL,
  password TEXT,
  invite_hash BLOB,
  invite_expires_at INTEGER,
  created_at INTEGER NOT NULL,
  joined_at INTEGER
) STRICT;
CREATE UNIQUE INDEX members_name ON members (account_id, name_key);
CREATE INDEX members_sign_in ON members (name_key);
CREATE UNIQUE INDEX members_invite ON members (invite_hash) WHERE invite_hash IS NOT NULL;

-- Public keys of members' devices (WebAuthn), by the credential's id.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  member_rid INTEGER NOT NULL REFERENCES members (rid) ON DELETE CASCADE,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_member ON passkeys (member_rid);

-- A session goes with the key or the member that signed in; one of a one-time code has neither.
CREATE TABLE sessions (
  rid INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (key),
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL,
  key_rid INTEGER REFERENCES api_keys (rid) ON DELETE CASCADE,
  member_rid INTEGER REFERENCES members (rid) ON DELETE CASCADE,
  agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_key ON sessions (key_rid) WHERE key_rid IS NOT NULL;
CREATE INDEX sessions_member ON sessions (member_rid) WHERE member_rid IS NOT NULL;

-- What a browser was asked to sign with a passkey; good once.
CREATE TABLE passkey_challenges (
  challenge TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
