import type { Tx } from "../writes/transaction.ts"

/** To be called after every change of an account's segments and webhooks. */
export function hearing(tx: Tx): (account: number) => Promise<void> {
  return async (account) => {
    const state = await tx.account(account)
    const row = await tx.get<{ heard: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM segments s WHERE s.account_id = $1)
         AND EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = $1 AND w.active AND EXISTS (
           SELECT 1 FROM json_array_elements_text(w.events::json) e (name)
           WHERE e.name IN ('segment.entered', 'segment.left', '*'))) AS heard`,
      [account],
    )
    // Random rather than counted: a number that was rolled back never comes again for other segments.
    state.segments_heard = row!.heard ? 1 + Math.floor(Math.random() * 2 ** 48) : 0
    if (!row!.heard) tx.later("DELETE FROM segment_moves WHERE account_id = $1", [account])
  }
}
