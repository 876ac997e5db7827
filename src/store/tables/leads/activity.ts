// Stored activity of leads: in columns of `leads`, and next to the score for reading.
import type { Db, WriteDb } from "../../sql/db.ts"
import { lastContact } from "../activities.ts"
import { ACTIVITY_TEXT } from "./stored-lead.ts"

const COUNT_NOTES = `UPDATE leads SET (note_count, last_note_at) =
    (SELECT count(*), max(n.created_at) FROM notes n WHERE n.account_id = $1 AND n.lead_rid = $2)
  WHERE account_id = $1 AND rid = $2`
const FIND_CONTACT = `UPDATE leads SET last_contacted_at = ${lastContact("leads.contacted_at", "$1", "$2")}
  WHERE account_id = $1 AND rid = $2`
const SHOW = `UPDATE lead_scores SET version = version + 1,
    activity = (SELECT ${ACTIVITY_TEXT} FROM leads WHERE account_id = $1 AND rid = $2)
  WHERE account_id = $1 AND rid = $2`

/** Behind the change of a note. */
export function recountNotes(db: WriteDb, account: number, lead: number): void {
  db.later(COUNT_NOTES, [account, lead])
  db.later(SHOW, [account, lead])
}

/** Behind the change of an activity. */
export function findLastContact(db: WriteDb, account: number, lead: number): void {
  db.later(FIND_CONTACT, [account, lead])
  db.later(SHOW, [account, lead])
}

/** When a lead was contacted, as it was set. */
export async function contactOf(db: Db, account: number, lead: number): Promise<number | null> {
  const text = "SELECT contacted_at AS at FROM leads WHERE account_id = $1 AND rid = $2"
  return (await db.get<{ at: number | null }>(text, [account, lead]))?.at ?? null
}
