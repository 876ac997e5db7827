// A kind of derived data, as the follower fills it.
import type { Database } from "bun:sqlite"
import type { LeadData } from "../../../lead/lead.ts"

/** A lead that was created, changed or removed since the tables followed last. */
export interface FollowedChange {
  account: number
  ref: number
  /** Undefined when the lead is gone. */
  lead: LeadData | undefined
  /** Its newest notes, the newest first, as far as they are searched. */
  notes: readonly string[]
  /** True when the tables have never had a lead of this number. */
  isNew: boolean
}

/** A kind of derived data. Its rows are named by the account and the lead's rid, never by the lead's id. */
export interface DerivedTable {
  name: string
  /** Raised when the same leads give other rows: the file is then made again. */
  version: number
  /** SQL that creates its tables and indexes; they must not exist. */
  create: string
  /** Opens it on the one connection that writes the file. Its functions run inside a transaction. */
  open(index: Database): DerivedWriter
}

export interface DerivedWriter {
  /** Brings the rows of some leads up to date: those that are gone come first. Repeating it must be harmless. */
  apply(changes: readonly FollowedChange[]): void
  /** Removes what is left of a deleted account, whose leads have been removed one by one. */
  forget(account: number): void
}
