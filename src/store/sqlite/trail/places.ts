// Where changes are that a filter may match.

import type { Database } from "bun:sqlite"
import { trailKeysOf } from "../../../access/rights.ts"
import { type Fragment, fragment } from "../../../filters/fragment.ts"
import { CHANGE_ACTIONS, type ChangeFilter } from "../../contract/changes.ts"
import type { TrailIds } from "../../tables/trail/ids.ts"
import { prepare } from "../connection/database.ts"
import { packId } from "./trail-rows.ts"

/** Clocks are set back now and then: how far, where places are found by time. */
const SLACK_S = 24 * 60 * 60
/** A position that no row has. */
const NONE = -1

interface Batch {
  key: number
  first: number
  last: number
}

export function trailPlaces(db: Database, ids: TrailIds) {
  const bounds = prepare<{ head: number; floor: number }>(
    db,
    "SELECT trail_head AS head, trail_floor AS floor FROM accounts WHERE key = ?",
  )
  const timeAt = prepare<{ at: number }>(
    db,
    "SELECT created_at AS at FROM trail WHERE account_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1",
  )
  const lead = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_leads WHERE account_id = ? AND lead_id = ?",
  )
  const name = prepare<{ key: number }>(db, "SELECT key FROM trail_names WHERE account_id = ? AND name = ?")
  const batchById = prepare<Batch>(
    db,
    "SELECT key, first, last FROM trail_batches WHERE account_id = ? AND id = ?",
  )
  const batchesByImport = prepare<Batch>(
    db,
    "SELECT key, first, last FROM trail_batches WHERE account_id = ? AND import_id = ?",
  )

  const boundsOf = (account: number) => bounds.get(account) ?? { head: 0, floor: 0 }
  const leadOf = (account: number, id: string) => lead.get(account, packId(id, "cl_"))?.key
  const batchOf = (account: number, id: string) => batchById.get(account, packId(id, "")) ?? undefined

  /** The first place at which changes may be of this second or later. */
  function placeOf(account: number, at: number, end: number): number {
    let [low, high] = [0, end + 1]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      const row = timeAt.get(account, middle)
      if (row && row.at >= at) high = middle
      else low = middle
    }
    return low
  }

  /** The places of batches, undefined where a change that stands alone or no batch is meant. */
  function batchesIn(account: number, { batch_id, import_id }: ChangeFilter): Batch[] {
    const batch = batch_id === undefined ? undefined : batchOf(account, batch_id)
    const imported = import_id === undefined ? [] : batchesByImport.all(account, import_id)
    return batch ? [batch, ...imported] : imported
  }

  /** The places between which all changes are that a filter may match; undefined when there are none. */
  function narrow(account: number, filter: ChangeFilter, end: number) {
    const { batch_id, import_id, since, until } = filter
    let [low, high] = [boundsOf(account).floor + 1, end]
    const within = (places: readonly number[]) => {
      low = Math.max(low, Math.min(...places))
      high = Math.min(high, Math.max(...places))
    }
    const batches = batchesIn(account, filter)
    if (import_id !== undefined && batches.length === 0) return undefined
    if (batches.length > 0) within(batches.flatMap(({ first, last }) => [first, last]))
    if (batch_id !== undefined && !batchOf(account, batch_id)) {
      const alone = ids.seqOf("batch", account, batch_id)
      if (alone === undefined) return undefined
      within([alone])
    }
    if (since !== undefined) low = Math.max(low, placeOf(account, since - SLACK_S, end))
    if (until !== undefined) high = Math.min(high, placeOf(account, until + SLACK_S, end) + 1)
    const places = filter.ids?.map((id) => ids.seqOf("change", account, id))
    if (places?.length && places.every((seq) => seq !== undefined)) within(places)
    return { low, high }
  }

  /** Conditions of matching rows, without their positions and `filter.field`. */
  function tests(account: number, filter: ChangeFilter): Fragment[] {
    const { lead_id, action, actor_id, key_id, batch_id, import_id, since, until } = filter
    const number = (text: string) => name.get(account, text)?.key ?? NONE
    const parts: Fragment[] = []
    if (lead_id !== undefined) parts.push(fragment("t.lead = ?", leadOf(account, lead_id) ?? NONE))
    if (action !== undefined) parts.push(fragment("t.action = ?", CHANGE_ACTIONS.indexOf(action)))
    if (actor_id !== undefined) parts.push(fragment("t.actor = ?", number(actor_id)))
    if (key_id !== undefined) parts.push(fragment("t.key IN (?, ?)", ...trailKeysOf(key_id).map(number)))
    if (batch_id !== undefined) parts.push(fragment("t.batch IS ?", batchOf(account, batch_id)?.key ?? null))
    if (import_id !== undefined) {
      const keys = batchesByImport.all(account, import_id).map(({ key }) => key)
      parts.push(fragment("t.batch IN (SELECT value FROM json_each(?))", JSON.stringify(keys)))
    }
    if (filter.without?.length) {
      const keys = filter.without.flatMap((id) => batchOf(account, id)?.key ?? [])
      parts.push(
        fragment(
          "(t.batch IS NULL OR t.batch NOT IN (SELECT value FROM json_each(?)))",
          JSON.stringify(keys),
        ),
      )
    }
    if (since !== undefined) parts.push(fragment("t.created_at >= ?", since))
    if (until !== undefined) parts.push(fragment("t.created_at <= ?", until))
    if (filter.ids) parts.push(changesTest(ids, account, filter.ids))
    return parts
  }

  return { bounds: boundsOf, leadOf, narrow, tests }
}

/** The condition on the ids of changes; a change without an id of its own is found by its place. */
function changesTest(ids: TrailIds, account: number, wanted: readonly string[]): Fragment {
  const places = wanted.map((id) => ids.seqOf("change", account, id) ?? NONE)
  return fragment(
    `(t.id IN (SELECT value FROM json_each(?)) OR
      (t.id IS NULL AND t.seq IN (SELECT value FROM json_each(?))))`,
    JSON.stringify(wanted),
    JSON.stringify(places),
  )
}
