// Rows of the trail as they are read.
import type { Database } from "bun:sqlite"
import type { Fragment } from "../../../filters/fragment.ts"
import { CHANGE_ACTIONS, type ChangeFilter, type ChangeReads } from "../../contract/changes.ts"
import type { Chain, ChangeRow, Stretch, TrailRows } from "../../tables/trail/change-rows.ts"
import type { TrailIds } from "../../tables/trail/ids.ts"
import { trailReads } from "../../tables/trail/trail-pages.ts"
import { createStatementCache, prepare } from "../connection/database.ts"
import { documentSql } from "../connection/documents.ts"
import type { PendingWrites } from "../queue/transaction.ts"
import { trailPlaces } from "./places.ts"
import {
  type FactColumns,
  packId,
  scoresOf,
  unpackFacts,
  unpackId,
  unpackPushed,
  unpackText,
} from "./trail-rows.ts"

/** Reads of the trail on one connection; on the one that writes, `pending` is what they may have to see. */
export function changeReads(db: Database, secret: Uint8Array, pending?: PendingWrites): ChangeReads {
  return trailReads(secret, (ids) => trailRows(db, ids, pending)).reads
}

/** Places that one statement goes through at most, and how long one look may take. */
const WINDOW = 2_000
const LOOK_MS = 4

type Facts = Pick<FactColumns, "touched" | "moved" | "score" | "score_before" | "facts">
const FACTS = "t.touched, t.moved, t.score, t.score_before, t.facts"

export interface Row extends Facts {
  seq: number
  id: string | null
  lead_id: Uint8Array | string
  action: number
  reason: string | null
  actor_id: string | null
  key_id: string | null
  batch_id: Uint8Array | string | null
  import_id: string | null
  created_at: number
}
const RECORD = `t.seq, t.id, l.lead_id, t.action, r.name AS reason, a.name AS actor_id, k.name AS key_id,
  b.id AS batch_id, b.import_id, t.created_at`
export const ROW = `${RECORD}, ${FACTS}`
export const NAMED = `JOIN trail_leads l ON l.key = t.lead LEFT JOIN trail_names r ON r.key = t.reason
  LEFT JOIN trail_names a ON a.key = t.actor LEFT JOIN trail_names k ON k.key = t.key
  LEFT JOIN trail_batches b ON b.key = t.batch`

function rowOf(row: Row): ChangeRow {
  return { ...recordOf(row), facts: unpackFacts(row, row.created_at) }
}

export function recordOf(row: Omit<Row, keyof Facts>): Omit<ChangeRow, "facts"> {
  return {
    seq: row.seq,
    id: row.id,
    lead_id: unpackId(row.lead_id, "cl_"),
    actor_id: row.actor_id ?? "",
    key_id: row.key_id,
    action: CHANGE_ACTIONS[row.action]!,
    reason: row.reason,
    batch_id: row.batch_id === null ? null : unpackId(row.batch_id, ""),
    import_id: row.import_id,
    created_at: row.created_at,
  }
}

const NO_FACTS = {}

