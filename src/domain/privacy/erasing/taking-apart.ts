// Leads that were merged into one that stays: what they brought is taken out of it before they are erased.
import { AppError } from "../../../runtime/errors.ts"
import type { Merge, Transaction } from "../../../store/contract/store.ts"
import { inBatch } from "../../batch.ts"
import { undoMergeById } from "../../changes/undo-merge.ts"
import type { Context } from "../../operation.ts"
import { type ErasedPerson, mergesWith } from "./erased-person.ts"

/** Changes of a lead in which a merge is looked for, the newest, and those read at once. */
const LOOKED_THROUGH = 1_000
const AT_ONCE = 100
/** Merges of merges that are taken back for one lead. */
const DEPTH_MAX = 20

/**
 * Undoes the merges by which a lead that is gone is part of one that is there, so that the latter gets its own values again.
 * What cannot be undone stays: the merged lead is then erased from its own records alone. Resolves with the merges.
 */
export async function takeApart(ctx: Context, id: string): Promise<Merge[]> {
  const account = ctx.caller.account.key
  if (await ctx.store.read.leads.find(account, id)) return []
  const chain: Merge[] = []
  for (let at: string | undefined = id; at !== undefined && chain.length < DEPTH_MAX; ) {
    const own: string = at
    const merges = await mergesWith(ctx, own)
    const into = merges.find((merge) => merge.undone_at === null && isLoser(merge, own))
    if (!into) break
    chain.push(into)
    at = (await ctx.store.read.leads.find(account, into.survivor_id)) ? undefined : into.survivor_id
  }
  const last = chain.at(-1)
  if (!last || !(await ctx.store.read.leads.find(account, last.survivor_id))) return []
  for (const { id: merge } of chain.toReversed()) {
    const isUndone = await ctx.store.write(account, (tx) => undone(ctx, tx, merge))
    if (!isUndone) break
  }
  return chain
}

/** No limit and no entry of the do-not-contact list keeps a lead from coming back that is about to be erased. */
async function undone(ctx: Context, tx: Transaction, merge: string): Promise<boolean> {
  const { account } = ctx.caller
  const caller = { ...ctx.caller, account: { ...account, limits: { ...account.limits, leads: null } } }
  const admitting = { ...tx, suppressions: { ...tx.suppressions, kinds: async () => 0 } }
  try {
    await tx.attempt(() => undoMergeById(inBatch({ ...ctx, caller }), admitting, merge))
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return false
  }
}

/** Whether a lead was merged into another one by a merge. */
export function isLoser({ data }: Merge, id: string): boolean {
  return data.losers.some((loser) => loser.data.id === id)
}

/** Erases what a lead had by merges of the person, from its changes from the merge to its end. */
export async function eraseFromSurvivors(ctx: Context, { mergedInto }: ErasedPerson): Promise<void> {
  for (const [merge, survivor] of mergedInto) {
    const range = await rangeOf(ctx, survivor, [`merge:${merge}`, `unmerge:${merge}`])
    if (range) await eraseChanges(ctx, survivor, range)
  }
}

/** Positions of the first and the last change of a lead with one of these reasons. */
async function rangeOf(
  ctx: Context,
  lead_id: string,
  reasons: readonly string[],
): Promise<ChangeRange | undefined> {
  const found: number[] = []
  let after: number | undefined
  for (let looked = 0, more = true; more && looked < LOOKED_THROUGH; looked += AT_ONCE) {
    const query = { filter: { lead_id }, descending: true, after, limit: AT_ONCE }
    const page = await ctx.store.read.changes.records(ctx.caller.account.key, query)
    for (const { reason, position } of page.changes) if (reasons.includes(reason ?? "")) found.push(position)
    after = page.position
    more = page.more
  }
  return found.length === 0 ? undefined : { from: Math.min(...found), to: Math.max(...found) }
}

interface ChangeRange {
  from: number
  to: number
}

/** Erases the data of a lead's changes, of all without a range. */
export async function eraseChanges(ctx: Context, id: string, range?: ChangeRange): Promise<void> {
  const account = ctx.caller.account.key
  const isMore = () => ctx.store.write(account, (tx) => tx.changes.erase(account, id, range))
  while (await isMore());
}
