import type { JobError, Transaction } from "../../store/contract/store.ts"
import { inBatch } from "../batch.ts"
import type { JobKind } from "../job-kind.ts"
import { mayEnd, readTrailsAhead } from "../leads/bulk/ahead.ts"
import { announce } from "../leads/bulk/batch.ts"
import type { Context } from "../operation.ts"
import { mergeSteps, revertMerges } from "./of-merges.ts"
import { type PutBack, putBack, type Revert } from "./put-back.ts"
import type { RevertTarget } from "./selection.ts"

export const REVERT = "revert"

/** The input of a revert job. */
interface RevertInput {
  revert: Revert
  targets: RevertTarget[]
}

/** Reverts leads from an index on until `isEnough`. Returns the next index, and the leads that were skipped. */
export async function putBackAll(
  ctx: Context,
  tx: Transaction,
  { revert, targets }: RevertInput,
  from = 0,
  isEnough: () => boolean | Promise<boolean> = () => false,
): Promise<{ next: number; skipped: (JobError & { lead_id: string })[] }> {
  const skipped: (JobError & { lead_id: string })[] = []
  const all: PutBack = { created: [], updated: [], deleted: [] }
  let next = from
  for (; next < targets.length; next++) {
    if (next > from && (await mayEnd(tx, next - from, isEnough))) break
    await readTrailsAhead(ctx, tx, next - from, (count) => targets.slice(next, next + count))
    const target = targets[next]!
    const batched = inBatch(ctx)
    const done = await putBack(batched, tx, target, revert, async (changes) => {
      const steps = mergeSteps(changes, revert)
      return steps && revertMerges(batched, tx, steps, revert)
    })
    if ("refusal" in done) skipped.push({ lead_id: target[0], message: done.refusal })
    else for (const what of ["created", "updated", "deleted"] as const) all[what].push(...done[what])
  }
  for (const what of ["created", "updated", "deleted"] as const) {
    const leads = all[what].map((id) => ({ id }))
    await announce(ctx, tx, `leads.${what}`, leads)
  }
  return { next, skipped }
}

/** Progress is the number of leads done. */
export const revertJob: JobKind = {
  name: REVERT,
  async run({ ctx, input, progress, isEnough, commit }) {
    const all = input as unknown as RevertInput
    await commit(async (tx) => {
      const from = Number(progress ?? 0)
      const { next, skipped } = await putBackAll(ctx, tx, all, from, isEnough)
      return {
        done: next - from,
        errors: skipped,
        progress: next,
        isOver: next >= all.targets.length,
      }
    })
  },
}
