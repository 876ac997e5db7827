import { type AccountColumns, newRevision } from "../sql/account-columns.ts"
import type { WriteDb } from "../sql/db.ts"

const isWatched = (
  items: string,
) => `SELECT EXISTS (SELECT 1 FROM segments s WHERE s.account_id = $1 AND s.enrich > 0)
    OR EXISTS (SELECT 1 FROM segments s WHERE s.account_id = $1)
    AND EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = $1 AND w.active = true AND EXISTS (
      SELECT 1 FROM ${items} e WHERE e.value IN ('segment.entered', 'segment.left', '*'))) AS watched`

/**
 * Notes whether an active webhook takes the events of an account's segments, or one has leads to be enriched. To be called after every change of its
 * segments, its webhooks or its default country, which filters may depend on.
 */
export async function updateSegmentWatch(
  db: WriteDb,
  columns: AccountColumns,
  account: number,
): Promise<void> {
  const row = await db.get<{ watched: boolean | number }>(isWatched(db.dialect.jsonItems("w.events")), [
    account,
  ])
  await columns.set(account, "segments_heard", row?.watched ? newRevision() : 0)
  if (!row?.watched) db.later("DELETE FROM segment_moves WHERE account_id = $1", [account])
}