/** On the connection that writes, `pending` is what reads may have to see. */
function trailRows(db: Database, ids: TrailIds, pending?: PendingWrites): TrailRows {
  const places = trailPlaces(db, ids)
  const prepared = createStatementCache(db)
  const chains = trailChains(db, places.leadOf)
  const ofLead = prepare<Row>(
    db,
    `SELECT ${ROW} FROM trail t INDEXED BY trail_lead CROSS ${NAMED}
     WHERE t.account_id = ? AND t.lead = ? AND t.seq >= ? ORDER BY t.seq DESC LIMIT ?`,
  )
  const left = prepare<{ notes: Uint8Array | null }>(
    db,
    `SELECT s.notes FROM trail t JOIN trail_states s ON s.account_id = t.account_id AND s.lead = t.lead AND s.seq = t.seq
     WHERE t.account_id = ? AND t.seq = ?`,
  )
  const pushed = prepare<Pick<FactColumns, "same" | "attributes" | "facts">>(
    db,
    `SELECT t.same, n.name AS attributes, t.facts FROM trail t JOIN trail_leads l ON l.key = t.lead
     LEFT JOIN trail_names n ON n.key = t.attributes WHERE t.account_id = ? AND t.seq = ? AND l.lead_id = ?`,
  )
  const epoch = prepare<{ value: Uint8Array }, []>(
    db,
    "SELECT value FROM settings WHERE name = 'trail_epoch'",
  )

  function matching(account: number, filter: ChangeFilter): Fragment {
    const parts = places.tests(account, filter)
    return {
      sql: parts.map((part) => ` AND ${part.sql}`).join(""),
      params: parts.flatMap((part) => part.params),
    }
  }

  return {
    window: WINDOW,
    lookMs: LOOK_MS,
    async narrow(account, filter, end) {
      return places.narrow(account, filter, end)
    },
    async between(account, filter, { low, high }, { isDown, hasFacts }, limit) {
      const { sql, params } = matching(account, filter)
      const index = filter.lead_id === undefined ? "" : "INDEXED BY trail_lead"
      const rows = prepared<Row>(
        `SELECT ${hasFacts ? ROW : RECORD} FROM trail t ${index} CROSS ${NAMED}
         WHERE t.account_id = ? AND t.seq BETWEEN ? AND ?${sql} ORDER BY t.seq ${isDown ? "DESC" : "ASC"} LIMIT ?`,
      ).all(account, low, high, ...params, limit)
      return hasFacts ? rows.map(rowOf) : rows.map((row) => ({ ...recordOf(row), facts: NO_FACTS }))
    },
    async ofLead(account, leadId, from, limit) {
      pending?.flushFor(leadId)
      const lead = places.leadOf(account, leadId)
      return lead === undefined ? [] : ofLead.all(account, lead, from, limit).map(rowOf)
    },
    async chains(account, wanted) {
      for (const { lead_id } of wanted) pending?.flushFor(lead_id)
      const read = () => wanted.flatMap((one) => chains(account, one) ?? [])
      return db.inTransaction ? read() : db.transaction(read).deferred()
    },
    async leftBehind(account, position) {
      pending?.flush()
      const notes = left.get(account, position)?.notes
      return notes ? JSON.parse(unpackText(notes)) : null
    },
    async pushed(account, leadId, position) {
      pending?.flushFor(leadId)
      const row = pushed.get(account, position, packId(leadId, "cl_"))
      return row ? unpackPushed(row) : undefined
    },
    async bounds(account) {
      pending?.flush()
      return places.bounds(account)
    },
    epoch: async () => epoch.get()!.value,
  }
}

/** Reads the changes of a lead in a stretch, with what their states are put together from. */
function trailChains(db: Database, leadOf: (account: number, id: string) => number | undefined) {
  const stateFrom = prepare<{ seq: number }>(
    db,
    "SELECT seq FROM trail_states WHERE account_id = ? AND lead = ? AND seq >= ? ORDER BY seq LIMIT 1",
  )
  const changes = prepare<
    Facts & { seq: number; action: number; created_at: number; state: Uint8Array | null }
  >(
    db,
    `SELECT t.seq, t.action, t.created_at, ${FACTS}, s.state FROM trail t INDEXED BY trail_lead
     LEFT JOIN trail_states s ON s.account_id = t.account_id AND s.lead = t.lead AND s.seq = t.seq
     WHERE t.account_id = ? AND t.lead = ? AND t.seq BETWEEN ? AND ? ORDER BY t.seq DESC`,
  )
  const now = prepare<{ data: string }>(
    db,
    `SELECT ${documentSql("d")} AS data FROM leads l JOIN lead_documents d ON d.rid = l.rid
     WHERE l.account_id = ? AND l.id = ?`,
  )
  return (account: number, { lead_id, low, high }: Stretch): Chain | undefined => {
    const lead = leadOf(account, lead_id)
    if (lead === undefined) return undefined
    const top = stateFrom.get(account, lead, high)?.seq
    const packed = changes.all(account, lead, low, top ?? Number.MAX_SAFE_INTEGER)
    const rows = packed.map((row) => {
      const action = CHANGE_ACTIONS[row.action]!
      return {
        ...{ seq: row.seq, action, facts: unpackFacts(row, row.created_at) },
        score_after: scoresOf(action, row).after,
        state: row.state && unpackText(row.state),
      }
    })
    return { lead_id, rows, now: top === undefined ? now.get(account, lead_id)?.data : undefined }
  }
}
