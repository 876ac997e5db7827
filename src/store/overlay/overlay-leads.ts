// Leads over those that an account has stored: found by the same keys, in the same order.

import type { Account } from "../../access/rights.ts"
import type { Condition } from "../../filters/lead-query.ts"
import { type LeadData, lastTouched, NO_ACTIVITY } from "../../lead/lead.ts"
import { dedupKeys, furtherKeys, type LeadKeys } from "../../lead/lead-keys.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Candidates, LeadReads, LeadRow, PushTransaction, Transaction } from "../contract/store.ts"
import { documentText } from "../sql/schema/lead-rows.ts"
import { createOverlayRows, groupOf, type OverlayLead, PHONE_MAX } from "./rows.ts"

/** Leads of one name and city that are read to find the next oldest, when a row has changed the oldest. */
const NAMESAKES_MAX = 100

interface OverlayLeads {
  /** From now on lookups by these keys find the lead. */
  addAliases: PushTransaction["duplicates"]["addAliases"]
  leads: PushTransaction["leads"]
  attempt: Transaction["attempt"]
  /** Leads that were created. */
  created(): number
  /** Their bytes. */
  bytes(): number
  close(): void
}

/** `folder` takes a temporary file. */
export function overlayLeads(
  { key: account, default_country }: Account,
  stored: LeadReads,
  folder: string,
): OverlayLeads {
  const keysIn = (data: LeadData) => dedupKeys(data, default_country)
  const changed = createOverlayRows(keysIn, (data) => furtherKeys(data, default_country), folder)
  /** Stored leads by key: leads that were not changed here are as they were. */
  const storedEmails = new Map<string, LeadRow | undefined>()
  const storedSourceIds = new Map<string, LeadRow | undefined>()
  const aliases = { email: new Map<string, LeadRow>(), source_id: new Map<string, LeadRow>() }
  const storedPhones = new Map<string, Candidates["phone"]>()
  const storedNamesakes = new Map<string, string | undefined>()
  const memories = [
    storedEmails,
    storedSourceIds,
    aliases.email,
    aliases.source_id,
    storedPhones,
    storedNamesakes,
  ]
  let totals = { made: 0, bytes: 0 }

  async function ask(all: readonly LeadKeys[]): Promise<void> {
    const candidatesStored = await stored.findDuplicates(account, all)
    for (const [i, { email, source_id, aliases: by, phone, nameAndCity }] of candidatesStored.entries()) {
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
    const changedPhone = changed.withPhone(keys)
    const before = storedPhones.get(phoneOf(keys))!
    const others = before.filter(({ ref }) => !changed.has(ref))
    return ends([...others, ...changedPhone].sort((a, b) => a.ref - b.ref))
  }

  /** The oldest of one name and city. */
  async function oldest(keys: LeadKeys): Promise<{ id: string } | undefined> {
    const group = groupOf(keys)
    let before = storedNamesakes.get(group)
    const oldestChanged = changed.oldestOf(keys)
    const ref = before === undefined ? undefined : changed.refOf(before)
    if (ref !== undefined && ref === oldestChanged) return { id: before! }
    if (ref !== undefined) {
      before = await nextNamesake(keys)
      storedNamesakes.set(group, before)
    }
    const first = oldestChanged === undefined ? undefined : changed.get(oldestChanged)!.data.id
    const [id = undefined] = [before, first].filter((one) => one !== undefined).sort()
    return id === undefined ? undefined : { id }
  }

  /** The oldest stored lead that was not changed here. */
  async function nextNamesake({ name, city }: LeadKeys): Promise<string | undefined> {
    const is = (field: "name" | "city", value: string): Condition => {
      return { on: "text", not: false, field, operator: "eq", values: [value] }
    }
    const { rows } = await stored.list(account, {
      filter: { all: [is("name", name), is("city", city!)], any: [] },
      sort: { key: { on: "id" }, descending: false },
      limit: NAMESAKES_MAX,
    })
    return rows.map((row) => row.data().id).find((id) => changed.refOf(id) === undefined)
  }

  /** The stored lead of a key, unless it was changed here. */
  const unchanged = (row: LeadRow | undefined) => (row && !changed.has(row.ref) ? row : undefined)
  const here = (ref: number | undefined) => (ref === undefined ? undefined : rowOf(changed.get(ref)))
  const asItIs = (row: LeadRow | undefined) => row && (changed.has(row.ref) ? here(row.ref) : row)

  async function candidatesOf(keys: LeadKeys): Promise<Candidates> {
    if (!isKnown(keys)) await ask([keys])
    const { email, source_id } = keys
    const ofChanged = {
      email:
        email === null
          ? undefined
          : (here(changed.with("email", email)) ?? unchanged(storedEmails.get(email))),
      source_id:
        source_id === null
          ? undefined
          : (here(changed.with("source_id", source_id)) ?? unchanged(storedSourceIds.get(source_id))),
    }
    const aliasOf = async (kind: "email" | "source_id", value: string) => {
      const ref = changed.with(`${kind}_alias`, value)
      return ref === undefined
        ? asItIs(aliases[kind].get(value))
        : (here(ref) ?? stored.findByRef(account, ref))
    }
    const alias = {
      email: email === null || ofChanged.email ? undefined : await aliasOf("email", email),
      source_id:
        source_id === null || ofChanged.source_id ? undefined : await aliasOf("source_id", source_id),
    }
    const candidates = {
      email: ofChanged.email ?? alias.email,
      source_id: ofChanged.source_id ?? alias.source_id,
      aliases: { email: alias.email !== undefined, source_id: alias.source_id !== undefined },
    }
    if (candidates.email || candidates.source_id) return { ...candidates, phone: [], nameAndCity: undefined }
    const isAsked =
      (keys.phone === null || storedPhones.has(phoneOf(keys))) &&
      (keys.city === null || storedNamesakes.has(groupOf(keys)))
    if (!isAsked) await ask([{ ...keys, email: null, source_id: null }])
    return {
      ...candidates,
      phone: keys.phone === null ? [] : withPhone(keys),
      nameAndCity: keys.city === null ? undefined : await oldest(keys),
    }
  }

  function refuseTaken({ email, source_id }: LeadKeys, self?: number): void {
    const isOthers = (holder: number | undefined) => holder !== undefined && holder !== self
    if (email !== null && isOthers(changed.with("email", email) ?? unchanged(storedEmails.get(email))?.ref))
      throw new AppError("conflict", "Duplicate email")
    if (
      source_id !== null &&
      isOthers(changed.with("source_id", source_id) ?? unchanged(storedSourceIds.get(source_id))?.ref)
    )
      throw new AppError("conflict", "Duplicate source_id")
  }

  return {
    async addAliases(_account, lead, added) {
      for (const { kind, value } of added) changed.setAlias(kind, value, lead)
    },
    created: () => totals.made,
    bytes: () => totals.bytes,
    close: changed.close,
    async attempt(work) {
      const before = totals
      try {
        return await changed.attempt(work)
      } catch (error) {
        totals = before
        throw error
      }
    },
    leads: {
      async find(_account, id) {
        const ref = changed.refOf(id)
        return ref === undefined ? stored.find(account, id) : here(ref)
      },
      count: stored.count,
      async findByRef(_account, ref) {
        return changed.has(ref) ? here(ref) : stored.findByRef(account, ref)
      },
      async prefetchDuplicates(_account, all) {
        // The last ones of the batch are not looked for again.
        for (const map of memories) map.clear()
        await ask(all)
      },
      async findDuplicates(_account, all) {
        const candidates: Candidates[] = []
        for (const keys of all) candidates.push(await candidatesOf(keys))
        return candidates
      },
      async insert(_account, data, score, keys = keysIn(data)) {
        refuseTaken(keys)
        const text = documentText(data)
        const ref = changed.put(undefined, { data, text, score }, keys)
        const row = new OverlayRow({ ref, data, text, score })
        totals = { made: totals.made + 1, bytes: totals.bytes + row.room }
        return row
      },
      async replace(_account, { ref }, data, after, score) {
        refuseTaken(keysIn(after), ref)
        const text = documentText(after)
        changed.put({ ref, before: data }, { data: after, score, text })
        return new OverlayRow({ ref, data: after, text, score })
      },
    },
  }
}

/** Some from each end of a list. */
function ends<T>(list: T[]): T[] {
  return list.length <= 2 * PHONE_MAX ? list : [...list.slice(0, PHONE_MAX), ...list.slice(-PHONE_MAX)]
}

function phoneOf({ phone, number }: LeadKeys): string {
  return `${phone}\0${number ?? ""}`
}

const rowOf = (lead: OverlayLead | undefined) => lead && new OverlayRow(lead)

/** Characters that a score takes behind the data. */
const SCORE_ROOM = ',"score":100'.length

/** A lead that was created or changed here. */
class OverlayRow implements LeadRow {
  readonly activity = NO_ACTIVITY
  readonly ref: number
  readonly score: number
  readonly version = 0
  readonly #data: LeadData
  readonly #text: string

  constructor({ ref, score, data, text }: OverlayLead) {
    this.ref = ref
    this.score = score
    this.#data = data
    this.#text = text
  }

  get lastTouchedAt(): number {
    return lastTouched(this.#data, this.activity)
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
