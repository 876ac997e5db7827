// Work on many leads where the store is far away: they are read together, some at a time.

import type { Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"

/** Leads that are read together: some milliseconds of work. */
const TOGETHER = 16

/** To be called before each lead of a list: reads it with those behind it. `at` counts from where the work began. */
export async function readAhead(
  ctx: Context,
  tx: Transaction,
  at: number,
  behind: (count: number) => readonly string[],
): Promise<void> {
  if (tx.leads.readAhead && at % TOGETHER === 0)
    await tx.leads.readAhead(ctx.caller.account.key, behind(TOGETHER))
}

/** The same for work that goes back in their trails: `behind` tells of each lead where to. */
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

/** Whether work that has come so far is to end: not while it holds what was read ahead. */
export async function mayEnd(
  tx: Transaction,
  done: number,
  isEnough: () => boolean | Promise<boolean>,
): Promise<boolean> {
  if (tx.leads.readAhead && done % TOGETHER !== 0) return false
  return isEnough()
}
