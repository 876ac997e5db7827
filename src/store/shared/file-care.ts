// Maintenance of an engine whose database is one file, beyond the contract. It blocks the calling thread.

/** Something that is not as it should be, and what a person can do about it. */
export interface Finding {
  /** Stable, for programs: `orphan_rows`. */
  code: string
  /** An error is damage, or what stops the service; a warning is worth knowing. */
  severity: "error" | "warning"
  /** Which check found it. */
  check: string
  message: string
  advice: string
}

/** A file under another name than the one that it gets when it is whole. */
export interface PartialFile {
  path: string
  /** Removes it, unless it was given its name. */
  end(): void
}

/** An API key, for people. */
export interface KeyName {
  id: string
  name: string
  prefix: string
  account: string
}

export interface Restored {
  bytes: number
  accounts: number
  leads: number
  /** Migrations that the database has of those that this executable knows; the rest follow when it is opened. */
  schema: { has: number; knows: number }
  /** Where the database is that was there before; null when there was none. */
  replaced: string | null
  /** Keys that the replaced database no longer had; null when that cannot be told. */
  revived: KeyName[] | null
  /** Entries of the do-not-contact list that were taken along, and leads that are erased once more. */
  carried: { entries: number; erased: number }
  /** Webhook deliveries that wait in the restored database. */
  waiting: number
  /** How the secrets stand in it. */
  secrets: SecretsState
}

/** In clear, encrypted with the key that was given, or with one that was not. */
export type SecretsState = "clear" | "encrypted" | "no key" | "wrong key"

export interface SecretsChange {
  /** The key that they are encrypted with. */
  from?: string | undefined
  /** The key that they are to be encrypted with; none leaves them in clear. */
  to?: string | undefined
  /** Nobody has the key any more: what it encrypts is dropped, and webhooks that signed with it are turned off. */
  isLost?: boolean
}

/** Bytes of a file, by what they are for; `free` is what it has and does not need. */
export interface FileUse {
  leads: number
  trail: number
  outbox: number
  other: number
  free: number
}

/** How far it is to give back room. */
export type Compaction = "writing" | "written"

/** State of derived data, apart from the truth: it can be made again at any time. */
export interface DerivedState {
  file: string
  bytes: number
  /** Whole; so many leads behind, which searches look at one by one; to be made anew at the next start; or damaged. */
  state: "whole" | "behind" | "missing" | "outdated" | "damaged"
  /** Leads that it has yet to follow. */
  behind: number
}

/** One repair: a number of an account, or derived data. */
export interface Repaired {
  what: "lead_count" | "lead_head" | "trail_head" | "suppression_count" | "suppressed_kinds" | "derived"
  /** The account's id; null for what is of all. */
  account: string | null
  from: number | string
  to: number | string
}

export interface CheckReport {
  checks: string[]
  findings: Finding[]
  /** Left out where it is written with the leads. */
  derived?: DerivedState
  /** Left out while they are in clear and no key was given. */
  secrets?: SecretsState
}

export interface FileCare {
  /** How many bytes are for what. */
  use(file: string): FileUse
  /**
   * Gives back the room that a database does not need, beside a running service, whose writes wait for it while the
   * file is written anew. Throws an Error that a person can act on when there is no room for that.
   */
  compact(file: string, tell: (step: Compaction) => void): Promise<{ before: number; after: number }>
  /**
   * Copies a database, as of one moment and beside a running service, to `target`, whatever is there. Nobody ever
   * sees half a copy: it gets its name when it is whole, checked and on disk. Throws an Error when the file is not
   * leaddb's, the copy would not fit (`free` tells the bytes that a folder has) or is not sound.
   */
  backUp(file: string, target: string, free?: (folder: string) => number): void
  /**
   * Puts a backup in the place of a database file, which is kept beside it under a dated name. Throws an Error that
   * a person can act on when the backup is not sound, not leaddb's or too new, when it does not fit, and while
   * anybody has the database open; then nothing has changed. `time` is for the name, such as `20270131T101500Z`.
   */
  restore(
    from: string,
    file: string,
    time: string,
    options?: { force?: boolean; key?: string | undefined },
  ): Restored
  /**
   * Looks for damage in a database file without changing it, beside a running service if need be. `now` is in Unix
   * milliseconds, `key` the one that secrets are encrypted with. Answers with what was looked at and what was found,
   * and how the secrets stand, where that can be told. Throws an Error when it cannot be opened.
   */
  check(file: string, at: { now: number; key?: string | undefined }): CheckReport
  /**
   * Mends counts, heads and derived tables, beside a running service if need be. Answers with what it changed. Throws an
   * Error that a person can act on when the file's schema is not this executable's.
   */
  repair(file: string): Promise<Repaired[]>
  /** How a database's secrets stand in it, and whether the key opens them. */
  secrets(file: string, key: string | undefined): SecretsState
  /**
   * Gives a database's secrets another key, or none, while nobody else has it open. Answers with how many webhooks have
   * some. Throws an Error that a person can act on; then nothing has changed.
   */
  changeSecretKey(file: string, change: SecretsChange): { webhooks: number }
  /**
   * Does the work unless another thread or process is at the same: then undefined. The lock of this name goes with
   * the process that holds it, however that ends.
   */
  alone<T>(path: string, work: () => T): T | undefined
  /**
   * Makes an empty file beside `target` that nobody else can read, for what is not whole yet, and removes those in its
   * folder that were left by a process that was killed.
   */
  beginPartial(target: string): PartialFile
}
