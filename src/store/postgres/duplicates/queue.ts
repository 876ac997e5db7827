// Notes in a lead's own transaction what has to be compared anew.
import type { LeadData } from "../../../core/lead.ts"
import { matchedDiffer, matchedText } from "../../shared/matched-lead.ts"
import { dropSink, LEAD_KEY, statementSink, tableSink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"

const made = tableSink("duplicate_queue", LEAD_KEY)
const noted = statementSink(
  { ...LEAD_KEY, before: "text" },
  (from) => `INSERT INTO duplicate_queue AS q (account_id, rid, before) SELECT r.* FROM ${from}
    ON CONFLICT (account_id, rid) DO UPDATE SET turn = q.turn + 1`,
)
const pairs = ["a", "b"].map((side) =>
  dropSink("duplicate_pairs", { account_id: "bigint", [side]: "bigint" }, "AND t.state < 2"),
)

export function queueMade(tx: Tx, account: number, ref: number): void {
  tx.defer(made, [account, ref])
}

export function queueChanged(tx: Tx, account: number, ref: number, before: LeadData, after: LeadData): void {
  if (matchedDiffer(before, after)) tx.defer(noted, [account, ref, matchedText(before)])
}

export function queueRemoved(tx: Tx, account: number, ref: number, lead: LeadData): void {
  tx.defer(noted, [account, ref, matchedText(lead)])
  for (const sink of pairs) tx.defer(sink, [account, ref])
}
