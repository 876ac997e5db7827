// Whether the trail of each account is whole: its changes are numbered without a gap, from those that expired on.
import { counted } from "../../../text/text.ts"
import type { DataCheck } from "./check.ts"

/** Accounts that are named. */
const MOST = 20

export const TRAIL_CHECK: DataCheck<{ id: string; gaps: number }> = {
  sql: `SELECT a.id, a.trail_head - a.trail_floor - count(t.seq) AS gaps FROM accounts a
    LEFT JOIN trail t ON t.account_id = a.key AND t.seq > a.trail_floor AND t.seq <= a.trail_head
    GROUP BY a.key, a.id, a.trail_head, a.trail_floor
    HAVING a.trail_head - a.trail_floor > count(t.seq) ORDER BY a.key LIMIT ${MOST}`,
  found: (rows) =>
    rows.map(({ id, gaps }) => ({
      ...{ code: "trail_gaps", severity: "error", check: "trail" },
      message: `the trail of account ${id} lacks ${counted(gaps, "change")}`,
      advice: "The leads themselves are as they were; restore a good backup where the trail is needed",
    })),
}
