// Imports in the store's contract: what was imported, the leads that it touched, and what columns were said to be.
import type { Json } from "../../core/lead.ts"

export const IMPORT_STATES = ["running", "done", "failed", "undone"] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** An import as it is kept. Times are Unix seconds. */
export interface ImportRow {
  id: string
  name: string
  file_name: string | null
  state: ImportState
  actor_id: string
  key_id: string
  /** The job that does it, and the one that takes it back, where there is one. */
  job: string | null
  undo_job: string | null
  /** Rows that are behind it, and how many there are; null when that is not known. */
  done: number
  total: number | null
  report: Json
  created_at: number
  ended_at: number | null
  undone_at: number | null
}

/** What columns of a file are, as somebody said it. */
export interface ImportMapping {
  /** Null for what is only remembered for the next file with the same header. */
  name: string | null
  header: string | null
  options: Json
  created_at: number
  used_at: number
}

export interface ImportReads {
  find(account: number, id: string): Promise<ImportRow | undefined>
  /** Newest first, behind the one with this id when it is given. */
  list(account: number, limit: number, after?: string | undefined): Promise<ImportRow[]>
  /** Those that a job works on. */
  countRunning(account: number): Promise<number>
  mappings(account: number): Promise<ImportMapping[]>
  mapping(account: number, name: string): Promise<ImportMapping | undefined>
  /** The one that was used last for a header. */
  mappingOf(account: number, header: string): Promise<ImportMapping | undefined>
}
export interface ImportWrites {
  insert(account: number, row: ImportRow): Promise<void>
  update(account: number, id: string, changes: Partial<ImportRow>): Promise<void>
  /** Notes that an import created or merged leads. */
  addLeads(account: number, id: string, refs: readonly number[]): Promise<void>
  /** Keeps a mapping in place of the one with its name, or of the unnamed one for its header. */
  saveMapping(account: number, mapping: ImportMapping): Promise<void>
  removeMapping(account: number, name: string): Promise<boolean>
}
