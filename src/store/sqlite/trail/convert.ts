// Rows of the trail made of what older versions kept: whole leads in `changes`, and up to 32 changes in a row of
// `trail_chunks`, each of which says how its lead was before. Works within a migration, so that a file is of one version
// or the other whatever happens meanwhile.
import type { Database } from "bun:sqlite"
import type { LeadData } from "../../../lead/lead.ts"
import {
  CHANGE_ACTIONS,
  type ChangeAction,
  type LeadState,
  type PushedFields,
} from "../../contract/changes.ts"
import { stateOf } from "../../tables/leads/shape.ts"
import {
  type ChangeFacts,
  type FieldChange,
  factsOf,
  STATE_EVERY,
  unpackNames,
} from "../../tables/trail/change-facts.ts"
import { type FactColumns, packFacts, packId, ROW_BYTES, unpackId, unpackText } from "./trail-rows.ts"

/** Shared data of a chunk's changes: names and batches are numbers, 0 is none. */
interface Head {
  at: number
  actor: number
  key: number
  batch: number
}

/** A change as a chunk has it. */
interface Entry extends Omit<ChangeFacts, "score"> {
  lead: number
  action: ChangeAction
  reason: string | null
  /** The score before and after it, and the one after the lead's change before it where that was another. */
  score?: [before: number, after: number, last?: number]
  id?: string
  /** A bit for each field that the lead has as it was pushed, the first for all attributes. */
  same?: number
  /** The places of attributes that the lead has as they were pushed, and what was not taken. */
  pushed?: [attributes: number[] | 0, rest?: Record<string, unknown>]
}

/** A change as the oldest versions kept it, with whole leads as JSON. */
interface Whole {
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

const REASONS: readonly (string | null)[] = [null, "dedup:email", "dedup:source_id", "dedup:phone"]
const [TOUCHED, MOVED, MORE] = [0x20, 0x40, 0x80]
/** Forms of chunks: 1 tells nothing of pushes, 2 nothing of what had been done with leads. */
const NEWEST_FORM = 3

function decodeChunk(data: Uint8Array): { head: Head; entries: Entry[] } {
  let position = 0
  const byte = () => data[position++]!
  /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
  function number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const next = byte()
      value += (next & 0x7f) * factor
      if (next < 0x80) return value
    }
  }
  function signed(): number {
    const value = number()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  const form = byte()
  if (form > NEWEST_FORM)
    throw new Error(`the trail has a row of form ${form}, which this executable does not know`)
  const count = number()
  const head = { at: number(), actor: number(), key: number(), batch: number() }
  // Each entry says how its numbers differ from those of the one before it.
  let [lead, touched, moved, same] = [0, 0, 0, 0]
  const entries: Entry[] = []
  for (let i = 0; i < count; i++) {
    const flags = byte()
    lead += signed()
    signed() // The place of the lead's change before it, which an index tells by now
    const entry: Entry = {
      lead,
      action: CHANGE_ACTIONS[flags & 3]!,
      reason: REASONS[(flags >> 2) & 7] ?? null,
    }
    if (flags & TOUCHED) {
      touched += signed()
      entry.touched = head.at - touched
    }
    if (flags & MOVED) {
      moved += signed()
      entry.moved = head.at - moved
    }
    if (form > 1 && entry.action === "merged") {
      same = (number() || same + 1) - 1
      if (same > 0) entry.same = same
    }
    if (form > 2) {
      const done = Array.from({ length: number() }, signed)
      if (done.length > 0) entry.done = done
    }
    if (flags & MORE) {
      const length = number()
      position += length
      readMore(entry, data.subarray(position - length, position))
    }
    entries.push(entry)
  }
  return { head, entries }
}

/** Rare parts of changes: JSON, deflated after a byte 0. */
function readMore(entry: Entry, bytes: Uint8Array): void {
  const text = bytes[0] === 0 ? unpackText(bytes.subarray(1)) : Buffer.from(bytes).toString()
  const [fields, score, reason, id, pushed] = JSON.parse(text)
  if (fields) {
    entry.fields = Array.from(
      { length: fields.length / 3 },
      (_, i): FieldChange => fields.slice(3 * i, 3 * i + 3),
    )
  }
  if (score) entry.score = score
  if (reason) entry.reason = reason
  if (id) entry.id = id
  if (pushed) entry.pushed = pushed
}

/** A lead on the way back: what is known of it behind the change at hand. */
interface Known {
  id: string
  /** Undefined where nothing is kept of it. */
  score: number | undefined
  /** The newest change that was converted of whole leads, and the score after it. */
  older: number
  olderScore: number
  isSeen: boolean
  /** Names of its attributes; undefined until they are asked for: then those of today, with these changes undone. */
  names: string[] | undefined
  undone: FieldChange[]
}

