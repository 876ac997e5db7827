import type { OAuthClient, OAuthLogin, OAuthReads, OAuthWrites, StoredGrant } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"

type ClientRow = Omit<OAuthClient, "redirect_uris"> & { redirect_uris: string }

export function oauthReads(db: Db): OAuthReads {
  return {
    async findClient(id, now) {
      const row = await db.get<ClientRow>(
        "SELECT id, name, redirect_uris, created_at, expires_at FROM oauth_clients WHERE id = $1 AND expires_at > $2",
        [id, now],
      )
      return row && { ...row, redirect_uris: JSON.parse(row.redirect_uris) }
    },
    findGrant: (codeHash, now) =>
      db.get<StoredGrant>(
        `SELECT g.account_id AS account, g.client_id, g.client_name, g.redirect_uri, g.resource, g.challenge, g.role,
           g.signer_id, g.created_at, g.expires_at, k.id AS key_id
         FROM oauth_grants g LEFT JOIN api_keys k ON k.rid = g.key_rid
         WHERE g.code_hash = $1 AND (g.expires_at > $2 OR g.key_rid IS NOT NULL)`,
        [codeHash, now],
      ),
    clientOfKey: (keyId) =>
      db.get<{ client_id: string }>(
        "SELECT g.client_id FROM api_keys k JOIN oauth_grants g ON g.key_rid = k.rid WHERE k.id = $1",
        [keyId],
      ),
  }
}

export function oauthWrites(db: WriteDb): OAuthWrites {
  return { ...clientWrites(db), ...grantWrites(db), ...loginWrites(db) }
}

function clientWrites(db: WriteDb): Pick<OAuthWrites, "insertClient" | "keepClient"> {
  return {
    async insertClient({ id, name, redirect_uris, created_at, expires_at }, most) {
      db.later("DELETE FROM oauth_clients WHERE expires_at <= $1", [created_at])
      const count = await db.get<{ n: number }>("SELECT count(*) AS n FROM oauth_clients")
      if (count!.n >= most) {
        const freed = await db.run(
          `DELETE FROM oauth_clients
           WHERE id = (SELECT id FROM oauth_clients WHERE used_at IS NULL ORDER BY created_at, id LIMIT 1)`,
        )
        if (freed === 0) return false
      }
      await db.run(
        "INSERT INTO oauth_clients (id, name, redirect_uris, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        [id, name, JSON.stringify(redirect_uris), created_at, expires_at],
      )
      return true
    },
    async keepClient(id, now, expiresAt) {
      await db.run("UPDATE oauth_clients SET used_at = $2, expires_at = $3 WHERE id = $1", [
        id,
        now,
        expiresAt,
      ])
    },
  }
}

function grantWrites(db: WriteDb): Pick<OAuthWrites, "insertGrant" | "redeemGrant"> {
  return {
    async insertGrant(account, codeHash, grant) {
      const { client_id, client_name, redirect_uri, resource, challenge, role } = grant
      const { signer_id, created_at, expires_at } = grant
      db.later("DELETE FROM oauth_grants WHERE expires_at <= $1 AND key_rid IS NULL", [created_at])
      const who = [client_id, client_name, redirect_uri, resource, challenge, role, signer_id]
      await db.run(
        `INSERT INTO oauth_grants (code_hash, account_id, client_id, client_name, redirect_uri, resource, challenge,
           role, signer_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [codeHash, account, ...who, created_at, expires_at],
      )
    },
    async redeemGrant(codeHash, keyId) {
      await db.run(
        "UPDATE oauth_grants SET key_rid = (SELECT rid FROM api_keys WHERE id = $2) WHERE code_hash = $1",
        [codeHash, keyId],
      )
    },
  }
}

function loginWrites(db: WriteDb): Pick<OAuthWrites, "insertLogin" | "tryLogin" | "removeLogin"> {
  return {
    async insertLogin({ selector, account, hash, role, expires_at }, tries, now) {
      db.later("DELETE FROM oauth_logins WHERE expires_at <= $1", [now])
      const sql = `INSERT INTO oauth_logins (selector, account_id, hash, role, expires_at, tries_left)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`
      return (await db.run(sql, [selector, account, hash, role, expires_at, tries])) > 0
    },
    async tryLogin(selector, now) {
      return db.get<OAuthLogin>(
        `UPDATE oauth_logins SET tries_left = tries_left - 1
         WHERE selector = $1 AND expires_at > $2 AND tries_left > 0
         RETURNING selector, account_id AS account, hash, role, expires_at`,
        [selector, now],
      )
    },
    removeLogin: async (selector) =>
      (await db.run("DELETE FROM oauth_logins WHERE selector = $1", [selector])) > 0,
  }
}
