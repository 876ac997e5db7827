// Leads in memory over those that an account has: found by the same keys, in the same order.

import type { Account } from "../../core/access.ts"
import { AppError } from "../../core/errors.ts"
import { type LeadData, NO_ACTIVITY } from "../../core/lead.ts"
import type { Condition } from "../../core/lead-query.ts"
import type {
  Candidates,
  LeadReads,
  LeadRow,
  LeadWrites,
  PushedKeys,
  Transaction,
} from "../../store/store.ts"
import { keysOf } from "../leads/dedup.ts"

/** Leads with one phone that are looked at from each end, as a store does. */
const PHONE_MAX = 100
/** Leads of one name and city that are looked at: the next oldest counts when a row has changed the oldest. */
const NAMESAKES_MAX = 100
/** References of leads that are made here begin where no store's are. */
const FIRST_REF = 2 ** 50

interface Kept {
  ref: number
  data: LeadData
  score: number
  keys: PushedKeys
}

export interface RehearsedLeads {
  reads: Pick<LeadReads, "find" | "findByRef" | "findDuplicates"> & Pick<LeadWrites, "insert" | "replace">
  attempt: Transaction["attempt"]
  /** Reads what leads with these keys may repeat, all at once. */
  lookFor(keys: readonly PushedKeys[]): Promise<void>
  /** Leads and bytes of leads that came. */
  made(): number
  grown(): number
}

