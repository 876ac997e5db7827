import type { Alias, DuplicateWrites } from "../../contract/duplicates.ts"
import { pendingLeadsOf } from "../leads/prefetch.ts"
import type { Tx } from "../writes/transaction.ts"

/** Invalidates candidates that the transaction has prefetched where aliases are written. */
export function aliasesKnown(tx: Tx, writes: DuplicateWrites): DuplicateWrites {
  async function invalidate(account: number, lead: number, aliases: readonly Alias[]): Promise<void> {
    const keys = aliases.map(({ kind, value }) => ({ [kind]: value }))
    pendingLeadsOf(await tx.account(account)).invalidate(lead, keys)
  }
  return {
    ...writes,
    async addAliases(account, lead, aliases) {
      await invalidate(account, lead, aliases)
      await writes.addAliases(account, lead, aliases)
    },
    async dropAliases(account, lead, aliases) {
      await invalidate(account, lead, aliases)
      await writes.dropAliases(account, lead, aliases)
    },
  }
}
