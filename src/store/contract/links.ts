// Public addresses of segments in the store's contract. Every time is in Unix seconds.

export interface LinkRow {
  id: string
  segment: string
  /** Names of lead fields, and `attr:<name>`. */
  fields: string[]
  /** The hash of its password; null without one. */
  password: string | null
  /** The actor of the request that made it. */
  actor_id: string
  /** The key, member or session that made it, or took it over; null for none, which bounds nothing. */
  made_by: string | null
  created_at: number
  /** Null for never; its maker's end where that is earlier, 0 once that may make none. */
  expires_at: number | null
}
export interface LinkReads {
  /** Oldest first. */
  list(account: number): Promise<LinkRow[]>
  /** By the SHA-256 of its token, over all accounts: the token tells the account, given by its public id. */
  findByHash(hash: Uint8Array): Promise<{ account: string; link: LinkRow } | undefined>
}
export interface LinkWrites {
  insert(account: number, hash: Uint8Array, link: LinkRow): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Gives a link another maker. */
  pass(account: number, id: string, madeBy: string | null): Promise<void>
  /** Removes the links of a segment. Returns their ids. */
  removeOf(account: number, segment: string): Promise<string[]>
}
