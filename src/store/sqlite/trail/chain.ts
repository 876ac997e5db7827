// The changes of one lead, the newest first, with the states between them: worked out going back from the lead as it is
// now, or from a state that was kept on the way.
import type { Database } from "bun:sqlite"
import type { ChangeAction, LeadState } from "../../contract/changes.ts"
import { stateBefore } from "../../shared/change-facts.ts"
import { stateOf } from "../../shared/lead-shape.ts"
import type { LeftBehind } from "../../shared/left-behind.ts"
import { packId } from "../../shared/trail-ids.ts"
import { prepare } from "../file/database.ts"
import { documentSql } from "../leads/documents.ts"
import { type Chunk, type ChunkHead, decodeChunk, type Entry, unpackJson } from "./chunk.ts"
import { entryOf, type TrailLead } from "./write.ts"

/** Chunks that stay decoded. */
const CHUNKS_KEPT = 4

/** A change where it stands. */
export interface Placed {
  seq: number
  entry: Entry
  /** Undefined for one that is not converted: then `old` is all of it. */
  head: ChunkHead
  old?: OldChange
}

/** A change as older versions recorded it. */
export interface OldChange {
  rid: number
  id: string
  lead_id: string
  actor_id: string
  action: ChangeAction
  before: string | null
  after: string | null
  reason: string | null
  created_at: number
}
export const OLD = "rid, id, lead_id, actor_id, action, before, after, reason, created_at"

/** A change with the lead as it was before and after it. */
export interface Step extends Placed {
  before: LeadState | null
  after: LeadState | null
}

export type Lead = TrailLead & { id: string }

