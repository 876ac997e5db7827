// The trail as both engines keep it: rows of changes, from which whole leads are put together.
import type { ChangeAction, ChangeFilter, ChangeRecord, PushedFields } from "../../contract/changes.ts"
import type { ChangeFacts } from "./facts.ts"
import type { StoredLeft } from "./left-behind.ts"

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
