// Sign-in of MCP clients (OAuth) in the store's contract. Every time is in Unix seconds.
import type { Role } from "../../access/rights.ts"

export interface OAuthClient {
  id: string
  name: string
  redirect_uris: string[]
  created_at: number
  expires_at: number
}
export interface OAuthGrant {
  client_id: string
  client_name: string
  redirect_uri: string
  resource: string | null
  challenge: string
  role: Role
  /** The public id of the key that signed in, if it was a key. */
  signer_id: string | null
  created_at: number
  expires_at: number
}
export interface StoredGrant extends OAuthGrant {
  account: number
  /** The key issued for the code; null before it is redeemed. */
  key_id: string | null
}
/** A one-time code of `leaddb login`; `hash` is the hash of its secret part. */
export interface OAuthLogin {
  selector: string
  account: number
  hash: string
  role: Role
  expires_at: number
}
export interface OAuthReads {
  /** A client whose registration is valid at `now`. */
  findClient(id: string, now: number): Promise<OAuthClient | undefined>
  /** A grant that is valid at `now` or was redeemed. */
  findGrant(codeHash: Uint8Array, now: number): Promise<StoredGrant | undefined>
  /** The client of a key, by the key's public id. */
  clientOfKey(keyId: string): Promise<{ client_id: string } | undefined>
}
export interface OAuthWrites {
  /** False when `most` clients are registered and all are in use; otherwise the oldest unused one is removed. */
  insertClient(client: OAuthClient, most: number): Promise<boolean>
  keepClient(id: string, now: number, expiresAt: number): Promise<void>
  insertGrant(account: number, codeHash: Uint8Array, grant: OAuthGrant): Promise<void>
  /** Records the key that was issued for a grant. */
  redeemGrant(codeHash: Uint8Array, keyId: string): Promise<void>
  /** False for a selector that exists already. */
  insertLogin(login: OAuthLogin, tries: number, now: number): Promise<boolean>
  /** Takes one of the login's attempts and returns it; undefined for an unknown login and one without attempts. */
  tryLogin(selector: string, now: number): Promise<OAuthLogin | undefined>
  /** False when another request has used it. */
  removeLogin(selector: string): Promise<boolean>
}
