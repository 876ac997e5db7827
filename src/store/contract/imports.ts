// Imports in the store's contract: their records, their leads, and saved mappings.
import type { Json } from "../../lead/lead.ts"

export const IMPORT_STATES = ["running", "done", "failed", "undone", "interrupted"] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** The record of an import. Times are Unix seconds. */
export interface ImportRow {
  id: string
  name: string
  file_name: string | null
  state: ImportState
  actor_id: string
  key_id: string
  /** The jobs that run it and undo it, if any. */
  job: string | null
  undo_job: string | null
  /** Rows done, and their total; null when unknown. */
  done: number
  total: number | null
  report: Json
  created_at: number
  ended_at: number | null
  undone_at: number | null
  /** Unix milliseconds until when its process is known to live; null for a job's import, which has a lease. */
  alive_until: number | null
}

export interface ImportMapping {
  /** Null for a mapping that is only remembered by its header. */
  name: string | null
  header: string | null
  options: Json
  created_at: number
  used_at: number
}

export interface ImportReads {
  find(account: number, id: string): Promise<ImportRow | undefined>
  /** Newest first, after the one with this id. */
  list(account: number, limit: number, after?: string | undefined): Promise<ImportRow[]>
  countRunning(account: number): Promise<number>
  /** Some running imports of any account without a process at `now` (Unix ms): nothing goes on with them. */
  cutOff(now: number): Promise<{ account: number; id: string }[]>
  mappings(account: number): Promise<ImportMapping[]>
  mapping(account: number, name: string): Promise<ImportMapping | undefined>
  /** The mapping that a header was last imported with. */
  mappingOf(account: number, header: string): Promise<ImportMapping | undefined>
}
export interface ImportWrites {
  insert(account: number, row: ImportRow): Promise<void>
  update(account: number, id: string, changes: Partial<ImportRow>): Promise<void>
  /** Changes an import that is running, also against another process; false, and no change, when it is not. */
  updateRunning(account: number, id: string, changes: Partial<ImportRow>): Promise<boolean>
  /** Like `updateRunning`, for an import that `cutOff` would list at `now`. */
  updateCutOff(account: number, id: string, now: number, changes: Partial<ImportRow>): Promise<boolean>
  addLeads(account: number, id: string, refs: readonly number[]): Promise<void>
  /** Saves a mapping and replaces the one with its name, or the unnamed one for its header. */
  saveMapping(account: number, mapping: ImportMapping): Promise<void>
  removeMapping(account: number, name: string): Promise<boolean>
}
