// Notes in the store's contract. Every time is in Unix seconds.
import type { LeadRow } from "./leads.ts"

export interface Note {
  id: string
  lead_id: string
  content: string
  /** Who wrote it: the name of a member, or of a key. Null for notes of older versions. */
  author: string | null
  created_at: number
  updated_at: number
}
export interface NoteReads {
  find(account: number, id: string): Promise<Note | undefined>
  /** Oldest first. */
  list(account: number, lead: LeadRow): Promise<Note[]>
}
export interface NoteWrites {
  insert(account: number, lead: LeadRow, note: Note): Promise<void>
  update(account: number, note: Note): Promise<void>
  remove(account: number, id: string): Promise<void>
}
