// Leads over those that an account has: found by the same keys, in the same order.

import type { Account } from "../../../core/access.ts"
import { AppError } from "../../../core/errors.ts"
import { type LeadData, NO_ACTIVITY } from "../../../core/lead.ts"
import { dedupKeys, type LeadKeys } from "../../../core/lead-keys.ts"
import type { Condition } from "../../../core/lead-query.ts"
import type {
  Candidates,
  LeadReads,
  LeadRow,
  LeadWrites,
  Transaction,
} from "../../../store/contract/store.ts"
import { createKeptLeads, type KeptLead } from "./kept-leads.ts"

/** Leads with one phone that are looked at from each end, as a store does. */
const PHONE_MAX = 100
/** Leads of one name and city that are looked at: the next oldest counts when a row has changed the oldest. */
const NAMESAKES_MAX = 100

export interface RehearsedLeads {
  reads: Pick<LeadReads, "findByRef" | "findDuplicates"> &
    Pick<LeadWrites, "prefetchDuplicates" | "insert" | "replace">
  attempt: Transaction["attempt"]
  /** Leads and bytes of leads that came. */
  made(): number
  grown(): number
  close(): void
}

export function rehearsedLeads(
  { key: account, default_country }: Account,
  stored: LeadReads,
): RehearsedLeads {
  const keysIn = (data: LeadData) => dedupKeys(data, default_country)
  const kept = createKeptLeads(keysIn)
  /** What the store said, by key: leads that are not kept here are as they were. */
  const storedEmails = new Map<string, LeadRow | undefined>()
  const storedSourceIds = new Map<string, LeadRow | undefined>()
  const aliases = { email: new Map<string, LeadRow>(), source_id: new Map<string, LeadRow>() }
  const storedPhones = new Map<string, Candidates["phone"]>()
  const storedNamesakes = new Map<string, string | undefined>()
  const said = [
    storedEmails,
    storedSourceIds,
    aliases.email,
    aliases.source_id,
    storedPhones,
    storedNamesakes,
  ]
  const undo: (() => void)[] = []
  let made = 0
  let grown = 0

  async function ask(all: readonly LeadKeys[]): Promise<void> {
    const found = await stored.findDuplicates(account, all)
    for (const [i, { email, source_id, aliases: by, phone, nameAndCity }] of found.entries()) {
      const keys = all[i]!
      if (keys.email !== null) storedEmails.set(keys.email, by.email ? undefined : email)
      if (keys.source_id !== null) storedSourceIds.set(keys.source_id, by.source_id ? undefined : source_id)
      if (email && by.email) aliases.email.set(keys.email!, email)
      if (source_id && by.source_id) aliases.source_id.set(keys.source_id!, source_id)
      if (email || source_id) continue
      if (keys.phone !== null) storedPhones.set(phoneOf(keys), phone)
      if (keys.city !== null) storedNamesakes.set(groupOf(keys), nameAndCity?.id)
    }
  }

  const isKnown = ({ email, source_id }: LeadKeys) =>
    (email === null || storedEmails.has(email)) && (source_id === null || storedSourceIds.has(source_id))

  function withPhone(keys: LeadKeys): Candidates["phone"] {
    const own = keptWithPhone(keys)
    const before = storedPhones.get(phoneOf(keys))!
    if (own.length === 0 && !before.some(({ ref }) => kept.has(ref))) return before
    const all = [
      ...before.filter(({ ref }) => !kept.has(ref)),
      ...own.map((ref) => ({ ref, name: kept.nameOf(ref) })),
    ].sort((a, b) => a.ref - b.ref)
    return ends(all)
  }

  /** Where the number is known, a lead with another number is another's, and one in another writing is found. */
  function keptWithPhone({ phone, number }: LeadKeys): readonly number[] {
    const same = kept.withPhone(phone!)
    if (number === null) return ends(same)
    const numbered = kept.withNumber(number)
    if (same.length === 0) return ends(numbered)
    const its = ends(same, kept.mayHaveNumber(number))
    return numbered.length === 0 ? its : [...new Set([...its, ...ends(numbered)])]
  }

  /** The oldest of one name and city. */
  async function oldest(keys: LeadKeys): Promise<{ id: string } | undefined> {
    const group = groupOf(keys)
    let before = storedNamesakes.get(group)
    const [own] = kept.namesakes(keys)
    const ref = before === undefined ? undefined : kept.refOf(before)
    if (ref !== undefined && ref === own) return { id: before! }
    if (ref !== undefined) {
      before = await nextNamesake(keys)
      storedNamesakes.set(group, before)
    }
    const first = own === undefined ? undefined : kept.get(own)!.data.id
    const [id = undefined] = [before, first].filter((one) => one !== undefined).sort()
    return id === undefined ? undefined : { id }
  }

  /** The oldest that is as it was. */
  async function nextNamesake({ name, city }: LeadKeys): Promise<string | undefined> {
    const is = (field: "name" | "city", value: string): Condition => {
      return { on: "text", not: false, field, operator: "eq", values: [value] }
    }
    const { rows } = await stored.list(account, {
      filter: { all: [is("name", name), is("city", city!)], any: [] },
      sort: { key: { on: "id" }, descending: false },
      limit: NAMESAKES_MAX,
    })
    return rows.map((row) => row.data().id).find((id) => kept.refOf(id) === undefined)
  }

  /** What the store said of a key, unless the lead is another here. */
  const unchanged = (row: LeadRow | undefined) => (row && !kept.has(row.ref) ? row : undefined)
  const here = (ref: number | undefined) => (ref === undefined ? undefined : rowOf(kept.get(ref)))
  const asItIs = (row: LeadRow | undefined) => row && (kept.has(row.ref) ? here(row.ref) : row)

  async function candidatesOf(keys: LeadKeys): Promise<Candidates> {
    if (!isKnown(keys)) await ask([keys])
    const { email, source_id } = keys
    const own = {
      email: email === null ? undefined : (here(kept.withEmail(email)) ?? unchanged(storedEmails.get(email))),
      source_id:
        source_id === null
          ? undefined
          : (here(kept.withSourceId(source_id)) ?? unchanged(storedSourceIds.get(source_id))),
    }
    const alias = {
      email: email === null || own.email ? undefined : asItIs(aliases.email.get(email)),
      source_id: source_id === null || own.source_id ? undefined : asItIs(aliases.source_id.get(source_id)),
    }
    const found = {
      email: own.email ?? alias.email,
      source_id: own.source_id ?? alias.source_id,
      aliases: { email: alias.email !== undefined, source_id: alias.source_id !== undefined },
    }
    if (found.email || found.source_id) return { ...found, phone: [], nameAndCity: undefined }
    const isAsked =
      (keys.phone === null || storedPhones.has(phoneOf(keys))) &&
      (keys.city === null || storedNamesakes.has(groupOf(keys)))
    if (!isAsked) await ask([{ ...keys, email: null, source_id: null }])
    return {
      ...found,
      phone: keys.phone === null ? [] : withPhone(keys),
      nameAndCity: keys.city === null ? undefined : await oldest(keys),
    }
  }

  function refuseTaken({ email, source_id }: LeadKeys, self?: number): void {
    const isOthers = (holder: number | undefined) => holder !== undefined && holder !== self
    if (email !== null && isOthers(kept.withEmail(email) ?? unchanged(storedEmails.get(email))?.ref))
      throw new AppError("conflict", "Duplicate email")
    if (
      source_id !== null &&
      isOthers(kept.withSourceId(source_id) ?? unchanged(storedSourceIds.get(source_id))?.ref)
    )
      throw new AppError("conflict", "Duplicate source_id")
  }

  return {
    made: () => made,
    grown: () => grown,
    close: kept.close,
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
      async findByRef(_account, ref) {
        return kept.has(ref) ? here(ref) : stored.findByRef(account, ref)
      },
      async prefetchDuplicates(_account, all) {
        // The next of a batch: what the store said of the last ones is not asked for again.
        for (const map of said) map.clear()
        await ask(all)
      },
      async findDuplicates(_account, all) {
        const found: Candidates[] = []
        for (const keys of all) found.push(await candidatesOf(keys))
        return found
      },
      async insert(_account, data, score, keys = keysIn(data)) {
        refuseTaken(keys)
        const text = JSON.stringify(data)
        const lead = kept.make(keys, text, score)
        const row = new RehearsedRow({ ref: lead.ref, data, text, score })
        const bytes = row.room
        made++
        grown += bytes
        undo.push(() => {
          lead.undo()
          made--
          grown -= bytes
        })
        return row
      },
      async replace(_account, { ref, score: before }, data, after, score) {
        refuseTaken(keysIn(after), ref)
        const text = JSON.stringify(after)
        undo.push(kept.change(ref, { data, score: before }, { data: after, score, text }))
        return new RehearsedRow({ ref, data: after, text, score })
      },
    },
  }
}

