// Public addresses of segments in the store's contract. Every time is in Unix seconds.

export interface LinkRow {
  id: string
  /** Id of the segment. */
  segment: string
  /** Names of lead fields, and `attr:<name>`. */
  fields: string[]
  /** The hash of its password; null without one. */
  password: string | null
  /** The actor of the request that made it. */
  actor_id: string
  created_at: number
  /** Null for never. */
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
  /** Removes the links of a segment. Returns their ids. */
  removeOf(account: number, segment: string): Promise<string[]>
}
