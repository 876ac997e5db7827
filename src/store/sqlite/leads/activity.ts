// Stored activity of leads: in columns of `leads`, and next to the score for reading.
import type { Database } from "bun:sqlite"
import { lastContact } from "../../tables/activities.ts"
import { ACTIVITY_TEXT } from "../../tables/leads/stored-lead.ts"
import type { Surroundings } from "../../tables/surroundings.ts"
import { prepare } from "../connection/database.ts"
import type { LeadLog } from "../derived/lead-log.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"

interface ActivityWrites {
  noteAdded(account: number, lead: number, at: number): void
  /** To be called when the note is gone. */
  noteRemoved(account: number, lead: number): void
  /** To be called when an activity was added or is gone. */
  activitiesChanged(account: number, lead: number): void
  contacted(account: number, lead: number, at: number | null): void
  contactOf(account: number, lead: number): number | null
}

export function activityWrites(db: Database, pending: PendingWrites): ActivityWrites {
  const added = prepare(
    db,
    `UPDATE leads SET note_count = note_count + 1, last_note_at = max(coalesce(last_note_at, ?1), ?1)
     WHERE account_id = ?2 AND rid = ?3`,
  )
  const recount = prepare(
    db,
    `UPDATE leads SET (note_count, last_note_at) =
       (SELECT count(*), max(created_at) FROM notes WHERE account_id = ?1 AND lead_rid = ?2)
     WHERE account_id = ?1 AND rid = ?2`,
  )
  const contact = prepare(db, "UPDATE leads SET contacted_at = ? WHERE account_id = ? AND rid = ?")
  const findLastContact = prepare(
    db,
    `UPDATE leads SET last_contacted_at = ${lastContact("contacted_at", "?1", "?2")}
     WHERE account_id = ?1 AND rid = ?2`,
  )
  const contactAt = prepare<{ at: number | null }>(
    db,
    "SELECT contacted_at AS at FROM leads WHERE account_id = ? AND rid = ?",
  )
  const show = prepare(
    db,
    `UPDATE lead_scores SET version = version + 1,
       activity = (SELECT ${ACTIVITY_TEXT} FROM leads WHERE account_id = ?1 AND rid = ?2)
     WHERE account_id = ?1 AND rid = ?2`,
  )
  function refreshActivity(account: number, lead: number): void {
    pending.flushFor(lead)
    show.run(account, lead)
  }
  return {
    noteAdded(account, lead, at) {
      added.run(at, account, lead)
      refreshActivity(account, lead)
    },
    noteRemoved(account, lead) {
      recount.run(account, lead)
      refreshActivity(account, lead)
    },
    activitiesChanged(account, lead) {
      findLastContact.run(account, lead)
      refreshActivity(account, lead)
    },
    contacted(account, lead, at) {
      contact.run(at, account, lead)
      findLastContact.run(account, lead)
      refreshActivity(account, lead)
    },
    contactOf: (account, lead) => contactAt.get(account, lead)?.at ?? null,
  }
}

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
