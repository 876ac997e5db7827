import type { Database } from "bun:sqlite"
import { ACTIVITY_FIELDS, DERIVED_FIELDS, type Lead } from "../../src/lead/lead.ts"
import { changeReads } from "../../src/store/sqlite/trail/change-reads.ts"
import { unpackId } from "../../src/store/sqlite/trail/trail-rows.ts"

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
export async function trailRows(
  db: Database,
  behind: ReadonlyMap<number, number> = new Map(),
): Promise<TrailRow[]> {
  const reads = changeReads(db, new Uint8Array(8))
  const accounts = db.query<{ key: number }, []>("SELECT key FROM accounts").all()
  const changed = db.query<{ lead_id: Uint8Array | string }, [number, number]>(
    "SELECT lead_id FROM trail_leads WHERE key IN (SELECT lead FROM trail WHERE account_id = ? AND seq > ?)",
  )
  const rows: TrailRow[] = []
  for (const { key: account_id } of accounts) {
    const last = (behind.get(account_id) ?? account_id * PLACES) - account_id * PLACES
    for (const { lead_id: packed } of changed.all(account_id, last)) {
      const lead_id = unpackId(packed, "cl_")
      for (const { position, action, before, after } of await reads.since(account_id, lead_id, last + 1)) {
        const rid = account_id * PLACES + position
        rows.push({ rid, account_id, lead_id, action, before: text(before), after: text(after) })
      }
    }
  }
  return rows.toSorted((a, b) => a.rid - b.rid)
}

/** The lead as its document and its score are: without what was done with it. */
function text(lead: Lead | null): string | null {
  if (!lead) return null
  const worked: readonly string[] = [...ACTIVITY_FIELDS, ...DERIVED_FIELDS]
  const own = Object.entries(lead).filter(([name]) => !worked.includes(name))
  return JSON.stringify(Object.fromEntries(own))
}