export function trailChains(db: Database) {
  const chunkAt = prepare<{ seq: number; data: Uint8Array }>(
    db,
    "SELECT seq, data FROM trail WHERE account_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1",
  )
  const stateFrom = prepare<{ seq: number; state: Uint8Array }>(
    db,
    `SELECT seq, state FROM trail_states WHERE account_id = ? AND lead = ? AND seq >= ?
     ORDER BY seq LIMIT 1`,
  )
  const stateAt = prepare<{ state: Uint8Array; notes: Uint8Array | null }>(
    db,
    "SELECT state, notes FROM trail_states WHERE account_id = ? AND lead = ? AND seq = ?",
  )
  const now = prepare<{ data: string }>(
    db,
    `SELECT ${documentSql("d")} AS data FROM leads l JOIN lead_documents d ON d.rid = l.rid
     WHERE l.account_id = ? AND l.id = ?`,
  )
  const oldOf = prepare<OldChange>(
    db,
    `SELECT ${OLD} FROM changes WHERE account_id = ? AND lead_id = ? AND rid < ?
     ORDER BY rid DESC LIMIT 100`,
  )
  const find = prepare<TrailLead>(
    db,
    `SELECT key, changes, last, score, older, older_score FROM trail_leads
     WHERE account_id = ? AND lead_id = ?`,
  )

  /** Who looks at lead after lead of a batch comes upon the same chunks again. */
  const recent: { data: Uint8Array; chunk: Chunk }[] = []
  function decoded(data: Uint8Array): Chunk {
    const known = recent.find((one) => Buffer.compare(one.data, data) === 0)
    if (known) return known.chunk
    const chunk = decodeChunk(data)
    if (recent.unshift({ data, chunk }) > CHUNKS_KEPT) recent.pop()
    return chunk
  }

  /** Chunks by where they begin, for one look. */
  type Seen = Map<number, Chunk>

  function entryAt(account: number, seq: number, seen: Seen): Placed | undefined {
    const row = chunkAt.get(account, seq)
    if (!row) return undefined
    const chunk = seen.get(row.seq) ?? decoded(row.data)
    seen.set(row.seq, chunk)
    const entry = chunk.entries[seq - row.seq]
    return entry && { seq, entry, head: chunk }
  }

  /** From this change on, which is one of the lead's, or from the newest. */
  function* chain(account: number, lead: Lead, from?: number): Generator<Placed> {
    const seen: Seen = new Map()
    // What begins at a converted change has nothing above it.
    if (from === undefined || from > lead.older) {
      for (let seq = from ?? lead.last; seq > 0; ) {
        const found = entryAt(account, seq, seen)
        if (!found) return
        yield found
        seq = found.entry.prev
      }
      for (let rid = Number.MAX_SAFE_INTEGER; ; ) {
        const rows = oldOf.all(account, lead.id, rid)
        for (const old of rows) yield oldPlaced(old)
        if (rows.length < 100) break
        rid = rows.at(-1)!.rid
      }
    }
    for (let seq = from !== undefined && from <= lead.older ? from : lead.older; seq > 0; ) {
      const found = entryAt(account, seq, seen)
      if (!found) return
      yield found
      seq = found.entry.prev
    }
  }

  /** The same with states, from a change on that is at `from` or above it. */
  function* steps(account: number, lead: Lead, from = Number.MAX_SAFE_INTEGER): Generator<Step> {
    const kept = stateFrom.get(account, lead.key, from)
    let state: LeadState | undefined
    if (kept) state = stateOf(unpackJson(kept.state))
    else {
      const row = now.get(account, lead.id)
      const score = lead.last > 0 ? lead.score : lead.older_score
      if (row) state = { data: JSON.parse(row.data), score }
    }
    let isFirst = true
    for (const placed of chain(account, lead, kept?.seq)) {
      const { seq, entry, old } = placed
      if (old) {
        const step = { ...placed, before: oldState(old.before), after: oldState(old.after) }
        yield step
        state = step.before ?? undefined
      } else {
        if (seq === lead.older && !isFirst && state) state = { ...state, score: lead.older_score }
        if (entry.action === "deleted") {
          const last = isFirst && kept ? kept : stateAt.get(account, lead.key, seq)
          state = last ? stateOf(unpackJson(last.state)) : undefined
          if (state) yield { ...placed, before: state, after: null }
          else yield { ...placed, before: null, after: null }
        } else if (entry.action === "created") {
          yield { ...placed, before: null, after: state ?? null }
          state = undefined
        } else {
          const before: LeadState | undefined = state && stateBefore(entry, state)
          yield { ...placed, before: before ?? null, after: state ?? null }
          state = before
        }
        if (state && entry.score?.[2] !== undefined) state = { ...state, score: entry.score[2] }
      }
      isFirst = false
    }
  }

  return {
    entryAt,
    chain,
    steps,
    find(account: number, id: string): Lead | undefined {
      const row = find.get(account, packId(id, "cl_"))
      if (row) return { ...row, id }
      const none = { key: 0, changes: 0, last: 0, score: 0, older: 0, older_score: 0, id }
      return oldOf.get(account, id, Number.MAX_SAFE_INTEGER) ? none : undefined
    },
    left: (account: number, lead: number, seq: number): LeftBehind | null => {
      const found = stateAt.get(account, lead, seq)
      return found?.notes ? unpackJson(found.notes) : null
    },
  }
}

export function oldPlaced(old: OldChange): Placed {
  const { rid: seq, action, reason, created_at: at, id } = old
  return {
    seq,
    entry: { lead: 0, prev: 0, action, reason, id },
    head: { at, actor: 0, key: 0, batch: 0 },
    old,
  }
}

/** The entry of a change that was recorded as a whole. */
export function oldEntry(old: OldChange): Entry {
  const { lead_id, action, reason, created_at, actor_id, id } = old
  const [before, after] = [oldState(old.before), oldState(old.after)]
  return { ...entryOf({ lead_id, action, reason, before, after, created_at, actor_id, key_id: null }), id }
}

export function oldState(text: string | null): LeadState | null {
  return text === null ? null : stateOf(JSON.parse(text))
}
