// Answers that are kept for requests that may be sent again, in the store's contract.

export interface KeptAnswer {
  /** Tells the request from another one. */
  request: Uint8Array
  /** Null while it is under way, and when it was cut off. */
  answer: Uint8Array | null
}
export interface IdempotencyReads {
  /** What was kept under a key at `since` or later, Unix seconds. */
  find(account: number, key: Uint8Array, since: number): Promise<KeptAnswer | undefined>
}
export interface IdempotencyWrites {
  /** Keeps an answer under a key, in place of one that is there. Forgets some that are older than `since`. */
  put(
    account: number,
    key: Uint8Array,
    kept: KeptAnswer & { created_at: number; since: number },
  ): Promise<void>
  remove(account: number, key: Uint8Array): Promise<void>
}
