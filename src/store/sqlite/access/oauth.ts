import type { Database } from "bun:sqlite"
import type { OAuthClient, OAuthLogin, OAuthReads, OAuthWrites, StoredGrant } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"

type ClientRow = Omit<OAuthClient, "redirect_uris"> & { redirect_uris: string }

export function oauthReads(db: Database): OAuthReads {
  const client = prepare<ClientRow>(
    db,
    `SELECT id, name, redirect_uris, created_at, expires_at FROM oauth_clients WHERE id = ? AND expires_at > ?`,
  )
  const grant = prepare<StoredGrant>(
    db,
    `SELECT g.account_id AS account, g.client_id, g.client_name, g.redirect_uri, g.resource, g.challenge, g.role,
       g.signer_id, g.created_at, g.expires_at, k.id AS key_id
     FROM oauth_grants g LEFT JOIN api_keys k ON k.rid = g.key_rid
     WHERE g.code_hash = ? AND (g.expires_at > ? OR g.key_rid IS NOT NULL)`,
  )
  const ofKey = prepare<{ client_id: string }>(
    db,
    "SELECT g.client_id FROM api_keys k JOIN oauth_grants g ON g.key_rid = k.rid WHERE k.id = ?",
  )
  return {
    async findClient(id, now) {
      const row = client.get(id, now)
      return row ? { ...row, redirect_uris: JSON.parse(row.redirect_uris) } : undefined
    },
    findGrant: async (codeHash, now) => grant.get(codeHash, now) ?? undefined,
    clientOfKey: async (keyId) => ofKey.get(keyId) ?? undefined,
  }
}

export function oauthWrites(db: Database): OAuthWrites {
  return { ...clientWrites(db), ...grantWrites(db), ...loginWrites(db) }
}

function clientWrites(db: Database): Pick<OAuthWrites, "insertClient" | "keepClient"> {
  const purge = prepare(db, "DELETE FROM oauth_clients WHERE expires_at <= ?")
  const count = prepare<{ n: number }>(db, "SELECT count(*) AS n FROM oauth_clients")
  const makeRoom = prepare(
    db,
    `DELETE FROM oauth_clients
     WHERE id = (SELECT id FROM oauth_clients WHERE used_at IS NULL ORDER BY created_at, id LIMIT 1)`,
  )
  const insert = prepare(
    db,
    "INSERT INTO oauth_clients (id, name, redirect_uris, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
  )
  const keep = prepare(db, "UPDATE oauth_clients SET used_at = ?, expires_at = ? WHERE id = ?")
  return {
    async insertClient({ id, name, redirect_uris, created_at, expires_at }, most) {
      purge.run(created_at)
      if (count.get()!.n >= most && makeRoom.run().changes === 0) return false
      insert.run(id, name, JSON.stringify(redirect_uris), created_at, expires_at)
      return true
    },
    keepClient: async (id, now, expiresAt) => void keep.run(now, expiresAt, id),
  }
}

function grantWrites(db: Database): Pick<OAuthWrites, "insertGrant" | "redeemGrant"> {
  const purge = prepare(db, "DELETE FROM oauth_grants WHERE expires_at <= ? AND key_rid IS NULL")
  const insert = prepare(
    db,
    `INSERT INTO oauth_grants (code_hash, account_id, client_id, client_name, redirect_uri, resource, challenge, role,
       signer_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const redeem = prepare(
    db,
    "UPDATE oauth_grants SET key_rid = (SELECT rid FROM api_keys WHERE id = ?) WHERE code_hash = ?",
  )
  return {
    async insertGrant(account, codeHash, grant) {
      const { client_id, client_name, redirect_uri, resource, challenge, role } = grant
      const { signer_id, created_at, expires_at } = grant
      purge.run(created_at)
      const who = [client_id, client_name, redirect_uri, resource, challenge, role, signer_id]
      insert.run(codeHash, account, ...who, created_at, expires_at)
    },
    redeemGrant: async (codeHash, keyId) => void redeem.run(keyId, codeHash),
  }
}

function loginWrites(db: Database): Pick<OAuthWrites, "insertLogin" | "tryLogin" | "removeLogin"> {
  const purge = prepare(db, "DELETE FROM oauth_logins WHERE expires_at <= ?")
  const insert = prepare(
    db,
    `INSERT INTO oauth_logins (selector, account_id, hash, role, expires_at, tries_left) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const attempt = prepare<OAuthLogin>(
    db,
    `UPDATE oauth_logins SET tries_left = tries_left - 1 WHERE selector = ? AND expires_at > ? AND tries_left > 0
     RETURNING selector, account_id AS account, hash, role, expires_at`,
  )
  const remove = prepare(db, "DELETE FROM oauth_logins WHERE selector = ?")
  return {
    async insertLogin({ selector, account, hash, role, expires_at }, tries, now) {
      purge.run(now)
      return insert.run(selector, account, hash, role, expires_at, tries).changes > 0
    },
    tryLogin: async (selector, now) => attempt.get(selector, now) ?? undefined,
    removeLogin: async (selector) => remove.run(selector).changes > 0,
  }
}
