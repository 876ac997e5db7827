// The trail as both engines keep it: rows of changes, from which whole leads are put together.
import type {
  ChangeAction,
  ChangeFilter,
  ChangeRecord,
  LeadState,
  PushedFields,
} from "../../contract/changes.ts"
import { parsedDocument, stateOf } from "../leads/shape.ts"
import { type ChangeFacts, type States, type StoredLeft, stateBefore } from "./change-facts.ts"

/** A change as an engine keeps it. `id` and `batch_id` are null where they are worked out of the change's place. */
export interface ChangeRow extends Omit<ChangeRecord, "position" | "id" | "batch_id" | "is_proxied"> {
  seq: number
  id: string | null
  batch_id: string | null
  facts: ChangeFacts
}

/** A change among those of its lead. */
interface ChainRow {
  seq: number
  action: ChangeAction
  facts: ChangeFacts
  /** The lead's score after the change; null where there was no lead then, or where nothing is kept of it. */
  score_after: number | null
  /** The whole lead as JSON: of a deleted one as it was before, else after the change. Null where none is kept. */
  state: string | null
}

/** The changes of a lead between two places, the newest first. */
export interface Chain {
  lead_id: string
  rows: readonly ChainRow[]
  /** The lead as it is now, as JSON; undefined where it is gone, or where the newest row keeps a state. */
  now: string | undefined
}

/** The places between which the states of a lead are wanted, both included. */
export interface Stretch {
  lead_id: string
  low: number
  high: number
}

/** How an engine reads its trail. */
export interface TrailRows {
  /** Places that one read goes through, and milliseconds that one look may take. */
  readonly window: number
  readonly lookMs: number
  /** The places between which an account's changes are that the filter may match; undefined when there are none. */
  narrow(account: number, filter: ChangeFilter, end: number): Promise<Omit<Stretch, "lead_id"> | undefined>
  /**
   * The first changes that match between two places, in the order asked for; `filter.field` is not looked at. Facts are read
   * where they are wanted, else empty.
   */
  between(
    account: number,
    filter: ChangeFilter,
    places: Omit<Stretch, "lead_id">,
    how: { isDown: boolean; hasFacts: boolean },
    limit: number,
  ): Promise<ChangeRow[]>
  /** The newest changes of a lead from a place on, the newest first. */
  ofLead(account: number, leadId: string, from: number, limit: number): Promise<ChangeRow[]>
  /** Of each lead the changes from `low` up to the first at `high` or above with a state, all of one moment. */
  chains(account: number, wanted: readonly Stretch[]): Promise<Chain[]>
  leftBehind(account: number, position: number): Promise<StoredLeft | null>
  pushed(account: number, leadId: string, position: number): Promise<PushedFields | undefined>
  bounds(account: number): Promise<{ head: number; floor: number }>
  /** Differs after every restore. */
  epoch(): Promise<Uint8Array>
}

/**
 * The states of changes by their places; those of some leads, each in a stretch of its changes. They are worked out going
 * back from the lead as it is now, or from a kept state.
 */
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
