// Merges leads again whose merge was undone.
import type { Merge, Transaction } from "../../store/contract/store.ts"
import { inBatch } from "../batch.ts"
import { mergeLeads } from "../duplicates/merge.ts"
import { differs } from "../leads/write/lead-data.ts"
import type { Context } from "../operation.ts"

/**
 * Leaves the lead that the merge left, where its leads are as they were before it; else the values of the survivor come
 * first. Teaches nothing. Throws `not_found` where a lead is gone, and what `mergeLeads` throws.
 */
export async function redoMerge(request: Context, tx: Transaction, merge: Merge): Promise<void> {
  const ctx = inBatch(request)
  const account = ctx.caller.account.key
  const { data, survivor_id, ref, undone_at } = merge
  const row = await tx.leads.find(account, survivor_id)
  const isAsBefore = row !== undefined && !differs(row.data(), data.before)
  const ids = { survivor: survivor_id, losers: data.losers.map((loser) => loser.data.id) }
  await mergeLeads(ctx, tx, ids, isAsBefore ? { result: data.after } : {}, false)
  await tx.duplicates.keepMerge(account, { ref, undone_at, data: { ...data, redone_by: ctx.batch.id } })
}
