// Reverts a batch of merges, or of undone merges: as merges, so that notes, lookup keys and pairs follow.
import { AppError } from "../../runtime/errors.ts"
import type { FullChange, Merge, Reads, Transaction } from "../../store/contract/store.ts"
import { inBatch } from "../batch.ts"
import { mergeLeads } from "../duplicates/merge.ts"
import { differs } from "../leads/write/lead-data.ts"
import type { Context } from "../operation.ts"
import type { PutBack, Revert } from "./put-back.ts"
import { isMeant } from "./query.ts"
import { undoMergeById } from "./undo-merge.ts"

// Merges leads again whose merge was undone.

/**
 * Leaves the lead that the merge left, where its leads are as they were before it; else the values of the survivor come
 * first. Teaches nothing. Throws `not_found` where a lead is gone, and what `mergeLeads` throws.
 */
async function redoMerge(request: Context, tx: Transaction, merge: Merge): Promise<void> {
  const ctx = inBatch(request)
  const account = ctx.caller.account.key
  const { data, survivor_id, ref, undone_at } = merge
  const row = await tx.leads.find(account, survivor_id)
  const isAsBefore = row !== undefined && !differs(row.data(), data.before)
  const ids = { survivor: survivor_id, losers: data.losers.map((loser) => loser.data.id) }
  await mergeLeads(ctx, tx, ids, isAsBefore ? { result: data.after } : {}, false)
  await tx.duplicates.keepMerge(account, { ref, undone_at, data: { ...data, redone_by: ctx.batch.id } })
}

/** `undo` takes a merge back, `redo` one that was taken back. */
interface MergeStep {
  way: "undo" | "redo"
  id: string
}

/**
 * The merges of a batch that changed a lead, the latest first; undefined where other changes of the lead belong to the
 * selection, too, and for the push that was split off a lead.
 */
export function mergeSteps(changes: readonly FullChange[], revert: Revert): MergeStep[] | undefined {
  if (revert.filter.batch_id === undefined) return undefined
  const steps = new Map<string, MergeStep>()
  for (const change of changes) {
    if (!isMeant(revert.filter, revert.upTo, change)) continue
    const [, undone, id] = /^(un)?merge:(mrg_.+)$/.exec(change.reason ?? "") ?? []
    if (id === undefined) return undefined
    steps.set(id, { way: undone ? "redo" : "undo", id })
  }
  return steps.size > 0 ? [...steps.values()] : undefined
}

/** Throws `conflict` where a merge cannot be reverted. Does nothing for those that the batch has reverted already. */
export async function revertMerges(
  ctx: Context & { batch: { id: string } },
  tx: Transaction,
  steps: readonly MergeStep[],
  { force }: Revert,
): Promise<PutBack> {
  for (const { way, id } of steps) {
    const merge = await tx.duplicates.merge(ctx.caller.account.key, id)
    if (merge?.data[way === "undo" ? "undone_by" : "redone_by"] === ctx.batch.id) continue
    const refusal = await refusalOf(ctx, tx, way, merge, force)
    if (refusal !== undefined || !merge) throw new AppError("conflict", refusal ?? GONE)
    if (way === "undo") await undoMergeById(ctx, tx, id)
    else await redoMerge(ctx, tx, merge)
  }
  // Their own events tell of them.
  return { created: [], updated: [], deleted: [] }
}

/** Why one of the merges would not be reverted; undefined where all can be. */
export async function refusalOfMerges(
  ctx: Context,
  reads: Reads,
  steps: readonly MergeStep[],
  force: boolean,
): Promise<string | undefined> {
  for (const { way, id } of steps) {
    const merge = await reads.duplicates.merge(ctx.caller.account.key, id)
    const refusal = await refusalOf(ctx, reads, way, merge, force)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

const GONE = "What the merge kept is gone"

async function refusalOf(
  ctx: Context,
  reads: Pick<Reads, "leads">,
  way: MergeStep["way"],
  merge: Merge | undefined,
  force: boolean,
): Promise<string | undefined> {
  if (!merge) return GONE
  const { data, survivor_id, undone_at } = merge
  if (way === "undo" && undone_at !== null) return "This merge has been taken back already"
  if (way === "redo" && data.redone_by !== undefined) return "These leads have been merged again already"
  const expected = way === "undo" ? [data.after] : [data.before, ...data.losers.map((loser) => loser.data)]
  for (const lead of expected) {
    const row = await reads.leads.find(ctx.caller.account.key, lead.id)
    if (!row) return `${lead.id === survivor_id ? "The lead that stayed" : lead.name} is gone`
    if (!force && differs(row.data(), lead)) return `${lead.name} was changed since: left alone without force`
  }
  return undefined
}
