import type { FullChange, Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { getLeadRow } from "../leads.ts"
import { replaceLead } from "../write/write.ts"

/** The name of this work among the actions of bulk work, and the reason of its changes. */
export const MERGE_COMPANY = "merge_company"

export interface CompanyMerge {
  into: string
  from: readonly string[]
}

/** Gives a lead of one of the companies the one that they are merged into. */
export const mergeCompanyAct =
  ({ into, from }: CompanyMerge) =>
  async (ctx: Context, tx: Transaction, id: string): Promise<{ id: string }> => {
    const row = await getLeadRow(ctx, tx.leads, id)
    const before = row.data()
    if (before.company_id === null || !from.includes(before.company_id)) return { id }
    const after = { ...before, company_id: into }
    await replaceLead(ctx, tx, {
      row,
      before,
      after,
      cause: { action: "updated", reason: MERGE_COMPANY },
      announce: "silent",
    })
    return { id }
  }

/** Parts companies again whose merge is undone: leads to come are not of the other one any more. */
export async function undoCompanyMerge(
  tx: Transaction,
  account: number,
  { reason, before, after }: FullChange,
): Promise<void> {
  const [from, into] = [before?.company_id, after?.company_id]
  if (reason === MERGE_COMPANY && from && into) await tx.companies.part(account, from, into)
}
