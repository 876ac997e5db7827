// What changes beside a lead: its notes and activities.
import type { WriteDb } from "../../sql/db.ts"
import { findLastContact, recountNotes } from "../../tables/leads/activity.ts"
import type { Surroundings } from "../../tables/surroundings.ts"
import type { PendingWrites } from "../queue/transaction.ts"
import type { LeadLog } from "./projections.ts"

/** Marks the lead's words as changed, and counts its notes. Activities are among no lead's words. */
export function changedBeside(
  db: WriteDb,
  pending: PendingWrites,
  log: LeadLog,
): Pick<Surroundings, "notesChanged" | "activitiesChanged"> {
  return {
    async notesChanged(account, lead, isEdited) {
      log.changed(account, lead)
      if (isEdited) return
      pending.flushFor(lead)
      recountNotes(db, account, lead)
    },
    async activitiesChanged(account, lead) {
      pending.flushFor(lead)
      findLastContact(db, account, lead)
    },
  }
}
