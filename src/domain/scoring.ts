import type { LeadData } from "../core/lead.ts"
import type { Context } from "../core/operation.ts"
import type { Transaction } from "../store/store.ts"

/** The score that the account's present rules give a lead: 0 to 100, 0 without rules. */
export async function scoreOf(_ctx: Context, _tx: Transaction, _lead: LeadData): Promise<number> {
  return 0
}
