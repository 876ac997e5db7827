// What is stored with the deletion of a lead, of the rows that went with it.
import type { ChangeInsert, LeftBehind } from "../../contract/changes.ts"
import type { Note } from "../../contract/notes.ts"

/** Notes alone are a list, as they always were. */
export type StoredLeft = readonly Note[] | Partial<LeftBehind>

/** As it is kept; null where there is nothing. */
export function storedLeft({ left }: Pick<ChangeInsert, "left">): StoredLeft | null {
  if (!left) return null
  const { notes, activities, contacted_at } = left
  if (activities.length > 0) return left
  if (contacted_at !== null) return { notes, contacted_at }
  return notes.length > 0 ? notes : null
}

export function leftIn(stored: StoredLeft | null): LeftBehind {
  const given = Array.isArray(stored) ? { notes: stored } : stored
  return { notes: [], activities: [], contacted_at: null, ...given }
}

/** The texts in it that tell of the lead. */
export function textsLeft(stored: StoredLeft): string[] {
  const { notes, activities } = leftIn(stored)
  return [...notes.map(({ content }) => content), ...activities.flatMap(({ text }) => text ?? [])]
}
