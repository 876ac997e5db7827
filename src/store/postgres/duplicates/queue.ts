// Notes in a lead's own transaction what has to be compared anew.
import type { LeadData } from "../../../core/lead.ts"
import { matchedDiffer, matchedText } from "../../shared/matched-lead.ts"
import { tableSink } from "../leads/rows.ts"
import type { Tx } from "../writes/transaction.ts"

const made = tableSink("duplicate_queue", { account_id: "bigint", rid: "bigint" })

const NOTE = `INSERT INTO duplicate_queue AS q (account_id, rid, before) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, rid) DO UPDATE SET turn = q.turn + 1`

export function queueMade(tx: Tx, account: number, ref: number): void {
  tx.defer(made, [account, ref])
}

export function queueChanged(tx: Tx, account: number, ref: number, before: LeadData, after: LeadData): void {
  if (matchedDiffer(before, after)) tx.later(NOTE, [account, ref, matchedText(before)])
}

export function queueRemoved(tx: Tx, account: number, ref: number, lead: LeadData): void {
  tx.later(NOTE, [account, ref, matchedText(lead)])
  for (const side of ["a", "b"])
    tx.later(`DELETE FROM duplicate_pairs WHERE account_id = $1 AND ${side} = $2 AND state < 2`, [
      account,
      ref,
    ])
}
