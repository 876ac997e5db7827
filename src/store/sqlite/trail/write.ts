import type { Database } from "bun:sqlite"
import type { BatchRef, ChangeInsert, ChangeWrites, LeadState } from "../../contract/changes.ts"
import { factsOf } from "../../shared/change-facts.ts"
import { leftBehind } from "../../shared/left-behind.ts"
import { packId } from "../../shared/trail-ids.ts"
import { prepare } from "../file/database.ts"
import type { BulkWriter, PendingWrites } from "../queue/pending-writes.ts"
import { CHUNK_MAX, type ChunkHead, type Entry, encodeChunk, packJson } from "./chunk.ts"
import { packPushed } from "./pushed.ts"

/** So many changes of a lead are at most gone back through to find a state. */
export const STATE_EVERY = 64

/** A lead as the trail knows it; see the table. */
export interface TrailLead {
  key: number
  changes: number
  last: number
  score: number
  older: number
  older_score: number
}

interface Waiting {
  account: number
  change: ChangeInsert
  entry: Entry
}

/** `grown` is called with each account whose trail has new changes in the transaction under way. */
export function changeWrites(
  db: Database,
  pending: PendingWrites,
  grown: (account: number) => void,
): Pick<ChangeWrites, "record"> {
  const sink: BulkWriter<Waiting> = { write: trailWriter(db, grown) }
  return {
    async record(account, change) {
      pending.markPending(change.lead_id)
      pending.defer(sink, { account, change, entry: entryOf(change) })
    },
  }
}

/** What differs, worked out while both states are at hand. */
export function entryOf(change: ChangeInsert): Entry {
  const { action, reason, after, pushed } = change
  const entry: Entry = { lead: 0, prev: 0, action, reason, ...factsOf(change) }
  if (pushed && change.before && after) Object.assign(entry, packPushed(pushed, after.data))
  return entry
}

function trailWriter(db: Database, grown: (account: number) => void) {
  const head = prepare<{ head: number }>(db, "SELECT trail_head AS head FROM accounts WHERE key = ?")
  const setHead = prepare(
    db,
    "UPDATE accounts SET trail_head = ?, stored_bytes = stored_bytes + ? WHERE key = ?",
  )
  const insertChunk = prepare(db, "INSERT INTO trail (account_id, seq, data) VALUES (?, ?, ?)")
  const insertState = prepare(
    db,
    "INSERT INTO trail_states (account_id, lead, seq, state, notes) VALUES (?, ?, ?, ?, ?)",
  )
  const update = prepare(db, "UPDATE trail_leads SET changes = ?, last = ?, score = ? WHERE key = ?")
  const leads = trailLeads(db)
  const numbers = trailNumbers(db)

  function writeAccount(account: number, all: readonly Waiting[]): void {
    let seq = head.get(account)!.head
    let bytes = 0
    const known = new Map<string, TrailLead>()
    const changed = new Set<TrailLead>()
    let chunk: { first: number; head: ChunkHead; from: ChangeInsert; entries: Entry[] } | undefined

    function close(): void {
      if (!chunk) return
      const data = encodeChunk({ ...chunk.head, entries: chunk.entries })
      bytes += data.length
      insertChunk.run(account, chunk.first, data)
      const last = chunk.first + chunk.entries.length - 1
      if (chunk.from.batch) numbers.stretch(account, chunk.from.batch, last)
      chunk = undefined
    }

    for (const { change, entry: drafted } of all) {
      seq++
      const { before, after } = change
      const score = (after ?? before)?.score ?? 0
      let lead = known.get(change.lead_id) ?? leads.find(account, change.lead_id)
      const entry: Entry = { ...drafted, prev: lead?.last ?? 0 }
      if (lead) {
        drifted(entry, lead, change)
        Object.assign(lead, { changes: lead.changes + 1, last: seq, score })
        changed.add(lead)
      } else lead = leads.insert(account, change.lead_id, { changes: 1, last: seq, score })
      known.set(change.lead_id, lead)
      entry.lead = lead.key
      if (change.action === "deleted" && before) {
        const [state, notes] = [packState(before), packNotes(change)]
        bytes += state.length + (notes?.length ?? 0)
        insertState.run(account, lead.key, seq, state, notes)
      } else if (after && lead.changes % STATE_EVERY === 0) {
        const state = packState(after)
        bytes += state.length
        insertState.run(account, lead.key, seq, state, null)
      }
      if (chunk && (chunk.entries.length >= CHUNK_MAX || !isTogether(chunk.from, change))) close()
      chunk ??= { first: seq, head: headOf(account, change, seq), from: change, entries: [] }
      chunk.entries.push(entry)
    }
    close()
    setHead.run(seq, bytes, account)
    for (const { key, changes, last, score } of changed) update.run(changes, last, score, key)
    grown(account)
  }

  function headOf(account: number, change: ChangeInsert, seq: number): ChunkHead {
    return {
      at: change.created_at,
      actor: numbers.name(account, change.actor_id),
      key: change.key_id === null ? 0 : numbers.name(account, change.key_id),
      batch: change.batch ? numbers.batch(account, change.batch, seq) : 0,
    }
  }

  return (all: readonly Waiting[]) => {
    for (const [account, own] of Map.groupBy(all, (one) => one.account)) writeAccount(account, own)
  }
}

