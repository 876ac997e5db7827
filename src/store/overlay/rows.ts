// The leads that were created or changed in an overlay: their texts in a temporary file, hashes of their keys in memory.

import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { LeadData } from "../../lead/lead.ts"
import type { FurtherKeys, LeadKeys } from "../../lead/lead-keys.ts"
import { parsedDocument } from "../tables/leads/shape.ts"
import { type KeyHash, keyHashing, NumberLists, Numbers } from "./number-lists.ts"

/** Bytes that are written at a time. */
const CHUNK = 256 * 1024

/** Texts that are kept in a temporary file, since there are too many for memory. */
interface Scratch {
  /** Where the text begins, and its size in bytes. */
  add(text: string): { at: number; size: number }
  read(at: number, size: number): string
  close(): void
}

/** The file is made when more is kept than is written at a time, and has no name: it goes with the process. */
function openScratch(folder: string): Scratch {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let used = 0
  /** Bytes in the file. */
  let written = 0
  let handle: number | undefined

  function append(bytes: Uint8Array): void {
    handle ??= openNameless(folder)
    for (let from = 0; from < bytes.length; ) {
      const some = writeSync(handle, bytes, from, bytes.length - from, written)
      from += some
      written += some
    }
  }

  function flush(): void {
    append(chunk.subarray(0, used))
    used = 0
  }

  return {
    add(text) {
      // UTF-8 takes three bytes a unit at most.
      if (used + 3 * text.length > CHUNK && used > 0) flush()
      const at = written + used
      if (3 * text.length > CHUNK) {
        const bytes = Buffer.from(text)
        append(bytes)
        return { at, size: bytes.length }
      }
      const size = chunk.write(text, used)
      used += size
      return { at, size }
    },
    read(at, size) {
      if (at >= written) return chunk.toString("utf8", at - written, at - written + size)
      const bytes = Buffer.allocUnsafe(size)
      for (let got = 0; got < size; ) {
        const some = readSync(handle!, bytes, got, size - got, at + got)
        if (some === 0) throw new Error("a temporary file is cut off")
        got += some
      }
      return bytes.toString()
    },
    close() {
      if (handle !== undefined) closeSync(handle)
      handle = undefined
    },
  }
}

function openNameless(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `leaddb-scratch-${crypto.randomUUID()}`)
  const handle = openSync(path, "wx+", 0o600)
  try {
    rmSync(path)
  } catch {
    // Windows keeps the name of a file that is open: the folder is emptied at the next start.
  }
  return handle
}

/** References of created leads begin where no store's are. */
const FIRST_REF = 2 ** 50
/** Names in the cache: those of leads with one phone are read again and again. */
const NAMES_MAX = 5_000
/** The hash of an unknown number. */
const NONE = -1

/** A lead with its JSON text. */
export interface OverlayLead {
  ref: number
  score: number
  data: LeadData
  text: string
}

