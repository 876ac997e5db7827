// Stored answers of idempotent requests, in the store's contract.

/** Seconds for which answers are kept. */
export const ANSWERS_KEPT_S = 24 * 60 * 60

export interface KeptAnswer {
  request: Uint8Array
  /** Null while the request runs, and after it was interrupted; empty once it was erased. */
  answer: Uint8Array | null
  /** The import that the request runs; null for other requests, and once there is an answer. */
  import_id: string | null
  /** Unix seconds; of a mark without an import also its last sign of life. */
  created_at: number
}
export interface IdempotencyReads {
  /** The entry of a key, created at `since` (Unix seconds) or later. */
  find(account: number, key: Uint8Array, since: number): Promise<KeptAnswer | undefined>
  /** Some accounts with entries older than `since`. */
  accountsBefore(since: number): Promise<number[]>
}
export interface IdempotencyWrites {
  /** Stores an answer under a key, replacing an older one, and counts its bytes against the account's storage. */
  put(account: number, key: Uint8Array, kept: Omit<KeptAnswer, "import_id">): Promise<void>
  /** Gives a sign of life at the mark of a key whose request runs no import yet. */
  renew(account: number, key: Uint8Array, now: number): Promise<void>
  /** Notes at the mark of a key which import its request runs. */
  runsImport(account: number, key: Uint8Array, id: string): Promise<void>
  /** Deletes some entries of an account older than `since`; true when there may be more. */
  forget(account: number, since: number): Promise<boolean>
  remove(account: number, key: Uint8Array): Promise<void>
  /** Empties the answers given in these stretches of time (Unix seconds, both included); that they were given stays. */
  eraseAnswers(account: number, stretches: readonly (readonly [from: number, to: number])[]): Promise<void>
}
