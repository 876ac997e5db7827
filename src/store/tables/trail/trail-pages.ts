import { fromTrailKey } from "../../../access/rights.ts"
import type {
  ChangePage,
  ChangeQuery,
  ChangeReads,
  ChangeRecord,
  DiffChange,
  FullChange,
} from "../../contract/changes.ts"
import { leadsAround, leftIn, type States, shownFacts, shownWhole } from "./change-facts.ts"
import { type ChangeRow, statesOf, type TrailRows, wantedStates } from "./change-rows.ts"
import { createTrailIds, type TrailIds } from "./ids.ts"

// Going through an account's trail in order.

/** Changes that are looked at together where it is asked for a field. */
const STEP = 200

interface Found {
  found: ChangeRow[]
  /** Up to where everything was looked at. */
  position: number
  more: boolean
}

/** Finds a page of changes, or ends before it is full when the look takes too long. `newest` is the last place. */
async function scanTrail(
  rows: TrailRows,
  account: number,
  { filter, descending, after, upTo, limit, hasFacts }: ChangeQuery & { hasFacts: boolean },
  newest: number,
  diffsOf: (account: number, rows: readonly ChangeRow[]) => Promise<DiffChange[]>,
): Promise<Found> {
  const end = Math.min(newest, upTo ?? newest)
  const changes: ChangeRow[] = []
  const done = { found: changes, position: descending ? 0 : end, more: false }
  const within = await rows.narrow(account, filter, end)
  if (!within) return done
  let low = descending ? within.low : Math.max(within.low, (after ?? 0) + 1)
  let high = descending ? Math.min(within.high, (after ?? end + 1) - 1) : within.high
  const { field } = filter
  const how = { isDown: descending, hasFacts: hasFacts || field !== undefined }
  // The changes of one lead are found in an index, however far apart they are.
  const window = filter.lead_id === undefined ? rows.window : Number.POSITIVE_INFINITY
  const until = performance.now() + rows.lookMs
  while (low <= high) {
    const places = descending
      ? { low: Math.max(low, high - window + 1), high }
      : { low, high: Math.min(high, low + window - 1) }
    // One more than is shown tells whether there are more.
    const asked = field === undefined ? limit + 1 - changes.length : STEP
    const some = await rows.between(account, filter, places, how, asked)
    const diffs = field === undefined ? undefined : await diffsOf(account, some)
    const fits = field === undefined ? some : some.filter((_, i) => field in diffs![i]!.diff)
    for (const row of fits) {
      if (changes.length === limit) return { found: changes, position: changes.at(-1)!.seq, more: true }
      changes.push(row)
    }
    const seen = some.length >= asked ? some.at(-1)!.seq : descending ? places.low : places.high
    if (descending) high = seen - 1
    else low = seen + 1
    if (low <= high && performance.now() > until) return { found: changes, position: seen, more: true }
  }
  return done
}

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

  async function fullOf(account: number, changes: readonly ChangeRow[]): Promise<FullChange[]> {
    const states = await statesOf(rows, account, wantedStates(changes))
    return changes.map((row) => {
      const around = states.get(row.seq) ?? NEITHER
      return { ...recordOf(account, row), ...leadsAround(row.facts, row.created_at, around) }
    })
  }

  async function diffsOf(account: number, changes: readonly ChangeRow[]): Promise<DiffChange[]> {
    const isWhole = ({ action }: ChangeRow) => action === "created" || action === "deleted"
    const states = await statesOf(rows, account, wantedStates(changes.filter(isWhole)))
    return changes.map((row) => {
      const record = recordOf(account, row)
      if (!isWhole(row)) return { ...record, diff: shownFacts(row.facts, row.created_at) }
      const around = states.get(row.seq) ?? NEITHER
      return { ...record, diff: shownWhole(row.facts, row.created_at, around) }
    })
  }

  async function look<Change>(
    account: number,
    query: ChangeQuery,
    shown: (account: number, rows: readonly ChangeRow[]) => Promise<Change[]>,
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
      look(account, query, async (account, rows) => rows.map((row) => recordOf(account, row)), {
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
