// What changes beside a lead: when it was contacted, its notes and activities.
import { findLastContact, recountNotes } from "../../tables/leads/activity.ts"
import { ACTIVITY_TEXT } from "../../tables/leads/stored-lead.ts"
import type { Surroundings } from "../../tables/surroundings.ts"
import { replaceNotes } from "../search/lead-words.ts"
import { LEAD_KEY, statementSink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"
import { pendingLeadsOf } from "./prefetch.ts"
import { changedLeads } from "./rows.ts"

const shown = statementSink(
  LEAD_KEY,
  (from) => `UPDATE lead_scores t SET version = t.version + 1,
      activity = (SELECT ${ACTIVITY_TEXT} FROM leads l WHERE l.account_id = r.account_id AND l.rid = r.rid)
    FROM ${from} WHERE t.account_id = r.account_id AND t.rid = r.rid`,
)

export function contacted(tx: Tx, account: number, lead: number, at: number | null): void {
  tx.defer(changedLeads, { account, ref: lead, columns: ["contacted_at"], values: [at] })
  tx.defer(shown, [account, lead])
}

/** Counts the lead's notes, and replaces their words in its index. Activities are among no lead's words. */
export function changedBeside(tx: Tx): Pick<Surroundings, "notesChanged" | "activitiesChanged"> {
  return {
    async notesChanged(account, lead, isEdited) {
      pendingLeadsOf(await tx.account(account)).invalidate(lead)
      if (!isEdited) recountNotes(tx, account, lead)
      await replaceNotes(tx, account, lead)
    },
    async activitiesChanged(account, lead) {
      pendingLeadsOf(await tx.account(account)).invalidate(lead)
      findLastContact(tx, account, lead)
    },
  }
}
