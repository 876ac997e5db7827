import type { Surroundings } from "../../tables/surroundings.ts"
import { replaceNotes } from "../search/lead-words.ts"
import type { Tx } from "../writes/transaction.ts"
import { findLastContact, recountNotes } from "./activity.ts"
import { pendingLeadsOf } from "./prefetch.ts"

/** Counts the lead's notes, and replaces their words in its index. Activities are among no lead's words. */
export function changedBeside(tx: Tx): Pick<Surroundings, "notesChanged" | "activitiesChanged"> {
  return {
    async notesChanged(account, lead, change) {
      pendingLeadsOf(await tx.account(account)).invalidate(lead)
      if (change !== "edited") recountNotes(tx, account, lead)
      await replaceNotes(tx, account, lead)
    },
    async activitiesChanged(account, lead) {
      pendingLeadsOf(await tx.account(account)).invalidate(lead)
      findLastContact(tx, account, lead)
    },
  }
}
