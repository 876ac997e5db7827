// Members of an account and their sessions in the store's contract. Every time is in Unix seconds.
import type { Account, Role } from "../../access/rights.ts"

export interface MemberRow {
  id: string
  name: string
  role: Role
  created_at: number
  /** Null while the invitation is open. */
  joined_at: number | null
  invite_expires_at: number | null
  passkeys: number
  has_password: boolean
  /** Whether they have signed in with the provider of OpenID Connect. */
  has_provider: boolean
}

/** A member found over all accounts. */
export interface FoundMember {
  account: number
  account_name: string
  id: string
  name: string
  role: Role
  password: string | null
}

/** A member as a sign-in with the provider finds them. */
export interface ProviderMember extends FoundMember {
  /** Whether the member is bound to a subject of the provider. */
  is_linked: boolean
  has_joined: boolean
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
  /** Members with this folded name who have joined, over all accounts, at most `limit`. */
  findByName(nameKey: string, limit: number): Promise<FoundMember[]>
  /** By the SHA-256 of an invitation that is valid at `now`, which takes a maker who is still an owner. */
  findByInvite(hash: Uint8Array, now: number): Promise<FoundMember | undefined>
  /** By the issuer and subject of the provider. */
  findBySubject(subject: string): Promise<ProviderMember | undefined>
  /** The member of an account with this folded name, if bound to no subject. */
  findUnlinked(account: number, nameKey: string): Promise<ProviderMember | undefined>
  findByPasskey(credentialId: string): Promise<(FoundMember & { passkey: Passkey }) | undefined>
}
export interface MemberWrites {
  /** False when another member of the account has the name. */
  insert(
    account: number,
    member: { id: string; name: string; name_key: string; role: Role; created_at: number },
  ): Promise<boolean>
  setRole(account: number, id: string, role: Role): Promise<void>
  /** Binds a member to a subject of the provider. */
  setSubject(account: number, id: string, subject: string): Promise<void>
  /** `by` is the id of the key or member that the invitation ends with. */
  setInvite(
    account: number,
    id: string,
    invite: { hash: Uint8Array; expires_at: number; by: string },
  ): Promise<void>
  /** Ends the open invitations of a key or member. Returns the ids of those who were invited. */
  endInvites(account: number, by: string): Promise<string[]>
  /** Gives the open invitations of a key or member to another, or to nobody whose rights bound them. */
  passInvites(account: number, by: string, to: string | null): Promise<void>
  /** Uses an invitation up: the member has joined, with a password or none. What they had before is forgotten. */
  join(account: number, id: string, password: string | null, now: number): Promise<void>
  addPasskey(account: number, id: string, passkey: Passkey, now: number): Promise<void>
  /** Records a passkey's signature counter. */
  countPasskey(credentialId: string, counter: number): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Notes a challenge that was answered, until it ends by itself. False when it was noted before. */
  useChallenge(challenge: string, expiresAt: number, now: number): Promise<boolean>
}

export interface SessionRow {
  id: string
  /** The lower of the session's own role and that of its key or member. */
  role: Role
  key_id: string | null
  key_name: string | null
  member_id: string | null
  member_name: string | null
  agent: string
  created_at: number
  used_at: number
  /** The end of the session at the latest; its key may expire before. */
  expires_at: number
}
interface SessionHolder {
  account: Account
  session: SessionRow
}
export interface SessionReads {
  /** By the SHA-256 of the token, in any account. Called by every request of a browser. */
  findByHash(hash: Uint8Array): SessionHolder | undefined | Promise<SessionHolder | undefined>
  /** Newest first. */
  list(account: number): Promise<SessionRow[]>
  find(account: number, id: string): Promise<SessionRow | undefined>
}
export interface SessionWrites {
  /** Deletes sessions that have ended or were unused since `idleSince`, then adds one. */
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
  removeOfMember(account: number, memberId: string): Promise<void>
  /** Records the last use of sessions, by public id. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}
