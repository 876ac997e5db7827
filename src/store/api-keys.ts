// API keys in the store's contract. Every time is in Unix seconds.
import type { Account, Role } from "../core/access.ts"

export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  role: Role
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
}
export interface ApiKeyWrites {
  insert(account: number, key: ApiKeyRow & { hash: Uint8Array }): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Notes the last use of keys, by public id, Unix seconds. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}
