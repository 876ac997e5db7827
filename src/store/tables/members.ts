import { rightsOf } from "../../access/rights.ts"
import type { FoundMember, MemberReads, MemberRow, MemberWrites, ProviderMember } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { rowAs } from "../sql/rows.ts"
import { type OriginRow, originColumns, originJoins, originOf } from "./api-keys.ts"

interface StoredMember extends Omit<MemberRow, "has_password" | "has_provider"> {
  password: string | null
  oidc_subject: string | null
}
interface StoredPasskey {
  passkey_id: string
  public_key: Uint8Array<ArrayBuffer>
  counter: number
  transports: string
}

const SHOWN = `m.id, m.name, m.role, m.created_at, m.joined_at, m.invite_expires_at, m.password, m.oidc_subject,
  (SELECT count(*) FROM passkeys p WHERE p.member_rid = m.rid) AS passkeys`
const COLUMNS = "m.account_id AS account, a.name AS account_name, m.id, m.name, m.role, m.password"
const FROM = "FROM members m JOIN accounts a ON a.key = m.account_id"
const FOUND = `${COLUMNS} ${FROM}`
const OF_PROVIDER = `${COLUMNS}, m.oidc_subject, m.joined_at ${FROM}`

const LIST = `SELECT ${SHOWN} FROM members m WHERE m.account_id = $1 ORDER BY m.rid`
const FIND = `SELECT ${SHOWN} FROM members m WHERE m.account_id = $1 AND m.id = $2`
const BY_NAME = `SELECT ${FOUND} WHERE m.name_key = $1 AND m.password IS NOT NULL ORDER BY m.rid LIMIT $2`
const BY_INVITE = `SELECT m.invite_expires_at, ${originColumns("m.invited_by")}, ${FOUND} ${originJoins("m.invited_by")}
  WHERE m.invite_hash = $1 AND m.invite_expires_at > $2`
const BY_SUBJECT = `SELECT ${OF_PROVIDER} WHERE m.oidc_subject = $1`
const UNLINKED = `SELECT ${OF_PROVIDER} WHERE m.account_id = $1 AND m.name_key = $2 AND m.oidc_subject IS NULL`
const BY_PASSKEY = `SELECT p.id AS passkey_id, p.public_key, p.counter, p.transports, ${FOUND}
  JOIN passkeys p ON p.member_rid = m.rid WHERE p.id = $1`

export function memberReads(db: Db): MemberReads {
  return {
    list: async (account) => (await db.all<StoredMember>(LIST, [account])).map(memberRow),
    find: (account, id) => rowAs(db.get<StoredMember>(FIND, [account, id]), memberRow),
    findByName: (nameKey, limit) => db.all<FoundMember>(BY_NAME, [nameKey, limit]),
    async findByInvite(hash, now) {
      const row = await db.get<FoundByInvite>(BY_INVITE, [hash, now])
      if (!row) return undefined
      // Inviting takes an owner.
      const { role, ends_at } = rightsOf({ role: "owner", ends_at: row.invite_expires_at }, originOf(row))
      if (role !== "owner" || (ends_at ?? 0) <= now) return undefined
      const { account, account_name, id, name, password } = row
      return { account, account_name, id, name, role: row.role, password }
    },
    findBySubject: (subject) => rowAs(db.get<FoundOfProvider>(BY_SUBJECT, [subject]), providerMember),
    findUnlinked: (account, nameKey) =>
      rowAs(db.get<FoundOfProvider>(UNLINKED, [account, nameKey]), providerMember),
    async findByPasskey(credentialId) {
      const row = await db.get<FoundMember & StoredPasskey>(BY_PASSKEY, [credentialId])
      if (!row) return undefined
      const { passkey_id: id, public_key, counter, transports, ...member } = row
      return {
        ...member,
        passkey: { id, public_key, counter, transports: transports.split(" ").filter(Boolean) },
      }
    },
  }
}

interface FoundByInvite extends FoundMember, OriginRow {
  invite_expires_at: number
}

interface FoundOfProvider extends FoundMember {
  oidc_subject: string | null
  joined_at: number | null
}

function providerMember({ oidc_subject, joined_at, ...member }: FoundOfProvider): ProviderMember {
  return { ...member, is_linked: oidc_subject !== null, has_joined: joined_at !== null }
}

function memberRow({ password, oidc_subject, ...member }: StoredMember): MemberRow {
  return { ...member, has_password: password !== null, has_provider: oidc_subject !== null }
}

export function memberWrites(db: WriteDb): MemberWrites {
  return {
    async insert(account, { id, name, name_key, role, created_at }) {
      const sql = `INSERT INTO members (account_id, id, name, name_key, role, created_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id, name_key) DO NOTHING`
      return (await db.run(sql, [account, id, name, name_key, role, created_at])) > 0
    },
    async setRole(account, id, role) {
      await db.run("UPDATE members SET role = $3 WHERE account_id = $1 AND id = $2", [account, id, role])
    },
    async setSubject(account, id, subject) {
      const sql = "UPDATE members SET oidc_subject = $3 WHERE account_id = $1 AND id = $2"
      await db.run(sql, [account, id, subject])
    },
    async setInvite(account, id, { hash, expires_at, by }) {
      const sql =
        "UPDATE members SET invite_hash = $3, invite_expires_at = $4, invited_by = $5 WHERE account_id = $1 AND id = $2"
      await db.run(sql, [account, id, hash, expires_at, by])
    },
    async passInvites(account, by, to) {
      const sql = "UPDATE members SET invited_by = $3 WHERE account_id = $1 AND invited_by = $2"
      await db.run(sql, [account, by, to])
    },
    async endInvites(account, by) {
      const sql = `UPDATE members SET invite_hash = NULL, invite_expires_at = NULL, invited_by = NULL
        WHERE account_id = $1 AND invited_by = $2 AND invite_hash IS NOT NULL RETURNING id`
      return (await db.all<{ id: string }>(sql, [account, by])).map(({ id }) => id)
    },
    async join(account, id, password, now) {
      db.later(
        "DELETE FROM passkeys WHERE member_rid = (SELECT rid FROM members WHERE account_id = $1 AND id = $2)",
        [account, id],
      )
      await db.run(
        `UPDATE members SET password = $3, joined_at = $4, invite_hash = NULL, invite_expires_at = NULL, invited_by = NULL
         WHERE account_id = $1 AND id = $2`,
        [account, id, password, now],
      )
    },
    async addPasskey(account, id, { id: passkey, public_key, counter, transports }, now) {
      await db.run(
        `INSERT INTO passkeys (id, member_rid, public_key, counter, transports, created_at)
         SELECT $3, rid, $4, $5, $6, $7 FROM members WHERE account_id = $1 AND id = $2 ON CONFLICT DO NOTHING`,
        [account, id, passkey, public_key, counter, transports.join(" "), now],
      )
    },
    async countPasskey(credentialId, counter) {
      await db.run("UPDATE passkeys SET counter = $2 WHERE id = $1", [credentialId, counter])
    },
    remove: async (account, id) =>
      (await db.run("DELETE FROM members WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    async useChallenge(challenge, expiresAt, now) {
      db.later("DELETE FROM passkey_challenges WHERE expires_at <= $1", [now])
      const sql =
        "INSERT INTO passkey_challenges (challenge, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING"
      return (await db.run(sql, [challenge, expiresAt])) > 0
    },
  }
}