export function createOverlayRows(
  keysOf: (data: LeadData) => LeadKeys,
  furtherOf: (data: LeadData) => FurtherKeys | undefined,
  folder: string,
) {
  const scratch = openScratch(folder)
  const hash = keyHashing()
  /** Slots of stored leads; those of created leads follow from their references. */
  const slots = new Map<number, number>()
  const refs: Map<string, number> = new Map()
  const places = new Numbers()
  const sizes = new Numbers()
  const scores = new Numbers()
  const phoneNumbers = new Numbers()
  const names = new Map<number, string>()
  const byEmail = new Map<KeyHash, number>()
  const bySourceId = new Map<KeyHash, number>()
  const byPhone = new NumberLists()
  const byNumber = new NumberLists()
  const byNameAndCity = new NumberLists()
  const gone = new Set<number>()
  let used = 0

  const slotOf = (ref: number) => (ref >= FIRST_REF ? ref - FIRST_REF : slots.get(ref))

  function index(ref: number, slot: number, data: LeadData, keys = keysOf(data)): void {
    const { email, source_id, phone, number, city } = keys
    const { emails = [], phones = [] } = furtherOf(data) ?? {}
    for (const one of emails) byEmail.set(hash(one), ref)
    for (const one of phones) {
      if (one.phone !== null) byPhone.add(hash(one.phone), ref)
      if (one.number !== null) byNumber.add(hash(one.number), ref)
    }
    phoneNumbers.set(slot, number === null ? NONE : hash(number))
    if (email !== null) byEmail.set(hash(email), ref)
    if (source_id !== null) bySourceId.set(hash(source_id), ref)
    if (phone !== null) byPhone.add(hash(phone), ref)
    if (number !== null) byNumber.add(hash(number), ref)
    if (city !== null) byNameAndCity.add(hash(groupOf(keys)), ref)
  }

  function forget(ref: number, data: LeadData, keys = keysOf(data)): void {
    const { email, source_id, phone, number, city } = keys
    const { emails = [], phones = [] } = furtherOf(data) ?? {}
    for (const one of emails) byEmail.delete(hash(one))
    for (const one of phones) {
      if (one.phone !== null) byPhone.remove(hash(one.phone), ref)
      if (one.number !== null) byNumber.remove(hash(one.number), ref)
    }
    names.delete(ref)
    if (email !== null) byEmail.delete(hash(email))
    if (source_id !== null) bySourceId.delete(hash(source_id))
    if (phone !== null) byPhone.remove(hash(phone), ref)
    if (number !== null) byNumber.remove(hash(number), ref)
    if (city !== null) byNameAndCity.remove(hash(groupOf(keys)), ref)
  }

  function put(slot: number, text: string, score: number): void {
    const { at, size } = scratch.add(text)
    places.set(slot, at)
    sizes.set(slot, size)
    scores.set(slot, score)
  }

  function get(ref: number): OverlayLead | undefined {
    const slot = slotOf(ref)
    if (slot === undefined || gone.has(slot)) return undefined
    const text = scratch.read(places.at(slot), sizes.at(slot))
    return { ref, score: scores.at(slot), data: parsedDocument(text), text }
  }

  return {
    get,
    has: (ref: number) => {
      const slot = slotOf(ref)
      return slot !== undefined && slot < used && !gone.has(slot)
    },
    /** A lead of the store that is kept here. */
    refOf: (id: string) => refs.get(id),
    withEmail: (email: string) => byEmail.get(hash(email)),
    withSourceId: (sourceId: string) => bySourceId.get(hash(sourceId)),
    /** Rising, as those of the others. */
    withPhone: (phone: string) => byPhone.get(hash(phone)),
    withNumber: (number: string) => byNumber.get(hash(number)),
    namesakes: (keys: LeadKeys) => byNameAndCity.get(hash(groupOf(keys))),
    /** Whether a lead's phone is this number, or none that is known. */
    mayHaveNumber(number: string): (ref: number) => boolean {
      const own = hash(number)
      return (ref) => {
        const one = phoneNumbers.at(slotOf(ref)!)
        return one === NONE || one === own
      }
    },
    nameOf(ref: number): string {
      const known = names.get(ref)
      if (known !== undefined) return known
      const { name } = keysOf(get(ref)!.data)
      if (names.size >= NAMES_MAX) names.clear()
      names.set(ref, name)
      return name
    },
    /** Adds a lead that is nowhere else. Returns its reference, and what takes it away again. */
    make(keys: LeadKeys, data: LeadData, text: string, score: number): { ref: number; undo: () => void } {
      const slot = used++
      const ref = FIRST_REF + slot
      put(slot, text, score)
      index(ref, slot, data, keys)
      const undo = () => {
        forget(ref, data, keys)
        gone.add(slot)
      }
      return { ref, undo }
    },
    /** Puts a lead in the place of what it was. Returns what undoes it. */
    change(
      ref: number,
      before: { data: LeadData; score: number },
      after: { data: LeadData; score: number; text: string },
    ): () => void {
      const known = slotOf(ref)
      const slot = known ?? used++
      const was = known === undefined ? undefined : [places.at(slot), sizes.at(slot)]
      if (known === undefined) {
        slots.set(ref, slot)
        refs.set(before.data.id, ref)
      }
      forget(ref, before.data)
      put(slot, after.text, after.score)
      index(ref, slot, after.data)
      return () => {
        forget(ref, after.data)
        if (!was) {
          slots.delete(ref)
          refs.delete(before.data.id)
          return
        }
        places.set(slot, was[0]!)
        sizes.set(slot, was[1]!)
        scores.set(slot, before.score)
        index(ref, slot, before.data)
      }
    },
    close: scratch.close,
  }
}

function groupOf({ name, city }: LeadKeys): string {
  // Texts hold no NUL.
  return `${name}\0${city}`
}
