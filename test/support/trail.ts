import type { Database } from "bun:sqlite"
import type { LeadState } from "../../src/store/contract/store.ts"
import { unpackId } from "../../src/store/shared/trail-ids.ts"
import { trailChains } from "../../src/store/sqlite/trail/chain.ts"
import type { TrailLead } from "../../src/store/sqlite/trail/write.ts"

/** A change with whole leads as JSON texts. */
export interface TrailRow {
  /** Tells it from all others; grows within an account. */
  rid: number
  account_id: number
  lead_id: string
  action: string
  before: string | null
  after: string | null
}

/** More changes than any account has. */
const PLACES = 1e9

/** All changes in a file, each account's in order; of an account only those behind the one that is given. */
export function trailRows(db: Database, behind: ReadonlyMap<number, number> = new Map()): TrailRow[] {
  const chains = trailChains(db)
  const leads = db
    .query<TrailLead & { account_id: number; lead_id: Uint8Array | string }, []>("SELECT * FROM trail_leads")
    .all()
  const rows: TrailRow[] = []
  for (const { account_id, lead_id: packed, ...lead } of leads) {
    const id = unpackId(packed, "cl_")
    const last = (behind.get(account_id) ?? account_id * PLACES) - account_id * PLACES
    if (lead.last <= last) continue
    for (const { seq, entry, before, after } of chains.steps(account_id, { ...lead, id })) {
      if (seq <= last) break
      const rid = account_id * PLACES + seq
      rows.push({
        rid,
        account_id,
        lead_id: id,
        action: entry.action,
        before: text(before),
        after: text(after),
      })
    }
  }
  return rows.toSorted((a, b) => a.rid - b.rid)
}

function text(state: LeadState | null): string | null {
  return state && JSON.stringify({ ...state.data, score: state.score })
}
