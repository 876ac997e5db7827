// Stored answers of idempotent requests, in the store's contract.

export interface KeptAnswer {
  /** Fingerprint of the request. */
  request: Uint8Array
  /** Null while the request runs, and after it was interrupted. */
  answer: Uint8Array | null
}
export interface IdempotencyReads {
  /** The entry of a key, created at `since` (Unix seconds) or later. */
  find(account: number, key: Uint8Array, since: number): Promise<KeptAnswer | undefined>
}
export interface IdempotencyWrites {
  /** Stores an answer under a key, replacing an older one. Deletes some entries older than `since`. */
  put(
    account: number,
    key: Uint8Array,
    kept: KeptAnswer & { created_at: number; since: number },
  ): Promise<void>
  remove(account: number, key: Uint8Array): Promise<void>
}