export function rehearsedLeads(
  { key: account, default_country }: Account,
  stored: LeadReads,
): RehearsedLeads {
  const keysIn = (data: LeadData) => keysOf(data, default_country)
  const kept = new Map<number, Kept>()
  const refs = new Map<string, number>()
  const byEmail = new Map<string, number>()
  const bySourceId = new Map<string, number>()
  const byPhone = new Map<string, Set<number>>()
  const byNumber = new Map<string, Set<number>>()
  const byNameAndCity = new Map<string, Set<number>>()
  /** What the store said, by key: leads that are not kept here are as they were. */
  const storedEmails = new Map<string, number | undefined>()
  const storedSourceIds = new Map<string, number | undefined>()
  const aliases = { email: new Map<string, number>(), source_id: new Map<string, number>() }
  const storedPhones = new Map<string, Candidates["phone"]>()
  const storedNamesakes = new Map<string, string | undefined>()
  const undo: (() => void)[] = []
  let next = FIRST_REF
  let made = 0
  let grown = 0

  function index(lead: Kept): void {
    const { ref, keys, data } = lead
    kept.set(ref, lead)
    refs.set(data.id, ref)
    if (keys.email !== null) byEmail.set(keys.email, ref)
    if (keys.source_id !== null) bySourceId.set(keys.source_id, ref)
    if (keys.phone !== null) byPhone.getOrInsertComputed(keys.phone, () => new Set()).add(ref)
    if (keys.number !== null) byNumber.getOrInsertComputed(keys.number, () => new Set()).add(ref)
    if (keys.city !== null) byNameAndCity.getOrInsertComputed(groupOf(keys), () => new Set()).add(ref)
  }

  function forget({ ref, keys, data }: Kept): void {
    kept.delete(ref)
    refs.delete(data.id)
    if (keys.email !== null) byEmail.delete(keys.email)
    if (keys.source_id !== null) bySourceId.delete(keys.source_id)
    if (keys.phone !== null) byPhone.get(keys.phone)?.delete(ref)
    if (keys.number !== null) byNumber.get(keys.number)?.delete(ref)
    if (keys.city !== null) byNameAndCity.get(groupOf(keys))?.delete(ref)
  }

  /** A lead of the store, from now on as it is here. */
  function keep(row: LeadRow): Kept {
    const known = kept.get(row.ref)
    if (known) return known
    const data = row.data()
    const lead = { ref: row.ref, data, score: row.score, keys: keysIn(data) }
    index(lead)
    return lead
  }

  async function lookFor(all: readonly PushedKeys[]): Promise<void> {
    const found = await stored.findDuplicates(account, all)
    for (const [i, { email, source_id, aliases: by, phone, nameAndCity }] of found.entries()) {
      const keys = all[i]!
      if (email) keep(email)
      if (source_id) keep(source_id)
      if (keys.email !== null) storedEmails.set(keys.email, by.email ? undefined : email?.ref)
      if (keys.source_id !== null)
        storedSourceIds.set(keys.source_id, by.source_id ? undefined : source_id?.ref)
      if (email && by.email) aliases.email.set(keys.email!, email.ref)
      if (source_id && by.source_id) aliases.source_id.set(keys.source_id!, source_id.ref)
      if (email || source_id) continue
      if (keys.phone !== null) storedPhones.set(phoneOf(keys), phone)
      if (keys.city !== null) storedNamesakes.set(groupOf(keys), nameAndCity?.id)
    }
  }

  const isKnown = ({ email, source_id }: PushedKeys) =>
    (email === null || storedEmails.has(email)) && (source_id === null || storedSourceIds.has(source_id))

  function withPhone(keys: PushedKeys): Candidates["phone"] {
    const own = keptWithPhone(keys)
    const before = storedPhones.get(phoneOf(keys))!
    if (own.size === 0 && !before.some(({ ref }) => kept.has(ref))) return before
    const all = [
      ...before.filter(({ ref }) => !kept.has(ref)),
      ...[...own].map((ref) => ({ ref, name: kept.get(ref)!.keys.name })),
    ].sort((a, b) => a.ref - b.ref)
    return all.length <= 2 * PHONE_MAX ? all : [...all.slice(0, PHONE_MAX), ...all.slice(-PHONE_MAX)]
  }

  /** Where the number is known, a lead with another number is another's, and one in another writing is found. */
  function keptWithPhone({ phone, number }: PushedKeys): ReadonlySet<number> {
    const same = byPhone.get(phone!) ?? NONE
    if (number === null) return same
    const isIts = (ref: number) => [null, number].includes(kept.get(ref)!.keys.number)
    return new Set([...[...same].filter(isIts), ...(byNumber.get(number) ?? [])])
  }

  /** The oldest of one name and city. */
  async function oldest(keys: PushedKeys): Promise<{ id: string } | undefined> {
    const group = groupOf(keys)
    let before = storedNamesakes.get(group)
    const ref = before === undefined ? undefined : refs.get(before)
    if (ref !== undefined && groupOf(kept.get(ref)!.keys) !== group) {
      before = await nextNamesake(keys, group)
      storedNamesakes.set(group, before)
    }
    let first = before
    for (const own of byNameAndCity.get(group) ?? []) {
      const { id } = kept.get(own)!.data
      if (first === undefined || id < first) first = id
    }
    return first === undefined ? undefined : { id: first }
  }

  async function nextNamesake({ name, city }: PushedKeys, group: string): Promise<string | undefined> {
    const is = (field: "name" | "city", value: string): Condition => {
      return { on: "text", not: false, field, operator: "eq", values: [value] }
    }
    const { rows } = await stored.list(account, {
      filter: { all: [is("name", name), is("city", city!)], any: [] },
      sort: { key: { on: "id" }, descending: false },
      limit: NAMESAKES_MAX,
    })
    const ids = rows.map((row) => row.data().id)
    return ids.find((id) => {
      const ref = refs.get(id)
      return ref === undefined || groupOf(kept.get(ref)!.keys) === group
    })
  }

  async function candidatesOf(keys: PushedKeys): Promise<Candidates> {
    if (!isKnown(keys)) await lookFor([keys])
    const own = {
      email: keys.email === null ? undefined : byEmail.get(keys.email),
      source_id: keys.source_id === null ? undefined : bySourceId.get(keys.source_id),
    }
    const alias = {
      email: keys.email === null || own.email !== undefined ? undefined : aliases.email.get(keys.email),
      source_id:
        keys.source_id === null || own.source_id !== undefined
          ? undefined
          : aliases.source_id.get(keys.source_id),
    }
    const found = {
      email: rowOf(own.email ?? alias.email),
      source_id: rowOf(own.source_id ?? alias.source_id),
      aliases: { email: alias.email !== undefined, source_id: alias.source_id !== undefined },
    }
    if (found.email || found.source_id) return { ...found, phone: [], nameAndCity: undefined }
    const isAsked =
      (keys.phone === null || storedPhones.has(phoneOf(keys))) &&
      (keys.city === null || storedNamesakes.has(groupOf(keys)))
    if (!isAsked) await lookFor([{ ...keys, email: null, source_id: null }])
    return {
      ...found,
      phone: keys.phone === null ? [] : withPhone(keys),
      nameAndCity: keys.city === null ? undefined : await oldest(keys),
    }
  }

  const rowOf = (ref: number | undefined) =>
    ref === undefined ? undefined : new RehearsedRow(kept.get(ref)!)

  function refuseTaken(keys: PushedKeys, self?: number): void {
    const isOthers = (holder: number | undefined) => holder !== undefined && holder !== self
    if (keys.email !== null && isOthers(byEmail.get(keys.email)))
      throw new AppError("conflict", "Duplicate email")
    if (keys.source_id !== null && isOthers(bySourceId.get(keys.source_id)))
      throw new AppError("conflict", "Duplicate source_id")
  }

  return {
    lookFor,
    made: () => made,
    grown: () => grown,
    async attempt(work) {
      const from = undo.length
      try {
        return await work()
      } catch (error) {
        while (undo.length > from) undo.pop()!()
        throw error
      } finally {
        if (from === 0) undo.length = 0
      }
    },
    reads: {
      async find(_account, id) {
        const ref = refs.get(id)
        return ref === undefined ? stored.find(account, id) : rowOf(ref)
      },
      async findByRef(_account, ref) {
        if (kept.has(ref)) return rowOf(ref)
        const row = await stored.findByRef(account, ref)
        return row && rowOf(keep(row).ref)
      },
      async findDuplicates(_account, all) {
        const found: Candidates[] = []
        for (const keys of all) found.push(await candidatesOf(keys))
        return found
      },
      async insert(_account, data, score) {
        const lead = { ref: next++, data, score, keys: keysIn(data) }
        refuseTaken(lead.keys)
        index(lead)
        const row = new RehearsedRow(lead)
        const bytes = row.room
        made++
        grown += bytes
        undo.push(() => {
          forget(lead)
          made--
          grown -= bytes
        })
        return row
      },
      async replace(_account, { ref }, _before, data, score) {
        const was = kept.get(ref)!
        const lead = { ref, data, score, keys: keysIn(data) }
        refuseTaken(lead.keys, ref)
        forget(was)
        index(lead)
        undo.push(() => {
          forget(lead)
          index(was)
        })
        return new RehearsedRow(lead)
      },
    },
  }
}

const NONE: ReadonlySet<number> = new Set()

function phoneOf({ phone, number }: PushedKeys): string {
  return `${phone}\0${number ?? ""}`
}

function groupOf({ name, city }: PushedKeys): string {
  // Texts hold no NUL.
  return `${name}\0${city}`
}

/** A lead that is kept here. */
class RehearsedRow implements LeadRow {
  readonly activity = NO_ACTIVITY
  readonly ref: number
  readonly score: number
  readonly version = 0
  #data: LeadData
  #text: string | undefined

  constructor({ ref, score, data }: Kept) {
    this.ref = ref
    this.score = score
    this.#data = data
  }

  get room(): number {
    return this.json().length
  }

  data(): LeadData {
    return { ...this.#data }
  }

  json(more: object = {}): string {
    this.#text ??= JSON.stringify({ ...this.#data, score: this.score })
    const members = JSON.stringify(more).slice(1, -1)
    return members ? `${this.#text.slice(0, -1)},${members}}` : this.#text
  }

  writeJson(out: Buffer, at: number): number {
    return at + out.write(this.json(), at)
  }
}
