import type { Database } from "bun:sqlite"
import type { FoundMember, MemberReads, MemberRow, MemberWrites } from "../../store.ts"
import { prepare } from "../file/database.ts"

/** Challenges that are kept at once: what anybody can ask for must not fill the disk. */
const CHALLENGES_MOST = 1_000

type StoredMember = Omit<MemberRow, "has_password"> & { password: string | null }
interface StoredPasskey {
  passkey_id: string
  public_key: Uint8Array<ArrayBuffer>
  counter: number
  transports: string
}

const SHOWN = `m.id, m.name, m.role, m.created_at, m.joined_at, m.invite_expires_at, m.password,
  (SELECT count(*) FROM passkeys p WHERE p.member_rid = m.rid) AS passkeys`
const FOUND =
  "m.account_id AS account, a.name AS account_name, m.id, m.name, m.role, m.password FROM members m JOIN accounts a ON a.key = m.account_id"

export function memberReads(db: Database): MemberReads {
  const all = prepare<StoredMember, [number]>(
    db,
    `SELECT ${SHOWN} FROM members m WHERE m.account_id = ? ORDER BY m.rid`,
  )
  const one = prepare<StoredMember, [number, string]>(
    db,
    `SELECT ${SHOWN} FROM members m WHERE m.account_id = ? AND m.id = ?`,
  )
  const byName = prepare<FoundMember, [string, number]>(
    db,
    `SELECT ${FOUND} WHERE m.name_key = ? AND m.password IS NOT NULL ORDER BY m.rid LIMIT ?`,
  )
  const byInvite = prepare<FoundMember, [Uint8Array, number]>(
    db,
    `SELECT ${FOUND} WHERE m.invite_hash = ? AND m.invite_expires_at > ?`,
  )
  const byPasskey = prepare<FoundMember & StoredPasskey, [string]>(
    db,
    `SELECT p.id AS passkey_id, p.public_key, p.counter, p.transports, ${FOUND}
     JOIN passkeys p ON p.member_rid = m.rid WHERE p.id = ?`,
  )
  return {
    list: async (account) => all.all(account).map(shown),
    async find(account, id) {
      const row = one.get(account, id)
      return row ? shown(row) : undefined
    },
    findByName: async (nameKey, limit) => byName.all(nameKey, limit),
    findByInvite: async (hash, now) => byInvite.get(hash, now) ?? undefined,
    async findByPasskey(credentialId) {
      const row = byPasskey.get(credentialId)
      if (!row) return undefined
      const { passkey_id: id, public_key, counter, transports, ...member } = row
      return {
        ...member,
        passkey: { id, public_key, counter, transports: transports.split(" ").filter(Boolean) },
      }
    },
  }
}

function shown({ password, ...member }: StoredMember): MemberRow {
  return { ...member, has_password: password !== null }
}

export function memberWrites(db: Database): MemberWrites {
  const insert = prepare(
    db,
    `INSERT INTO members (account_id, id, name, name_key, role, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, name_key) DO NOTHING`,
  )
  const setRole = prepare(db, "UPDATE members SET role = ? WHERE account_id = ? AND id = ?")
  const setInvite = prepare(
    db,
    "UPDATE members SET invite_hash = ?, invite_expires_at = ? WHERE account_id = ? AND id = ?",
  )
  const forget = prepare(
    db,
    "DELETE FROM passkeys WHERE member_rid = (SELECT rid FROM members WHERE account_id = ? AND id = ?)",
  )
  const join = prepare(
    db,
    `UPDATE members SET password = ?, joined_at = ?, invite_hash = NULL, invite_expires_at = NULL
     WHERE account_id = ? AND id = ?`,
  )
  const addPasskey = prepare(
    db,
    `INSERT INTO passkeys (id, member_rid, public_key, counter, transports, created_at)
     SELECT ?, rid, ?, ?, ?, ? FROM members WHERE account_id = ? AND id = ? ON CONFLICT DO NOTHING`,
  )
  const count = prepare(db, "UPDATE passkeys SET counter = ? WHERE id = ?")
  const remove = prepare(db, "DELETE FROM members WHERE account_id = ? AND id = ?")
  return {
    async insert(account, { id, name, name_key, role, created_at }) {
      return insert.run(account, id, name, name_key, role, created_at).changes > 0
    },
    setRole: async (account, id, role) => void setRole.run(role, account, id),
    setInvite: async (account, id, hash, expiresAt) => void setInvite.run(hash, expiresAt, account, id),
    async join(account, id, password, now) {
      forget.run(account, id)
      join.run(password, now, account, id)
    },
    async addPasskey(account, id, passkey, now) {
      const { public_key, counter, transports } = passkey
      addPasskey.run(passkey.id, public_key, counter, transports.join(" "), now, account, id)
    },
    countPasskey: async (credentialId, counter) => void count.run(counter, credentialId),
    remove: async (account, id) => remove.run(account, id).changes > 0,
    ...challengeWrites(db),
  }
}

function challengeWrites(db: Database): Pick<MemberWrites, "insertChallenge" | "takeChallenge"> {
  const purge = prepare(db, "DELETE FROM passkey_challenges WHERE expires_at <= ?")
  const makeRoom = prepare(
    db,
    `DELETE FROM passkey_challenges WHERE challenge IN
       (SELECT challenge FROM passkey_challenges ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
  )
  const insert = prepare(db, "INSERT INTO passkey_challenges (challenge, expires_at) VALUES (?, ?)")
  const take = prepare(db, "DELETE FROM passkey_challenges WHERE challenge = ? AND expires_at > ?")
  return {
    async insertChallenge(challenge, expiresAt, now) {
      purge.run(now)
      makeRoom.run(CHALLENGES_MOST - 1)
      insert.run(challenge, expiresAt)
    },
    takeChallenge: async (challenge, now) => take.run(challenge, now).changes > 0,
  }
}
