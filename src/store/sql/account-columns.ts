/** The columns of an account's own row that works write. */
export interface AccountValues {
  lead_count: number
  /** Bytes of its leads, notes, trail, reports of imports and kept answers. */
  stored_bytes: number
  rules_revision: number
  segments_heard: number
  /** Entries on its do-not-contact list. */
  suppression_count: number
  /** The kinds of entries on its do-not-contact list, as bits; 0 without any. */
  suppressed_kinds: number
  default_country: string | null
}

/**
 * An account's own row inside a transaction. SQLite reads and writes it at once. PostgreSQL locks it where it is asked for
 * first, keeps it at hand and writes it once, before the transaction ends. Each function throws `unauthorized` in
 * PostgreSQL when the account is gone.
 */
export interface AccountColumns {
  get<Name extends keyof AccountValues>(account: number, name: Name): Promise<AccountValues[Name]>
  /** Reads one column, as `get`. To be made once. */
  reader<Name extends keyof AccountValues>(name: Name): (account: number) => Promise<AccountValues[Name]>
  set<Name extends keyof AccountValues>(
    account: number,
    name: Name,
    value: AccountValues[Name],
  ): Promise<void>
  /** Adds to the stored bytes, or takes from them: they are never less than none. */
  addBytes(account: number, bytes: number): Promise<void>
  /** Writes what was set, before a statement that reads the table of accounts. */
  flush(): void
}

/** A number for `rules_revision` and the like: random, so that one that was rolled back never comes again. */
export function newRevision(): number {
  return 1 + Math.floor(Math.random() * (2 ** 48 - 1))
}
