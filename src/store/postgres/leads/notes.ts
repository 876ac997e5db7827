import type { Surroundings } from "../../tables/surroundings.ts"
import { replaceNotes } from "../search/words.ts"
import type { Tx } from "../writes/transaction.ts"
import { recountNotes } from "./activity.ts"
import { touch } from "./known.ts"

/** Counts the lead's notes, and replaces their words in its index. */
export function notesChanged(tx: Tx): Surroundings["notesChanged"] {
  return async (account, lead, change) => {
    touch(await tx.account(account), lead)
    if (change !== "edited") recountNotes(tx, account, lead)
    await replaceNotes(tx, account, lead)
  }
}
