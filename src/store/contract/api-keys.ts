// API keys in the store's contract. Every time is in Unix seconds.
import type { Account, Role } from "../../core/access.ts"

/** What a key is for: everything, or the tool server alone, as a client got it that signed in through the browser. */
export const KEY_KINDS = ["key", "sign_in"] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  role: Role
  kind: KeyKind
  /** The key that made it or signed in for it; null for the command line. */
  issued_by: string | null
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}
/** Whose key it is. */
export interface KeyHolder {
  account: Account
  key: ApiKeyRow
}
export interface ApiKeyReads {
  /** By the SHA-256 of the raw key, in any account. Every request asks; a key that was revoked is never found again. */
  findByHash(hash: Uint8Array): Promise<KeyHolder | undefined>
  list(account: number): Promise<ApiKeyRow[]>
  find(account: number, id: string): Promise<ApiKeyRow | undefined>
  /** The account that a key is of, by the key's public id: for whoever runs the service. */
  accountOf(id: string): Promise<number | undefined>
}
export interface ApiKeyWrites {
  insert(account: number, key: ApiKeyRow & { hash: Uint8Array }): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** What a key has issued is nobody's from now on. */
  disown(account: number, id: string): Promise<void>
  /** Notes the last use of keys, by public id, Unix seconds. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}
