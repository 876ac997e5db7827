// Leads as they were before and after changes: worked out going back from the lead as it is now, or from a kept state.
import type { ChangeInsert, LeadState } from "../../contract/changes.ts"
import { parsedDocument, stateOf } from "../leads/shape.ts"
import { type States, stateBefore } from "./facts.ts"
import type { Chain, ChangeRow, Stretch, TrailRows } from "./rows.ts"

/** A whole lead is kept with one of so many changes: as many are gone back through to find one. */
export const STATE_EVERY = 64

/** The states of changes by their places; those of some leads, each in a stretch of its changes. */
export async function statesOf(
  rows: TrailRows,
  account: number,
  wanted: readonly Stretch[],
): Promise<Map<number, States>> {
  if (wanted.length === 0) return new Map()
  const chains = await rows.chains(account, wanted)
  return new Map(chains.flatMap((chain) => [...goBack(chain)]))
}

/** The stretches of leads in which these changes are. */
export function wantedStates(rows: readonly Pick<ChangeRow, "lead_id" | "seq">[]): Stretch[] {
  return [...Map.groupBy(rows, (row) => row.lead_id)].map(([lead_id, changesOfLead]) => {
    const seqs = changesOfLead.map(({ seq }) => seq)
    return { lead_id, low: Math.min(...seqs), high: Math.max(...seqs) }
  })
}

function* goBack({ rows, now }: Chain): Generator<[number, States]> {
  const [newest] = rows
  let state: LeadState | undefined =
    newest?.state == null && now !== undefined
      ? { data: parsedDocument(now), score: newest?.score_after ?? 0 }
      : undefined
  for (const { seq, action, facts, state: text, score_after } of rows) {
    if (text !== null) state = stateOf(JSON.parse(text))
    else if (action === "deleted") state = undefined
    else if (state && score_after !== null) state = { ...state, score: score_after }
    const after = state
    if (action === "deleted") {
      yield [seq, { before: state ?? null, after: null }]
    } else if (action === "created") {
      state = undefined
      yield [seq, { before: null, after: after ?? null }]
    } else {
      state = after && stateBefore(facts, after)
      yield [seq, { before: state ?? null, after: after ?? null }]
    }
  }
}

/** The whole lead that is kept with every deletion, and with a change whose turn it is; as JSON. */
export function keptState({ action, before, after }: ChangeInsert, isTurn: () => boolean): string | null {
  const kept = action === "deleted" ? before : before && after && isTurn() ? after : null
  return kept && JSON.stringify({ ...kept.data, score: kept.score })
}
