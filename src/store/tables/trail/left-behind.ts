// Data stored with the deletion of a lead: its notes and its last contact by status.
import type { ChangeInsert } from "../../contract/changes.ts"
import type { Note } from "../../contract/notes.ts"

export type LeftBehind = readonly Note[] | { notes: readonly Note[]; contacted_at: number }

/** As it is kept; null where there is nothing. Notes alone are a list, as they always were. */
export function leftBehind({ notes = [], contacted_at = null }: ChangeInsert): LeftBehind | null {
  if (contacted_at !== null) return { notes, contacted_at }
  return notes.length > 0 ? notes : null
}

const isList = (left: LeftBehind): left is readonly Note[] => Array.isArray(left)

export function notesLeft(left: LeftBehind | null): Note[] {
  return left === null ? [] : [...(isList(left) ? left : left.notes)]
}

export function contactedLeft(left: LeftBehind | null): number | null {
  return left === null || isList(left) ? null : left.contacted_at
}
