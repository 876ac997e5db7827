import type { Transaction } from "../../../store/contract/store.ts"
import { publish } from "../../events.ts"
import type { Context } from "../../operation.ts"
import { asksActivity, rulesOf, scoreOf } from "../../rule-sets.ts"
import { queueSegmentEvents } from "../segments/transitions.ts"

/** Rescores a lead after a change of its notes, when a rule of the account reads them. */
export async function rescoreNoted(ctx: Context, tx: Transaction, ref: number): Promise<void> {
  if (!asksActivity(await rulesOf(ctx, tx.rules))) return
  const account = ctx.caller.account.key
  const row = await tx.leads.findByRef(account, ref)
  if (!row) return
  const { activity } = row
  const data = row.data()
  const score = await scoreOf(ctx, tx, data, activity)
  if (score === row.score) return
  await tx.leads.setScore(account, ref, row.version, score)
  await queueSegmentEvents(ctx, tx, data.id, { data, score: row.score, activity }, { data, score, activity })
  const scored = await tx.leads.findByRef(account, ref)
  await publish(ctx, tx, "lead.scored", (scored ?? row).json())
}
