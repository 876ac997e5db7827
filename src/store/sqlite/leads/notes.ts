import type { Database } from "bun:sqlite"
import type { Surroundings } from "../../tables/surroundings.ts"
import type { LeadLog } from "../derived/lead-log.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { activityWrites } from "./activity.ts"

/** Marks the lead's words as changed, and counts its notes. Activities are among no lead's words. */
export function changedBeside(
  db: Database,
  pending: PendingWrites,
  log: LeadLog,
): Pick<Surroundings, "notesChanged" | "activitiesChanged"> {
  const activity = activityWrites(db, pending)
  return {
    async notesChanged(account, lead, change) {
      log.changed(account, lead)
      if (change === "removed") activity.noteRemoved(account, lead)
      else if (change !== "edited") activity.noteAdded(account, lead, change.added)
    },
    activitiesChanged: async (account, lead) => activity.activitiesChanged(account, lead),
  }
}
