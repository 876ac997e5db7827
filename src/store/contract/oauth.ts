// Sign-in of MCP clients (OAuth) in the store's contract. Every time is in Unix seconds.
import type { Role } from "../../core/access.ts"

export interface OAuthClient {
  id: string
  name: string
  redirect_uris: string[]
  created_at: number
  expires_at: number
}
/** What an authorization code is good for. */
export interface OAuthGrant {
  client_id: string
  client_name: string
  redirect_uri: string
  resource: string | null
  challenge: string
  role: Role
  /** Who agreed: the public id of the key that signed in, if it was a key. */
  signer_id: string | null
  created_at: number
  expires_at: number
}
export interface StoredGrant extends OAuthGrant {
  account: number
  /** The key it was redeemed for; null while it was not. */
  key_id: string | null
}
/** A one-time code of `leaddb login`; `hash` is that of its secret part. */
export interface OAuthLogin {
  selector: string
  account: number
  hash: string
  role: Role
  expires_at: number
}
export interface OAuthReads {
  /** A client whose registration holds at `now`. */
  findClient(id: string, now: number): Promise<OAuthClient | undefined>
  /** A grant that is good at `now`, or was redeemed. */
  findGrant(codeHash: Uint8Array, now: number): Promise<StoredGrant | undefined>
  /** The client that a key was made for, by the key's public id. */
  clientOfKey(keyId: string): Promise<{ client_id: string } | undefined>
}
export interface OAuthWrites {
  /** False when there are `most` clients already and all are in use; else the oldest unused one makes room. */
  insertClient(client: OAuthClient, most: number): Promise<boolean>
  /** Notes that a client is in use. */
  keepClient(id: string, now: number, expiresAt: number): Promise<void>
  insertGrant(account: number, codeHash: Uint8Array, grant: OAuthGrant): Promise<void>
  /** Ties a grant to the key it was redeemed for. */
  redeemGrant(codeHash: Uint8Array, keyId: string): Promise<void>
  /** False when the selector is taken. */
  insertLogin(login: OAuthLogin, tries: number, now: number): Promise<boolean>
  /** The login, for one of its tries; undefined when there is none or no try is left. */
  tryLogin(selector: string, now: number): Promise<OAuthLogin | undefined>
  /** False when somebody else has used it. */
  removeLogin(selector: string): Promise<boolean>
}
