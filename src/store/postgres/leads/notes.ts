import type { Surroundings } from "../../tables/surroundings.ts"
import { replaceNotes } from "../search/words.ts"
import type { Tx } from "../writes/transaction.ts"
import { recountNotes } from "./activity.ts"
import { pendingLeadsOf } from "./prefetch.ts"

/** Counts the lead's notes, and replaces their words in its index. */
export function notesChanged(tx: Tx): Surroundings["notesChanged"] {
  return async (account, lead, change) => {
    pendingLeadsOf(await tx.account(account)).invalidate(lead)
    if (change !== "edited") recountNotes(tx, account, lead)
    await replaceNotes(tx, account, lead)
  }
}
