// How changes are written down: up to 32 that were made together in one row, a few bytes each when little differs.
import { CHANGE_ACTIONS, type ChangeAction } from "../../contract/changes.ts"
import type { Done } from "../../shared/change-facts.ts"
import type { FieldChange } from "../../shared/lead-diff.ts"
import { createByteReader, createByteWriter } from "./varint.ts"

export const CHUNK_MAX = 32

/** What all changes of a chunk have in common. Names and batches are numbers; 0 is none. */
export interface ChunkHead {
  at: number
  actor: number
  key: number
  batch: number
}

/** One change. */
export interface Entry {
  /** The lead, by its number in the trail. */
  lead: number
  /** The change of the same lead before this one; 0 when there is none. */
  prev: number
  action: ChangeAction
  reason: string | null
  /** `last_interaction_at` and `updated_at` before it, where it moved them to its own time. */
  touched?: number | undefined
  moved?: number | undefined
  /** The score before and after it, where they differ or differ from the one after the last change. */
  score?: [before: number, after: number, last?: number] | undefined
  fields?: FieldChange[] | undefined
  /** What had been done with the lead. */
  done?: Done | undefined
  /** The id of a change that was recorded before ids were worked out. */
  id?: string | undefined
  /** Of a merged push: which fields the lead has as they were pushed. */
  same?: number | undefined
  /** The same of attributes, by their places in the lead, and what of the push was not taken. */
  pushed?: [attributes: number[] | 0, rest?: Record<string, unknown>] | undefined
}

export interface Chunk extends ChunkHead {
  entries: Entry[]
}

const REASONS: readonly (string | null)[] = [null, "dedup:email", "dedup:source_id", "dedup:phone"]
/** Reasons that have no number. */
const OTHER = 7
const TOUCHED = 0x20
const MOVED = 0x40
const MORE = 0x80
/** The way they are written: form 1 knows nothing of what was pushed, 2 nothing of what had been done with leads. */
const FORM = 3
const WITHOUT_DONE = 2
/** Fewer bytes hardly get less. */
const PACK_FROM = 80

export function encodeChunk({ at, actor, key, batch, entries }: Chunk): Uint8Array {
  const out = createByteWriter()
  const form = entries.some(({ done }) => done) ? FORM : WITHOUT_DONE
  out.byte(form)
  for (const value of [entries.length, at, actor, key, batch]) out.number(value)
  let [lead, prev, touched, moved, same] = [0, 0, 0, 0, 0]
  for (const entry of entries) {
    const more = moreOf(entry)
    const known = REASONS.indexOf(entry.reason)
    out.byte(
      CHANGE_ACTIONS.indexOf(entry.action) |
        ((known < 0 ? OTHER : known) << 2) |
        (entry.touched === undefined ? 0 : TOUCHED) |
        (entry.moved === undefined ? 0 : MOVED) |
        (more ? MORE : 0),
    )
    out.signed(entry.lead - lead)
    out.signed(entry.prev - prev)
    ;[lead, prev] = [entry.lead, entry.prev]
    if (entry.touched !== undefined) {
      out.signed(at - entry.touched - touched)
      touched = at - entry.touched
    }
    if (entry.moved !== undefined) {
      out.signed(at - entry.moved - moved)
      moved = at - entry.moved
    }
    if (entry.action === "merged") {
      // The pushes of one source mostly name the same fields.
      out.number((entry.same ?? 0) === same ? 0 : (entry.same ?? 0) + 1)
      same = entry.same ?? 0
    }
    if (form > WITHOUT_DONE) {
      const { done = [] } = entry
      out.number(done.length)
      for (const value of done) out.signed(value)
    }
    if (!more) continue
    out.number(more.length)
    out.bytes(more)
  }
  return out.done()
}

/** What few changes have, as JSON; packed when that is shorter. */
function moreOf({ fields, score, reason, id, pushed }: Entry): Uint8Array | undefined {
  const isOther = !REASONS.includes(reason)
  const parts: unknown[] = [
    fields?.length ? fields.flat() : 0,
    score ?? 0,
    isOther ? reason : 0,
    id ?? 0,
    pushed ?? 0,
  ]
  while (parts.at(-1) === 0) parts.pop()
  if (parts.length === 0) return undefined
  const text = Buffer.from(JSON.stringify(parts))
  if (text.length < PACK_FROM) return text
  const packed = Bun.deflateSync(text)
  // JSON begins with a bracket; what is packed, with a byte that no JSON begins with.
  return packed.length + 1 < text.length ? Buffer.concat([PACKED, packed]) : text
}

const PACKED = Buffer.of(0)

export function decodeHead(data: Uint8Array): ChunkHead & { count: number } {
  const { head, count } = open(data)
  return { ...head, count }
}

function open(data: Uint8Array) {
  const reader = createByteReader(data)
  const form = reader.byte()
  if (form > FORM) throw new Error(`the trail has a row of form ${form}, which this executable does not know`)
  const count = reader.number()
  const head: ChunkHead = {
    at: reader.number(),
    actor: reader.number(),
    key: reader.number(),
    batch: reader.number(),
  }
  return { reader, head, count, form }
}

export function decodeChunk(data: Uint8Array): Chunk {
  const { reader, head, count, form } = open(data)
  let [lead, prev, touched, moved, same] = [0, 0, 0, 0, 0]
  const entries: Entry[] = []
  for (let i = 0; i < count; i++) {
    const flags = reader.byte()
    lead += reader.signed()
    prev += reader.signed()
    const entry: Entry = {
      lead,
      prev,
      action: CHANGE_ACTIONS[flags & 3]!,
      reason: REASONS[(flags >> 2) & 7] ?? null,
    }
    if (flags & TOUCHED) {
      touched += reader.signed()
      entry.touched = head.at - touched
    }
    if (flags & MOVED) {
      moved += reader.signed()
      entry.moved = head.at - moved
    }
    if (form > 1 && entry.action === "merged") {
      same = (reader.number() || same + 1) - 1
      if (same > 0) entry.same = same
    }
    if (form > WITHOUT_DONE) {
      const done = Array.from({ length: reader.number() }, () => reader.signed())
      if (done.length > 0) entry.done = done
    }
    if (flags & MORE) readMore(entry, reader.bytes(reader.number()))
    entries.push(entry)
  }
  return { ...head, entries }
}

function readMore(entry: Entry, bytes: Uint8Array): void {
  const text = Buffer.from(bytes[0] === 0 ? Bun.inflateSync(new Uint8Array(bytes.subarray(1))) : bytes)
  const [fields, score, reason, id, pushed]: [
    unknown[] | 0,
    Entry["score"] | 0,
    string | 0,
    string | 0,
    Entry["pushed"] | 0,
  ] = JSON.parse(text.toString())
  if (fields) {
    entry.fields = Array.from(
      { length: fields.length / 3 },
      (_, i) => fields.slice(3 * i, 3 * i + 3) as FieldChange,
    )
  }
  if (score) entry.score = score
  if (reason) entry.reason = reason
  if (id) entry.id = id
  if (pushed) entry.pushed = pushed
}

/** A whole lead, or notes. */
export function packJson(value: unknown): Uint8Array {
  return Bun.deflateSync(JSON.stringify(value))
}

export function unpackJson<T>(packed: Uint8Array): T {
  return JSON.parse(Buffer.from(Bun.inflateSync(new Uint8Array(packed))).toString())
}
