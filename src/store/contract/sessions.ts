// People of an account and their sessions in the store's contract. Every time is in Unix seconds.
import type { Account, Role } from "../../core/access.ts"

export interface MemberRow {
  id: string
  name: string
  role: Role
  created_at: number
  /** Null while the invitation is open. */
  joined_at: number | null
  invite_expires_at: number | null
  /** How many passkeys they have. */
  passkeys: number
  has_password: boolean
}

/** A member as found without knowing the account. */
export interface FoundMember {
  account: number
  account_name: string
  id: string
  name: string
  role: Role
  password: string | null
}

export interface Passkey {
  id: string
  public_key: Uint8Array<ArrayBuffer>
  counter: number
  transports: string[]
}

export interface MemberReads {
  /** Oldest first. */
  list(account: number): Promise<MemberRow[]>
  find(account: number, id: string): Promise<MemberRow | undefined>
  /** Those who joined with this folded name, in all accounts, at most `limit`. */
  findByName(nameKey: string, limit: number): Promise<FoundMember[]>
  /** By the SHA-256 of an invitation that is open at `now`. */
  findByInvite(hash: Uint8Array, now: number): Promise<FoundMember | undefined>
  findByPasskey(credentialId: string): Promise<(FoundMember & { passkey: Passkey }) | undefined>
}
export interface MemberWrites {
  /** False when another member of the account has the name. */
  insert(
    account: number,
    member: { id: string; name: string; name_key: string; role: Role; created_at: number },
  ): Promise<boolean>
  setRole(account: number, id: string, role: Role): Promise<void>
  setInvite(account: number, id: string, hash: Uint8Array, expiresAt: number): Promise<void>
  /** Uses an invitation up: the member has joined, with a password or none. What they had before is forgotten. */
  join(account: number, id: string, password: string | null, now: number): Promise<void>
  addPasskey(account: number, id: string, passkey: Passkey, now: number): Promise<void>
  /** Notes how often a passkey has signed. */
  countPasskey(credentialId: string, counter: number): Promise<void>
  /** With their passkeys and sessions. */
  remove(account: number, id: string): Promise<boolean>
  /** Notes what a browser is to sign; of too many the oldest are forgotten. */
  insertChallenge(challenge: string, expiresAt: number, now: number): Promise<void>
  /** False when it was not asked at all, is too old, or was used. */
  takeChallenge(challenge: string, now: number): Promise<boolean>
}

export interface SessionRow {
  id: string
  /** The lowest of the session's own role and that of its key or member. */
  role: Role
  key_id: string | null
  key_name: string | null
  member_id: string | null
  member_name: string | null
  agent: string
  created_at: number
  used_at: number
  /** When it ends, whatever happens; its key may end before. */
  expires_at: number
}
export interface SessionReads {
  /** By the SHA-256 of the token, in any account. Every request of a browser asks. */
  findByHash(hash: Uint8Array): Promise<{ account: Account; session: SessionRow } | undefined>
  /** Newest first. */
  list(account: number): Promise<SessionRow[]>
}
export interface SessionWrites {
  /** Forgets those that have ended or were not used after `idleSince`, then adds one. */
  insert(
    account: number,
    session: {
      id: string
      hash: Uint8Array
      role: Role
      key_id: string | null
      member_id: string | null
      agent: string
      created_at: number
      expires_at: number
    },
    idleSince: number,
  ): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Ends all sessions of a member. */
  removeOfMember(account: number, memberId: string): Promise<void>
  /** Notes the last use of sessions, by public id. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}
