// Queues leads for the matcher in the transaction that changes them.
import { matchedDiffer, matchedText } from "../../tables/duplicates/matched-lead.ts"
import type { Projection } from "../../tables/leads/projections.ts"
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

export function duplicateQueue(tx: Tx): Projection {
  return ({ account, ref, before, after }) => {
    if (!before) tx.defer(made, [account, ref])
    else if (!after || matchedDiffer(before, after)) tx.defer(noted, [account, ref, matchedText(before)])
    if (!after) for (const sink of pairs) tx.defer(sink, [account, ref])
  }
}
