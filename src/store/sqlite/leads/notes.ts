import type { Database } from "bun:sqlite"
import type { Surroundings } from "../../tables/surroundings.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { wordChanges } from "../search/words.ts"
import { activityWrites } from "./activity.ts"

/** Marks the lead's words as changed, and counts its notes. */
export function notesChanged(db: Database, pending: PendingWrites): Surroundings["notesChanged"] {
  const noteWords = wordChanges(db)
  const activity = activityWrites(db, pending)
  return async (account, lead, change) => {
    noteWords(account, lead)
    if (change === "removed") activity.noteRemoved(account, lead)
    else if (change !== "edited") activity.noteAdded(account, lead, change.added)
  }
}
