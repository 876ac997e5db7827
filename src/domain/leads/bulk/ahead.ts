// Reads leads ahead in batches, where the store is remote and each query is a round trip.

import type { Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"

/** Leads of one batch: some milliseconds of work. */
const TOGETHER = 16

/** Reads a lead with those after it; called before each lead of a list. `at` counts from where the work began. */
export async function readAhead(
  ctx: Context,
  tx: Transaction,
  at: number,
  behind: (count: number) => readonly string[],
): Promise<void> {
  if (tx.leads.readAhead && at % TOGETHER === 0)
    await tx.leads.readAhead(ctx.caller.account.key, behind(TOGETHER))
}

/** Like `readAhead`, with the leads' trails back to the positions that `behind` returns. */
export async function readTrailsAhead(
  ctx: Context,
  tx: Transaction,
  at: number,
  behind: (count: number) => readonly (readonly [leadId: string, position: number])[],
): Promise<void> {
  if (tx.changes.readAhead && at % TOGETHER === 0)
    await tx.changes.readAhead(ctx.caller.account.key, behind(TOGETHER))
  await readAhead(ctx, tx, at, (count) => behind(count).map(([id]) => id))
}

/** True when work may end at this lead: not while it holds leads that were read ahead. */
export async function mayEnd(
  tx: Transaction,
  done: number,
  isEnough: () => boolean | Promise<boolean>,
): Promise<boolean> {
  if (tx.leads.readAhead && done % TOGETHER !== 0) return false
  return isEnough()
}
