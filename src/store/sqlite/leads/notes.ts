import type { Database } from "bun:sqlite"
import type { Surroundings } from "../../tables/surroundings.ts"
import type { LeadLog } from "../derived/lead-log.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { activityWrites } from "./activity.ts"

/** Marks the lead's words as changed, and counts its notes. */
export function notesChanged(
  db: Database,
  pending: PendingWrites,
  log: LeadLog,
): Surroundings["notesChanged"] {
  const activity = activityWrites(db, pending)
  return async (account, lead, change) => {
    log.changed(account, lead)
    if (change === "removed") activity.noteRemoved(account, lead)
    else if (change !== "edited") activity.noteAdded(account, lead, change.added)
  }
}
