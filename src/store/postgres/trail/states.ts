import type { Db } from "../../sql/db.ts"
import { completedText } from "../../tables/leads/shape.ts"
import type { ChangeFacts } from "../../tables/trail/facts.ts"
import type { Chain, ChangeRow, Stretch } from "../../tables/trail/rows.ts"

/** A row of the table; `facts` is JSON. */
export interface StoredRow extends Omit<ChangeRow, "facts"> {
  facts: string | null
  score_before: number | null
  score_after: number | null
  state: string | null
}

const RECORD = `t.seq, t.id, t.lead_id, t.action, t.reason, t.actor_id, t.key_id, t.batch_id, t.import_id, t.created_at`
export const CHANGE_COLUMNS = `${RECORD}, t.facts, t.score_before, t.score_after, t.state`
/** Of a change without what it says. */
export const RECORD_COLUMNS = `${RECORD}, NULL AS facts, NULL AS score_before, NULL AS score_after, NULL AS state`

export function changeRowOf({ facts, score_before, score_after, state: _, ...row }: StoredRow): ChangeRow {
  const kept: ChangeFacts = facts === null ? {} : JSON.parse(facts)
  const hasScores = score_before !== null && score_after !== null
  return { ...row, facts: hasScores ? { ...kept, score: [score_before, score_after] } : kept }
}

// Of each lead the changes from the lowest one that is wanted up to the first with a state at the highest or above it.
const CHAINS = `SELECT ${CHANGE_COLUMNS} FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS w (lead_id, low, high)
  CROSS JOIN LATERAL (SELECT (SELECT min(k.seq) FROM trail k
    WHERE k.account_id = $1 AND k.lead_id = w.lead_id AND k.seq >= w.high AND k.state IS NOT NULL) AS top) s
  JOIN trail t ON t.account_id = $1 AND t.lead_id = w.lead_id AND t.seq >= w.low AND (s.top IS NULL OR t.seq <= s.top)
  ORDER BY t.seq DESC`
const NOW = "SELECT id, data, shape FROM leads WHERE account_id = $1 AND id = ANY ($2::text[])"

export async function chainsOf(db: Db, account: number, wanted: readonly Stretch[]): Promise<Chain[]> {
  const ids = wanted.map(({ lead_id }) => lead_id)
  const [rows, now] = await Promise.all([
    db.all<StoredRow>(CHAINS, [account, ids, wanted.map(({ low }) => low), wanted.map(({ high }) => high)]),
    db.all<{ id: string; data: string; shape: number }>(NOW, [account, ids]),
  ])
  const data = new Map(now.map((one) => [one.id, completedText(one.data, one.shape)]))
  return [...Map.groupBy(rows, (row) => row.lead_id)].map(([lead_id, own]) => ({
    lead_id,
    rows: own.map((row) => ({ ...changeRowOf(row), score_after: row.score_after, state: row.state })),
    now: data.get(lead_id),
  }))
}
