import type { DuplicateWrites } from "../../contract/duplicates.ts"
import { noteAliases } from "../leads/known.ts"
import type { Tx } from "../writes/transaction.ts"

/** Tells what the transaction knows of leads about aliases that are written. */
export function aliasesKnown(tx: Tx, writes: DuplicateWrites): DuplicateWrites {
  return {
    ...writes,
    async addAliases(account, lead, aliases) {
      noteAliases(await tx.account(account), aliases)
      await writes.addAliases(account, lead, aliases)
    },
    async dropAliases(account, lead, aliases) {
      noteAliases(await tx.account(account), aliases)
      await writes.dropAliases(account, lead, aliases)
    },
  }
}
