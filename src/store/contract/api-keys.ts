// API keys in the store's contract. Every time is in Unix seconds.
import type { Account, Guard, Role } from "../../access/rights.ts"
import type { ListStyle } from "../../lead/list-style.ts"

/** The purpose of a key: everything, or the tool server alone for a client that signed in through the browser. */
export const KEY_KINDS = ["key", "sign_in"] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** A key with the rights that it has now: `role` and `expires_at` are those of its maker where these are lower. */
export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  role: Role
  kind: KeyKind
  /** The key that issued this one; null for the command line. */
  issued_by: string | null
  /** The member behind it, who made it or the key that did; null where there is none. */
  maker: string | null
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  /** The style of lists in answers to the key; null follows the service. */
  list_style: ListStyle | null
  /** Null for the contract of plain keys. */
  guard: Guard | null
  /** The public id of the segment that the key is bound to; null for all leads. */
  segment: string | null
}
export interface KeyHolder {
  account: Account
  key: ApiKeyRow
}
export interface ApiKeyReads {
  /** By the SHA-256 of the raw key, in any account. Called by every request; revoked keys are not found. */
  findByHash(hash: Uint8Array): KeyHolder | undefined | Promise<KeyHolder | undefined>
  list(account: number): Promise<ApiKeyRow[]>
  find(account: number, id: string): Promise<ApiKeyRow | undefined>
  /** The account of a key, by its public id: for administrators. */
  accountOf(id: string): Promise<number | undefined>
}
export interface ApiKeyWrites {
  insert(account: number, key: ApiKeyRow & { hash: Uint8Array }): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Gives a key another issuer and maker, with the rights that it has from now on. */
  pass(account: number, key: Pick<ApiKeyRow, "id" | "role" | "issued_by" | "maker">): Promise<void>
  /** Records the last use of keys, by public id, in Unix seconds. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}
