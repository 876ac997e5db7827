import type { Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { getLeadRow } from "../lead-operations.ts"
import { replaceLead } from "../write/write.ts"

/** The name of this work among the actions of bulk work. */
export const FOLLOW_STAGE = "follow_stage"

/** Gives a lead the status that its stage has now; a lead whose stage was removed keeps its status. */
export async function followStage(ctx: Context, tx: Transaction, id: string): Promise<{ id: string }> {
  const row = await getLeadRow(ctx, tx.leads, id)
  const before = row.data()
  const stage = (await tx.stages.list(ctx.caller.account.key)).find((one) => one.id === before.stage)
  const after = stage ? { ...before, status: stage.status } : { ...before, stage: null }
  if (after.status === before.status && after.stage === before.stage) return { id }
  await replaceLead(ctx, tx, { row, before, after, cause: { action: "updated" } })
  return { id }
}