/** Some from each end of a list. */
function ends<T>(list: readonly T[], isOne: (one: T) => boolean = () => true): T[] {
  const first: T[] = []
  let from = 0
  for (; from < list.length && first.length < PHONE_MAX; from++)
    if (isOne(list[from]!)) first.push(list[from]!)
  const last: T[] = []
  for (let at = list.length - 1; at >= from && last.length < PHONE_MAX; at--)
    if (isOne(list[at]!)) last.push(list[at]!)
  return last.length === 0 ? first : [...first, ...last.reverse()]
}

function phoneOf({ phone, number }: LeadKeys): string {
  return `${phone}\0${number ?? ""}`
}

function groupOf({ name, city }: LeadKeys): string {
  // Texts hold no NUL.
  return `${name}\0${city}`
}

const rowOf = (lead: KeptLead | undefined) => lead && new RehearsedRow(lead)

/** Characters that a score takes behind the data. */
const SCORE_ROOM = ',"score":100'.length

/** A lead that is kept here. */
class RehearsedRow implements LeadRow {
  readonly activity = NO_ACTIVITY
  readonly ref: number
  readonly score: number
  readonly version = 0
  readonly #data: LeadData
  readonly #text: string

  constructor({ ref, score, data, text }: KeptLead) {
    this.ref = ref
    this.score = score
    this.#data = data
    this.#text = text
  }

  get room(): number {
    return this.#text.length + SCORE_ROOM
  }

  data(): LeadData {
    return { ...this.#data }
  }

  json(more?: object): string {
    const members = more === undefined ? "" : JSON.stringify(more).slice(1, -1)
    return `${this.#text.slice(0, -1)},"score":${this.score}${members && `,${members}`}}`
  }

  writeJson(out: Buffer, at: number): number {
    return at + out.write(this.json(), at)
  }
}
