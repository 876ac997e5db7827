// The leads that were created or changed in an overlay: their texts in a temporary database, their keys in memory.
import { Database } from "bun:sqlite"
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { LeadData } from "../../lead/lead.ts"
import type { FurtherKeys, LeadKeys } from "../../lead/lead-keys.ts"
import type { Candidates } from "../contract/store.ts"
import { parsedDocument } from "../tables/leads/shape.ts"

/** References of created leads begin where no store's are. */
const FIRST_REF = 2 ** 50
/** Leads with one phone that are compared, from each end, and rows that are read for them: as in a store. */
export const PHONE_MAX = 100
const READ_MAX = 200
/** Leads whose names are kept: those with one phone are read again and again. */
const NAMED_MAX = 5_000

const KINDS = ["email", "source_id", "phone", "number", "place", "email_alias", "source_id_alias"] as const
type Kind = (typeof KINDS)[number]
const OWN_KINDS = ["email", "source_id", "phone", "number"] as const

/** The file has no name: it goes with the process. */
function openScratch(folder: string): Database {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `leaddb-scratch-${crypto.randomUUID()}`)
  closeSync(openSync(path, "wx", 0o600))
  const db = new Database(path, { readwrite: true, strict: true })
  db.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")
  db.run("CREATE TABLE leads (ref INTEGER PRIMARY KEY, text, score, name, number); BEGIN")
  try {
    rmSync(path)
  } catch {
    // Windows keeps the name of a file that is open: the folder is emptied at the next start.
  }
  return db
}

/** A lead with its JSON text. */
export interface OverlayLead {
  ref: number
  score: number
  data: LeadData
  text: string
}

type Named = Pick<LeadKeys, "name" | "number">

export function createOverlayRows(
  keysOf: (data: LeadData) => LeadKeys,
  furtherOf: (data: LeadData) => FurtherKeys | undefined,
  folder: string,
) {
  const db = openScratch(folder)
  const find = db.prepare<Omit<OverlayLead, "data">, [number]>(
    "SELECT ref, score, text FROM leads WHERE ref = ?",
  )
  const nameOf = db.prepare<Named, [number]>("SELECT name, number FROM leads WHERE ref = ?")
  const write = db.prepare(
    "INSERT OR REPLACE INTO leads (ref, text, score, name, number) VALUES (?, ?, ?, ?, ?)",
  )
  const [begin, end, undo] = ["SAVEPOINT work", "RELEASE work", "ROLLBACK TO work"].map((sql) =>
    db.prepare(sql),
  )
  const lists = Object.fromEntries(KINDS.map((kind) => [kind, new NumberLists()])) as Record<
    Kind,
    NumberLists
  >
  /** References of all, of those of the store by id. */
  const all = new Set<number>()
  const ids = new Map<string, number>()
  const named = new Map<number, Named>()
  /** What undoes the work under way. */
  const undoing: (() => unknown)[] = []
  let next = FIRST_REF

  function add(kind: Kind, key: string, ref: number): void {
    if (lists[kind].add(key, ref)) undoing.push(() => lists[kind].remove(key, ref))
  }

  function remove(kind: Kind, key: string, ref: number): void {
    if (lists[kind].remove(key, ref)) undoing.push(() => lists[kind].add(key, ref))
  }

  function eachKey(data: LeadData, keys: LeadKeys, ref: number, call: typeof add): void {
    const { emails = [], phones = [] } = furtherOf(data) ?? {}
    for (const email of emails) call("email", email, ref)
    for (const { phone, number } of phones) {
      if (phone !== null) call("phone", phone, ref)
      if (number !== null) call("number", number, ref)
    }
    for (const kind of OWN_KINDS) if (keys[kind] !== null) call(kind, keys[kind], ref)
    if (keys.city !== null) call("place", groupOf(keys), ref)
  }

  function namedOf(ref: number): Named {
    const name = named.get(ref) ?? nameOf.get(ref)!
    if (named.size >= NAMED_MAX) named.clear()
    named.set(ref, name)
    return name
  }

  /** Leads by a key from both ends, of those whose number does not differ. */
  function fromBothEnds(refs: readonly number[], number: string | null): Candidates["phone"] {
    if (refs.length === 0) return []
    const some = (part: readonly number[]) =>
      part
        .map((ref) => ({ ref, ...namedOf(ref) }))
        .filter((one) => number === null || one.number === null || one.number === number)
        .slice(0, PHONE_MAX)
    const first = some(refs.slice(0, READ_MAX))
    return refs.length <= PHONE_MAX ? first : [...first, ...some(refs.slice(-READ_MAX).reverse())]
  }

  return {
    get(ref: number): OverlayLead | undefined {
      const row = all.has(ref) ? find.get(ref) : null
      return row ? { ...row, data: parsedDocument(row.text) } : undefined
    },
    has: (ref: number) => all.has(ref),
    /** A lead of the store that is kept here. */
    refOf: (id: string) => ids.get(id),
    with: (kind: Kind, key: string) => lists[kind].last(key),
    /** Rising, as those of the others. Leads with a different number are excluded. */
    withPhone({ phone, number }: LeadKeys): Candidates["phone"] {
      const refs = fromBothEnds(lists.phone.get(phone!), number)
      if (number !== null) refs.push(...fromBothEnds(lists.number.get(number), number))
      if (refs.length === 0) return refs
      return [...new Map(refs.map(({ ref, name }) => [ref, { ref, name }])).values()].sort(
        (a, b) => a.ref - b.ref,
      )
    },
    oldestOf: (keys: LeadKeys) => lists.place.first(groupOf(keys)),
    /** Finds a lead by a key of one that was merged into it. */
    setAlias(kind: "email" | "source_id", key: string, ref: number): void {
      for (const other of lists[`${kind}_alias`].get(key)) remove(`${kind}_alias`, key, other)
      add(`${kind}_alias`, key, ref)
    },
    /** Puts a lead in the place of what it was, or adds one that is nowhere else. Returns its reference. */
    put(
      lead: { ref: number; before: LeadData } | undefined,
      { data, text, score }: { data: LeadData; score: number; text: string },
      keys = keysOf(data),
    ): number {
      const ref = lead?.ref ?? next++
      if (lead) eachKey(lead.before, keysOf(lead.before), ref, remove)
      if (!all.has(ref)) {
        all.add(ref)
        if (lead) ids.set(data.id, ref)
        undoing.push(() => all.delete(ref) && ids.delete(data.id))
      }
      write.run(ref, text, score, keys.name, keys.number)
      named.delete(ref)
      eachKey(data, keys, ref, add)
      return ref
    },
    /** Runs a work; what it put here is undone when it throws. */
    async attempt<T>(work: () => Promise<T>): Promise<T> {
      const from = undoing.length
      begin!.run()
      try {
        return await work()
      } catch (error) {
        while (undoing.length > from) undoing.pop()!()
        named.clear()
        undo!.run()
        throw error
      } finally {
        if (from === 0) undoing.length = 0
        end!.run()
      }
    },
    close: () => db.close(),
  }
}

