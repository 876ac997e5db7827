import { fromTrailKey } from "../../../core/trail-key.ts"
import type {
  ChangePage,
  ChangeQuery,
  ChangeReads,
  ChangeRecord,
  DiffChange,
  FullChange,
} from "../../contract/changes.ts"
import { leadsAround, type States, shownFacts, shownWhole } from "./facts.ts"
import { createTrailIds, type TrailIds } from "./ids.ts"
import { leftIn } from "./left-behind.ts"
import type { ChangeRow, TrailRows } from "./rows.ts"
import { scanTrail } from "./scan.ts"
import { statesOf, wantedStates } from "./states.ts"

const NEITHER: States = { before: null, after: null }

interface TrailReads {
  reads: ChangeReads
  /** Puts the whole leads before and after changes together. */
  fullOf(account: number, rows: readonly ChangeRow[]): Promise<FullChange[]>
}

/** The reads of a trail over an engine's rows. `secret` is the database's own; ids are worked out with it. */
export function trailReads(secret: Uint8Array, rowsWith: (ids: TrailIds) => TrailRows): TrailReads {
  const ids = createTrailIds(secret)
  const rows = rowsWith(ids)

  function recordOf(account: number, row: ChangeRow): ChangeRecord {
    const { keyId = null, isProxied } = row.key_id === null ? {} : fromTrailKey(row.key_id)
    return {
      position: row.seq,
      // Worked out when it is asked for: who counts many records never does.
      get id() {
        return row.id ?? ids.of("change", account, row.seq, row.created_at)
      },
      lead_id: row.lead_id,
      actor_id: row.actor_id,
      key_id: keyId,
      ...(isProxied && { is_proxied: isProxied }),
      action: row.action,
      reason: row.reason,
      batch_id: row.batch_id ?? ids.of("batch", account, row.seq, row.created_at),
      import_id: row.import_id,
      created_at: row.created_at,
    }
  }

  async function fullOf(account: number, found: readonly ChangeRow[]): Promise<FullChange[]> {
    const states = await statesOf(rows, account, wantedStates(found))
    return found.map((row) => {
      const own = states.get(row.seq) ?? NEITHER
      return { ...recordOf(account, row), ...leadsAround(row.facts, row.created_at, own) }
    })
  }

  async function diffsOf(account: number, found: readonly ChangeRow[]): Promise<DiffChange[]> {
    const isWhole = ({ action }: ChangeRow) => action === "created" || action === "deleted"
    const states = await statesOf(rows, account, wantedStates(found.filter(isWhole)))
    return found.map((row) => {
      const record = recordOf(account, row)
      if (!isWhole(row)) return { ...record, diff: shownFacts(row.facts, row.created_at) }
      const own = states.get(row.seq) ?? NEITHER
      return { ...record, diff: shownWhole(row.facts, row.created_at, own) }
    })
  }

  async function look<Change>(
    account: number,
    query: ChangeQuery,
    shown: (account: number, found: readonly ChangeRow[]) => Promise<Change[]>,
    { most, hasFacts = true }: { most: number; hasFacts?: boolean },
  ): Promise<ChangePage<Change>> {
    const { head } = await rows.bounds(account)
    const asked = { ...query, limit: Math.min(query.limit, most), hasFacts }
    const { found, position, more } = await scanTrail(rows, account, asked, head, diffsOf)
    return { changes: await shown(account, found), position, more }
  }

  async function ofLead(account: number, leadId: string, from: number, limit: number): Promise<FullChange[]> {
    return fullOf(account, await rows.ofLead(account, leadId, from, limit))
  }

  const reads: ChangeReads = {
    list: (account, leadId, limit) => ofLead(account, leadId, 0, limit),
    page: (account, query) => look(account, query, fullOf, { most: 50 }),
    diffs: (account, query) => look(account, query, diffsOf, { most: 200 }),
    records: (account, query) =>
      look(account, query, async (account, found) => found.map((row) => recordOf(account, row)), {
        most: 1_000,
        hasFacts: false,
      }),
    since: (account, leadId, position) => ofLead(account, leadId, position, 1_000_000),
    leftBy: async (account, position) => leftIn(await rows.leftBehind(account, position)),
    pushedOf: rows.pushed,
    bounds: rows.bounds,
    epoch: async () => Buffer.from(await rows.epoch()).toString("base64url"),
  }
  return { reads, fullOf }
}