/** Makes rows of everything that an older version recorded, in the transaction under way. */
export function convertTrail(db: Database): void {
  const accounts = db.query<{ key: number }, []>("SELECT key FROM accounts ORDER BY key DESC").all()
  for (const { key } of accounts) convertAccount(db, key)
}

function convertAccount(db: Database, account: number): void {
  const write = rowWriter(db, account)
  const leads = knownLeads(db, account)
  let freed = 0
  const chunks = db
    .query<{ seq: number; data: Uint8Array }, [number]>(
      "SELECT seq, data FROM trail_chunks WHERE account_id = ? ORDER BY seq DESC",
    )
    .iterate(account)
  // An index tells the places of whole changes, not their order.
  const wholes = db
    .query<{ rid: number }, [number]>("SELECT rid FROM changes WHERE account_id = ? ORDER BY rid")
    .all(account)
  const wholeAt = db.query<Whole, [number]>(
    "SELECT rid, id, lead_id, actor_id, action, before, after, reason, created_at FROM changes WHERE rid = ?",
  )
  const wholesBehind = (seq: number) => {
    for (let last = wholes.at(-1); last && last.rid > seq; last = wholes.at(-1)) {
      wholes.pop()
      const row = wholeAt.get(last.rid)!
      const lead = leads.numbered(row.lead_id)
      write.whole(lead, row)
      leads.passed(lead, row)
    }
  }
  for (const { seq: first, data } of chunks) {
    wholesBehind(first)
    const { head, entries } = decodeChunk(data)
    freed += data.length
    for (const [i, entry] of [...entries.entries()].toReversed()) {
      write.entry(first + i, entry, head, leads.take(first + i, entry))
    }
  }
  wholesBehind(0)
  db.query("UPDATE accounts SET stored_bytes = max(stored_bytes - ?, 0) + ? WHERE key = ?").run(
    freed,
    write.bytes(),
    account,
  )
}