/** Leads of one name and city. */
export function groupOf({ name, city }: LeadKeys): string {
  // Texts hold no NUL.
  return `${name}\0${city}`
}

// Small numbers by keys, without an object for each.

const BITS = (1n << 53n) - 1n

const NONE: readonly number[] = []

/** Numbers by a hash of their key, in rising order. Most keys have one, which stands there by itself. */
class NumberLists {
  readonly #all = new Map<number, number | number[]>()
  /** Another one in each run: nobody can send texts that are taken for each other. */
  readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0]!

  /** A collision among a million keys happens in one run of ten thousand. */
  #hash(key: string): number {
    return Number(Bun.hash.wyhash(key, this.#seed) & BITS)
  }

  get(key: string): readonly number[] {
    const numbers = this.#all.get(this.#hash(key))
    return typeof numbers === "object" ? numbers : numbers === undefined ? NONE : [numbers]
  }

  first(key: string): number | undefined {
    const numbers = this.#all.get(this.#hash(key))
    return typeof numbers === "object" ? numbers[0] : numbers
  }

  last(key: string): number | undefined {
    const numbers = this.#all.get(this.#hash(key))
    return typeof numbers === "object" ? numbers.at(-1) : numbers
  }

  /** False where it was there. */
  add(key: string, one: number): boolean {
    const hash = this.#hash(key)
    const numbers = this.#all.get(hash)
    if (numbers === undefined) this.#all.set(hash, one)
    else {
      const list = typeof numbers === "number" ? [numbers] : numbers
      const at = place(list, one)
      if (list[at] === one) return false
      if (at === list.length) list.push(one)
      else list.splice(at, 0, one)
      this.#all.set(hash, list)
    }
    return true
  }

  /** False where it was not there. */
  remove(key: string, one: number): boolean {
    const hash = this.#hash(key)
    const numbers = this.#all.get(hash)
    if (numbers === one) return this.#all.delete(hash)
    if (typeof numbers !== "object") return false
    const at = place(numbers, one)
    if (numbers[at] !== one) return false
    numbers.splice(at, 1)
    if (numbers.length === 0) this.#all.delete(hash)
    return true
  }
}

/** Where a number stands, or would, in a list in rising order. */
function place(list: readonly number[], one: number): number {
  if (list.length === 0 || list.at(-1)! < one) return list.length
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (list[middle]! < one) from = middle + 1
    else to = middle
  }
  return from
}
