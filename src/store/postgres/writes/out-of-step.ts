// Numbers of an account that are behind its rows: nothing could be written any more, so they are set right on the way.
import { violated } from "../connection/errors.ts"
import type { DatabaseSession } from "../connection/session.ts"

/** Keys that are numbered by an account's row. */
const NUMBERED: ReadonlySet<string | undefined> = new Set(["leads_pkey", "trail_pkey"])

/** Whether a row could not be written since its number is taken. */
export function isOutOfStep(error: unknown): boolean {
  return NUMBERED.has(violated(error))
}

/** A statement of its own: it sees what was committed while the lock was waited for. */
const MEND = `UPDATE accounts a SET
  lead_head = greatest(a.lead_head, coalesce((SELECT max(l.rid) FROM leads l WHERE l.account_id = a.key), 0)),
  trail_head = greatest(a.trail_head, coalesce((SELECT max(t.seq) FROM trail t WHERE t.account_id = a.key), 0)),
  lead_count = (SELECT count(*) FROM leads l WHERE l.account_id = a.key) WHERE a.key = $1`

/** Works out an account's numbers anew, on a connection that has no transaction under way. */
export async function setInStep(session: DatabaseSession, account: number): Promise<void> {
  await session.begin()
  try {
    await session.send("SELECT key FROM accounts WHERE key = $1 FOR UPDATE", [account])
    await session.send(MEND, [account])
    await session.send("COMMIT")
  } catch (error) {
    await session.send("ROLLBACK").catch(() => session.drop())
    throw error
  }
}