function rowWriter(db: Database, account: number) {
  const find = db.query<{ key: number }, [number, string]>(
    "SELECT key FROM trail_names WHERE account_id = ? AND name = ?",
  )
  const add = db.query("INSERT INTO trail_names (account_id, name) VALUES (?, ?)")
  const insert = db.query(
    `INSERT INTO trail_made (account_id, seq, lead, action, reason, actor, key, batch, created_at, touched, moved,
       score, score_before, same, attributes, facts, id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertState = db.query(
    "INSERT INTO trail_states (account_id, lead, seq, state, notes) VALUES (?, ?, ?, ?, NULL)",
  )
  const names = new Map<string, number>()
  let bytes = 0
  const number = (name: string | null) =>
    name === null
      ? null
      : names.getOrInsertComputed(
          name,
          () => find.get(account, name)?.key ?? Number(add.run(account, name).lastInsertRowid),
        )

  function row(seq: number, { lead, action, reason, id }: Entry, head: Head, columns: FactColumns): void {
    const { touched, moved, score, score_before, same, attributes, facts } = columns
    insert.run(
      ...[account, seq, lead, CHANGE_ACTIONS.indexOf(action), number(reason), head.actor, head.key || null],
      ...[head.batch || null, head.at, touched, moved, score, score_before, same, number(attributes), facts],
      id ?? null,
    )
    bytes += ROW_BYTES + (facts === null ? 0 : Buffer.byteLength(facts))
  }

  return {
    bytes: () => bytes,
    entry(seq: number, entry: Entry, head: Head, { scores, pushed }: Taken): void {
      row(seq, entry, head, packFacts(entry, scores, pushed, head.at))
    },
    whole(lead: number, { rid, id, action, reason, actor_id, created_at: at, ...states }: Whole): void {
      const [before, after] = [wholeState(states.before), wholeState(states.after)]
      const scores = { before: before?.score ?? null, after: after?.score ?? null }
      const columns = packFacts(factsOf({ before, after, created_at: at }), scores, undefined, at)
      row(rid, { lead, action, reason, id }, { at, actor: number(actor_id)!, key: 0, batch: 0 }, columns)
      const isTurn = rid % STATE_EVERY === 0 && states.before !== null
      const state = action === "deleted" ? states.before : isTurn ? states.after : null
      if (state === null) return
      const packed = Bun.deflateSync(state)
      insertState.run(account, lead, rid, packed)
      bytes += packed.length
    },
  }
}

const wholeState = (text: string | null) => (text === null ? null : stateOf(JSON.parse(text)))

/** Parts of a change that follow from later ones. */
interface Taken {
  scores: { before: number | null; after: number | null }
  pushed: PushedFields | undefined
}

function knownLeads(db: Database, account: number) {
  const find = db.query<
    { lead_id: Uint8Array | string; last: number; score: number; older: number; older_score: number },
    [number]
  >("SELECT lead_id, last, score, older, older_score FROM trail_chunk_leads WHERE key = ?")
  const keyOf = db.query<{ key: number }, [number, Uint8Array | string]>(
    "SELECT key FROM trail_leads WHERE account_id = ? AND lead_id = ?",
  )
  const add = db.query("INSERT INTO trail_leads (account_id, lead_id) VALUES (?, ?)")
  const stateAt = db.query<{ state: Uint8Array }, [number, number, number]>(
    "SELECT state FROM trail_states WHERE account_id = ? AND lead = ? AND seq = ?",
  )
  const now = db.query<{ data: string }, [number, string]>(
    `SELECT d.data FROM leads l JOIN lead_documents d ON d.rid = l.rid WHERE l.account_id = ? AND l.id = ?`,
  )
  const leads = new Map<number, Known>()

  function lead(key: number): Known {
    return leads.getOrInsertComputed(key, () => {
      const row = find.get(key)
      const id = row ? unpackId(row.lead_id, "cl_") : ""
      return {
        ...{ id, older: row?.older ?? 0, olderScore: row?.older_score ?? 0, isSeen: false, undone: [] },
        score: row && row.last > 0 ? row.score : row?.older_score,
        names: undefined,
      }
    })
  }

  function namesOf(one: Known): string[] {
    if (!one.names) {
      const { attributes }: Partial<LeadData> = JSON.parse(now.get(account, one.id)?.data ?? "{}")
      one.names = one.undone.reduce(undoNames, attributes?.map(({ name }) => name) ?? [])
      one.undone = []
    }
    return one.names
  }

  function pushedOf(
    { same, pushed: [places, rest = {}] = [0] }: Entry,
    one: Known,
  ): PushedFields | undefined {
    if (same === undefined) return undefined
    const fields = unpackNames({ fields: same, attributes: [] })
    const isAll = fields.includes("attributes")
    const names = isAll || places ? namesOf(one) : []
    const said = isAll ? names : (places || []).flatMap((i) => names[i] ?? [])
    const fieldNames = fields.filter((name) => name !== "attributes")
    return { same: [...fieldNames, ...said.map((name) => `attr:${name}`)], rest }
  }

  return {
    /** The number of a lead of which only whole changes may be known. */
    numbered(id: string): number {
      const packed = packId(id, "cl_")
      return keyOf.get(account, packed)?.key ?? Number(add.run(account, packed).lastInsertRowid)
    },
    /** Goes back behind a whole change. */
    passed(key: number, { before }: Whole): void {
      const one = lead(key)
      one.isSeen = true
      beginAt(one, wholeState(before))
    },
    /** Goes back behind a change of a chunk, and says what follows for it from those that came before. */
    take(seq: number, entry: Entry): Taken {
      const { action, score } = entry
      const one = lead(entry.lead)
      if (seq === one.older && one.isSeen && one.score !== undefined) one.score = one.olderScore
      one.isSeen = true
      if (action === "deleted") {
        const stateThen = stateAt.get(account, entry.lead, seq)
        // Of a lead that was erased nothing is kept.
        const state = stateThen ? wholeState(unpackText(stateThen.state)) : null
        beginAt(one, state)
      }
      const pushed = pushedOf(entry, one)
      for (const field of entry.fields ?? []) {
        if (field[0] !== 0) continue
        if (one.names) one.names = undoNames(one.names, field)
        else one.undone.push(field)
      }
      const after = one.score
      if (after === undefined) return { scores: { before: null, after: null }, pushed }
      const before = score?.[0] ?? after
      one.score = score?.[2] ?? before
      return {
        scores: {
          before: action === "created" ? null : before,
          after: action === "deleted" ? null : after,
        },
        pushed,
      }
    },
  }
}

/** Goes on from a lead that is known as a whole. */
function beginAt(one: Known, state: LeadState | null): void {
  one.score = state?.score
  one.names = state?.data.attributes.map(({ name }) => name) ?? []
  one.undone = []
}

/** The names of attributes before a change of them, given those after it; see tables/trail/change-facts.ts. */
function undoNames(names: string[], [, was, is]: FieldChange): string[] {
  const [start, old] = was as [number | "=", { name: string }[]]
  if (start === "=") return names
  const [, now] = is as [number, unknown[]]
  return names.toSpliced(start, now.length, ...old.map(({ name }) => name))
}