/** Scores are worked out anew between changes, which nobody records. */
function drifted(entry: Entry, lead: TrailLead, { before }: ChangeInsert): void {
  if (!before || lead.last === 0 || before.score === lead.score) return
  const [was, is] = entry.score ?? [before.score, before.score]
  entry.score = [was, is, lead.score]
}

function isTogether(a: ChangeInsert, b: ChangeInsert): boolean {
  return (
    a.created_at === b.created_at &&
    a.actor_id === b.actor_id &&
    a.key_id === b.key_id &&
    a.batch?.id === b.batch?.id
  )
}

export function packState({ data, score }: LeadState): Uint8Array {
  return packJson({ ...data, score })
}

function packNotes(change: ChangeInsert): Uint8Array | null {
  const left = leftBehind(change)
  return left && packJson(left)
}

/** The rows of leads. */
export function trailLeads(db: Database) {
  const find = prepare<TrailLead>(
    db,
    `SELECT key, changes, last, score, older, older_score FROM trail_leads
     WHERE account_id = ? AND lead_id = ?`,
  )
  const insert = prepare(
    db,
    `INSERT INTO trail_leads (account_id, lead_id, changes, last, score, older, older_score)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    find: (account: number, id: string): TrailLead | undefined =>
      find.get(account, packId(id, "cl_")) ?? undefined,
    insert(account: number, id: string, facts: Partial<TrailLead>): TrailLead {
      const lead = { changes: 0, last: 0, score: 0, older: 0, older_score: 0, ...facts }
      const { changes, last, score, older, older_score } = lead
      const packed = packId(id, "cl_")
      const { lastInsertRowid } = insert.run(account, packed, changes, last, score, older, older_score)
      return { ...lead, key: Number(lastInsertRowid) }
    },
  }
}

/** Names and batches by their numbers, made where there is none. */
export function trailNumbers(db: Database) {
  const findName = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_names WHERE account_id = ? AND name = ?",
  )
  const insertName = prepare(db, "INSERT INTO trail_names (account_id, name) VALUES (?, ?)")
  const findBatch = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_batches WHERE account_id = ? AND id = ?",
  )
  const insertBatch = prepare(
    db,
    "INSERT INTO trail_batches (account_id, id, import_id, first, last) VALUES (?, ?, ?, ?, ?)",
  )
  const stretchBatch = prepare(db, "UPDATE trail_batches SET last = ? WHERE account_id = ? AND id = ?")
  return {
    name(account: number, name: string): number {
      return findName.get(account, name)?.key ?? Number(insertName.run(account, name).lastInsertRowid)
    },
    batch(account: number, { id, import_id }: BatchRef, seq: number): number {
      const packed = packId(id, "")
      const found = findBatch.get(account, packed)
      if (found) return found.key
      return Number(insertBatch.run(account, packed, import_id ?? null, seq, seq).lastInsertRowid)
    },
    stretch(account: number, { id }: BatchRef, seq: number): void {
      stretchBatch.run(seq, account, packId(id, ""))
    },
  }
}
