import type { FullChange, Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { getLeadRow } from "../lead-operations.ts"
import { replaceLead } from "../write/write.ts"

/** The name of this work among the actions of bulk work, and the reason of its changes. */
export const MERGE_COMPANY = "merge_company"

/** Before the batch in the reason of a change that undid it. */
const REVERT = "revert:"

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
    const cause = { action: "updated", reason: MERGE_COMPANY } as const
    await replaceLead(ctx, tx, { row, before, after, cause })
    return { id }
  }

/** Where a batch goes that merged companies, or an undo of one: companies part again, or are merged again. */
export async function undoCompanyMerge(
  tx: Transaction,
  account: number,
  { lead_id, reason, before, after }: FullChange,
): Promise<void> {
  const [was, is] = [before?.company_id, after?.company_id]
  if (!was || !is || was === is) return
  let undos = 0
  for (let why = reason; why !== MERGE_COMPANY; undos++) {
    const batch_id = why?.startsWith(REVERT) ? why.slice(REVERT.length) : undefined
    if (batch_id === undefined) return
    const query = { filter: { lead_id, batch_id }, descending: false, after: undefined, limit: 1 }
    why = (await tx.changes.records(account, query)).changes[0]?.reason ?? null
  }
  if (undos % 2 === 0) await tx.companies.part(account, was, is)
  else await tx.companies.merge(account, is, was)
}
