// Leads as they were before and after changes: worked out going back from the lead as it is now, or from a kept state.
import type { LeadState } from "../../contract/changes.ts"
import { type ChangeFacts, type ChangeRow, type States, stateBefore } from "../../shared/change-facts.ts"
import { stateOf } from "../../shared/lead-shape.ts"
import type { Db } from "../../sql/db.ts"
import { documentSql } from "../leads/documents.ts"

export const ROW = `t.seq, t.id, t.lead_id, t.action, t.reason, t.actor_id, t.key_id, t.batch_id, t.import_id, t.created_at,
  t.facts, t.score_before, t.score_after, t.state`

export function factsIn({ facts, score_before, score_after }: ChangeRow): ChangeFacts {
  const kept: ChangeFacts = facts === null ? {} : JSON.parse(facts)
  return score_before === null || score_after === null
    ? kept
    : { ...kept, score: [score_before, score_after] }
}

/** From which change on the states of a lead are wanted, and up to which. */
interface Wanted {
  lead_id: string
  low: number
  high: number
}

// Of each lead the changes from the lowest one that is wanted up to the first with a state at the highest or above it.
const CHAINS = `SELECT ${ROW} FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS w (lead_id, low, high)
  CROSS JOIN LATERAL (SELECT (SELECT min(k.seq) FROM trail k
    WHERE k.account_id = $1 AND k.lead_id = w.lead_id AND k.seq >= w.high AND k.state IS NOT NULL) AS top) s
  JOIN trail t ON t.account_id = $1 AND t.lead_id = w.lead_id AND t.seq >= w.low AND (s.top IS NULL OR t.seq <= s.top)
  ORDER BY t.seq DESC`
const NOW = `SELECT l.id, ${documentSql("l")} AS data FROM leads l WHERE l.account_id = $1 AND l.id = ANY ($2::text[])`

/** The states of changes by their places; those of some leads, each in a stretch of its changes. */
export async function statesOf(
  db: Db,
  account: number,
  wanted: readonly Wanted[],
): Promise<Map<number, States>> {
  const states = new Map<number, States>()
  if (wanted.length === 0) return states
  const ids = wanted.map(({ lead_id }) => lead_id)
  const [rows, now] = await Promise.all([
    db.all<ChangeRow>(CHAINS, [account, ids, wanted.map(({ low }) => low), wanted.map(({ high }) => high)]),
    db.all<{ id: string; data: string }>(NOW, [account, ids]),
  ])
  const data = new Map(now.map((one) => [one.id, one.data]))
  for (const [id, chain] of Map.groupBy(rows, (row) => row.lead_id)) {
    for (const [seq, pair] of goBack(chain, data.get(id))) states.set(seq, pair)
  }
  return states
}

/** The newest change comes first. */
function* goBack(chain: readonly ChangeRow[], now: string | undefined): Generator<[number, States]> {
  const isKept = chain[0]?.state != null
  let state: LeadState | undefined =
    !isKept && now !== undefined ? { data: JSON.parse(now), score: chain[0]?.score_after ?? 0 } : undefined
  for (const row of chain) {
    const { seq, action, state: kept, score_after } = row
    if (kept !== null) state = stateOf(JSON.parse(kept))
    else if (action === "deleted") state = undefined
    else if (state && score_after !== null) state = { ...state, score: score_after }
    const after = state
    if (action === "deleted") {
      yield [seq, { before: state ?? null, after: null }]
    } else if (action === "created") {
      state = undefined
      yield [seq, { before: null, after: after ?? null }]
    } else {
      state = after && stateBefore(factsIn(row), after)
      yield [seq, { before: state ?? null, after: after ?? null }]
    }
  }
}

/** The stretches of leads in which these changes are. */
export function wantedStates(rows: readonly Pick<ChangeRow, "lead_id" | "seq">[]): Wanted[] {
  return [...Map.groupBy(rows, (row) => row.lead_id)].map(([lead_id, own]) => {
    const seqs = own.map(({ seq }) => seq)
    return { lead_id, low: Math.min(...seqs), high: Math.max(...seqs) }
  })
}
