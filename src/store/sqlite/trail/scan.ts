// Going through an account's trail in order, in looks that take a few milliseconds each.
import type { Database } from "bun:sqlite"
import type { ChangeFilter, ChangeQuery } from "../../contract/changes.ts"
import { packId, type TrailIds } from "../../shared/trail-ids.ts"
import { prepare } from "../file/database.ts"
import { OLD, type OldChange, oldPlaced, type Placed, type trailChains } from "./chain.ts"
import { decodeChunk, decodeHead } from "./chunk.ts"

const CHUNKS = 32
/** Changes of all accounts that are not converted, in one look into their table. */
const OLD_WINDOW = 1_000
/** Clocks are set back now and then: how far, where places are found by time. */
const SLACK_S = 24 * 60 * 60

/** Up to where everything was looked at. */
type Passed = { seq: number; entry?: undefined }

export function trailScan(db: Database, ids: TrailIds, chains: ReturnType<typeof trailChains>) {
  const up = prepare<{ seq: number; data: Uint8Array }>(
    db,
    `SELECT seq, data FROM trail WHERE account_id = ? AND seq >= ? ORDER BY seq LIMIT ${CHUNKS}`,
  )
  const down = prepare<{ seq: number; data: Uint8Array }>(
    db,
    `SELECT seq, data FROM trail WHERE account_id = ? AND seq <= ? ORDER BY seq DESC LIMIT ${CHUNKS}`,
  )
  const oldBounds = prepare<{ low: number | null; high: number | null }, []>(
    db,
    "SELECT (SELECT min(rid) FROM changes) AS low, (SELECT max(rid) FROM changes) AS high",
  )
  const old = prepare<OldChange & { account_id: number }>(
    db,
    `SELECT ${OLD}, account_id FROM changes WHERE rid >= ? AND rid <= ? ORDER BY rid`,
  )
  const head = prepare<{ head: number }>(db, "SELECT trail_head AS head FROM accounts WHERE key = ?")
  const nameNumber = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_names WHERE account_id = ? AND name = ?",
  )
  type Batch = { key: number; first: number; last: number }
  const batchById = prepare<Batch>(
    db,
    "SELECT key, first, last FROM trail_batches WHERE account_id = ? AND id = ?",
  )
  const batchesByImport = prepare<Batch>(
    db,
    "SELECT key, first, last FROM trail_batches WHERE account_id = ? AND import_id = ?",
  )

  function* trailUp(account: number, low: number, high: number): Generator<Placed> {
    let next = down.get(account, low)?.seq ?? low
    for (;;) {
      const rows = up.all(account, next)
      for (const row of rows) {
        const chunk = decodeChunk(row.data)
        for (const [i, entry] of chunk.entries.entries()) {
          const seq = row.seq + i
          if (seq > high) return
          if (seq >= low) yield { seq, entry, head: chunk }
        }
        next = row.seq + 1
      }
      if (rows.length < CHUNKS) return
    }
  }

  function* trailDown(account: number, low: number, high: number): Generator<Placed> {
    for (let next = high; ; ) {
      const rows = down.all(account, next)
      for (const row of rows) {
        const chunk = decodeChunk(row.data)
        for (let i = chunk.entries.length - 1; i >= 0; i--) {
          const seq = row.seq + i
          if (seq < low) return
          if (seq <= high) yield { seq, entry: chunk.entries[i]!, head: chunk }
        }
        next = row.seq - 1
      }
      if (rows.length < CHUNKS) return
    }
  }

  function* oldRange(
    account: number,
    low: number,
    high: number,
    isDown: boolean,
  ): Generator<Placed | Passed> {
    for (let from = isDown ? high : low; isDown ? from >= low : from <= high; ) {
      const to = isDown ? Math.max(low, from - OLD_WINDOW) : Math.min(high, from + OLD_WINDOW)
      const rows = isDown ? old.all(to, from).reverse() : old.all(from, to)
      for (const row of rows) if (row.account_id === account) yield oldPlaced(row)
      yield { seq: to }
      from = isDown ? to - 1 : to + 1
    }
  }

  /** All changes with a place from `low` to `high`, in order. Those that are not converted lie in one stretch. */
  function* range(account: number, low: number, high: number, isDown: boolean): Generator<Placed | Passed> {
    const trail = isDown ? trailDown : trailUp
    const { low: first, high: last } = oldBounds.get()!
    if (first === null || last === null) return yield* trail(account, low, high)
    const stretches = [
      () => trail(account, low, Math.min(high, first - 1)),
      () => oldRange(account, Math.max(low, first), Math.min(high, last), isDown),
      () => trail(account, Math.max(low, last + 1), high),
    ]
    for (const stretch of isDown ? stretches.reverse() : stretches) yield* stretch()
  }

  /** The first place at which changes may be of this second or later. */
  function placeOf(account: number, at: number, end: number): number {
    let [low, high] = [0, end + 1]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      const row = down.get(account, middle)
      if (row && decodeHead(row.data).at >= at) high = middle
      else low = middle
    }
    return low
  }

  /** Between which places the changes are that a filter may match; undefined when there are none. */
  function narrow(account: number, filter: ChangeFilter, end: number) {
    let [low, high] = [1, end]
    const batches: Batch[] = []
    const within = (first: number, last: number) => {
      low = Math.max(low, first)
      high = Math.min(high, last)
    }
    if (filter.batch_id !== undefined) {
      const alone = ids.seqOf("batch", account, filter.batch_id)
      const found = batchById.get(account, packId(filter.batch_id, ""))
      if (found) batches.push(found)
      else if (alone !== undefined) within(alone, alone)
      else return undefined
    }
    if (filter.import_id !== undefined) {
      const found = batchesByImport.all(account, filter.import_id)
      if (found.length === 0) return undefined
      batches.push(...found)
    }
    if (batches.length > 0) {
      within(Math.min(...batches.map(({ first }) => first)), Math.max(...batches.map(({ last }) => last)))
    }
    if (filter.since !== undefined) low = Math.max(low, placeOf(account, filter.since - SLACK_S, end))
    if (filter.until !== undefined) high = Math.min(high, placeOf(account, filter.until + SLACK_S, end) + 1)
    const places = filter.ids?.map((id) => ids.seqOf("change", account, id))
    if (places?.length && places.every((seq) => seq !== undefined)) {
      within(Math.min(...places), Math.max(...places))
    }
    return { low, high }
  }

  function tests(account: number, filter: ChangeFilter, touches: (placed: Placed, field: string) => boolean) {
    const { action, actor_id, key_id, field, since, until, lead_id } = filter
    const number = (name: string | undefined) =>
      name === undefined ? undefined : (nameNumber.get(account, name)?.key ?? -1)
    const [actor, key] = [number(actor_id), number(key_id)]
    const batch =
      filter.batch_id === undefined ? undefined : batchById.get(account, packId(filter.batch_id, ""))
    const imports =
      filter.import_id === undefined
        ? undefined
        : new Set(batchesByImport.all(account, filter.import_id).map((one) => one.key))
    const wanted = filter.ids && new Set(filter.ids)
    const lead = lead_id === undefined ? undefined : chains.find(account, lead_id)
    return (placed: Placed): boolean => {
      const { entry, head, seq, old } = placed
      if (action !== undefined && entry.action !== action) return false
      if (actor !== undefined && (old ? old.actor_id !== actor_id : head.actor !== actor)) return false
      if (key !== undefined && head.key !== key) return false
      if (batch && head.batch !== batch.key) return false
      if (filter.batch_id !== undefined && !batch && head.batch !== 0) return false
      if (imports && !imports.has(head.batch)) return false
      if (since !== undefined && head.at < since) return false
      if (until !== undefined && head.at > until) return false
      if (lead_id !== undefined && (old ? old.lead_id !== lead_id : entry.lead !== lead?.key)) return false
      if (wanted && !wanted.has(entry.id ?? ids.of("change", account, seq, head.at))) return false
      return field === undefined || touches(placed, field)
    }
  }

  /** The changes of a lead between two places, which are found one after the other. */
  function ofLead(account: number, id: string, low: number, high: number, isDown: boolean): Iterable<Placed> {
    const lead = chains.find(account, id)
    if (!lead) return []
    const own = chains.chain(account, lead).filter(({ seq }) => seq >= low && seq <= high)
    return isDown ? own : [...own].reverse()
  }

  return (
    account: number,
    { filter, descending, after, upTo, limit }: ChangeQuery,
    milliseconds: number,
    touches: (placed: Placed, field: string) => boolean,
  ): { found: Placed[]; position: number; more: boolean } => {
    const newest = head.get(account)?.head ?? 0
    const end = Math.min(newest, upTo ?? newest)
    const start = descending ? 1 : end
    const found: Placed[] = []
    const nothing = { found, position: descending ? 0 : end, more: false }
    const narrowed = narrow(account, filter, end)
    if (!narrowed) return nothing
    const low = descending ? narrowed.low : Math.max(narrowed.low, (after ?? 0) + 1)
    const high = descending ? Math.min(narrowed.high, (after ?? end + 1) - 1) : narrowed.high
    if (low > high) return nothing
    const fits = tests(account, filter, touches)
    const all =
      filter.lead_id === undefined
        ? range(account, low, high, descending)
        : ofLead(account, filter.lead_id, low, high, descending)
    const until = performance.now() + milliseconds
    let looked = 0
    for (const placed of all) {
      if (placed.entry && fits(placed)) {
        // One more than is shown tells whether there are more.
        if (found.length === limit) return { found, position: found.at(-1)!.seq, more: true }
        found.push(placed)
      }
      if (++looked % 64 === 0 && performance.now() > until && placed.seq !== start) {
        return { found, position: placed.seq, more: true }
      }
    }
    return nothing
  }
}
