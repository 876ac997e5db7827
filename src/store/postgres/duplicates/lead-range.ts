import type { LeadRange } from "../../tables/duplicates/statements.ts"
import type { Tx } from "../writes/transaction.ts"

/** As the account's row has them, which the transaction holds. */
export async function leadRange(tx: Tx, account: number): Promise<LeadRange> {
  const { lead_head, lead_count } = await tx.account(account)
  return { last: lead_head, leads: lead_count }
}
