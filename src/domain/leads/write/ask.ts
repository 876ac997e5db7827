// Merges that are asked about: by a shared mailbox, or a phone that several have, where the names differ.

import { emailText } from "../../../lead/contacts.ts"
import type { LeadInput } from "../../../lead/fields.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import {
  areTwoNames,
  gluedName,
  isSharedMailbox,
  mailOf,
  numbersOf,
} from "../../../matching/matcher/index.ts"
import type { Candidates, LeadRow, PairReason } from "../../../store/contract/store.ts"
import { fold } from "../../../text/text.ts"
import { type Criterion, type Match, similarity } from "./dedup.ts"

/** Names are of one business or person when `similarity` is strictly above this, without legal forms and spaces. */
const SIMILAR = 0.8
/** Other names that make a phone one of several. */
const SEVERAL = 2
/** The probability of a pair until its leads have been compared. */
export const ASKED_PROBABILITY = 0.5
/** The attribute of a lead whose email another lead keeps. */
const SHARED_EMAIL = "Shared email"

/** Phones of a file's rows that are remembered: some 40 MB. Of further ones only the stored leads count. */
const PHONES_MAX = 500_000

/** The names that a file's rows have with each phone, three at most. */
export class NamesByPhone {
  readonly #all = new Map<number, number | number[]>()

  add(keys: LeadKeys): void {
    const phone = hashOfPhone(keys)
    if (phone === undefined) return
    const before = this.#all.get(phone)
    const name = Number(Bun.hash.wyhash(keys.name) & BITS)
    if (before === undefined) {
      if (this.#all.size < PHONES_MAX) this.#all.set(phone, name)
    } else if (typeof before === "number") {
      if (before !== name) this.#all.set(phone, [before, name])
    } else if (before.length <= SEVERAL && !before.includes(name)) before.push(name)
  }

  /** Whether at least two other names have the phone: among the rows, or those of `candidates`. */
  isShared(keys: LeadKeys, candidates: Candidates["phone"]): boolean {
    const phone = hashOfPhone(keys)
    const saved = phone === undefined ? undefined : this.#all.get(phone)
    const hashes = saved === undefined ? [] : typeof saved === "number" ? [saved] : saved
    const others = new Set(hashes)
    for (const { name } of candidates) others.add(Number(Bun.hash.wyhash(name) & BITS))
    others.delete(Number(Bun.hash.wyhash(keys.name) & BITS))
    return others.size >= SEVERAL
  }
}

const BITS = (1n << 53n) - 1n

function hashOfPhone({ number, phone }: LeadKeys): number | undefined {
  const text = number ?? phone
  return text === null ? undefined : Number(Bun.hash.wyhash(text) & BITS)
}

/** A merge that a person should decide on. */
export interface Doubt {
  row: LeadRow
  criterion: Extract<Criterion, "email" | "phone">
  /** The shared value, as it was sent. */
  value: string
  /** Nothing says that others share the value: who sent it, or the column that it is from, is not sure. */
  isUnsure?: boolean | undefined
  /** Each has an email or id of its own. */
  isOther?: boolean
}

/** Undefined for a merge that is none to ask about. */
export function doubtOf(
  { row, criterion }: Extract<Match, { kind: "duplicate" }>,
  input: LeadInput,
  keys: LeadKeys,
  { phone, source_id }: Candidates,
  phones: NamesByPhone,
): Doubt | undefined {
  const value = criterion === "phone" ? input.phone : criterion === "email" ? emailOf(row, input) : undefined
  if (criterion === "source_id" || !value || source_id?.ref === row.ref) return undefined
  if (criterion === "phone" && haveOthers(row, input)) return { row, criterion, value, isOther: true }
  const { name } = row.data()
  // A mailbox of two units, of father and son or of a couple is a shared one, too.
  if (criterion === "email" && areTwoNames(name, input.name)) return { row, criterion, value }
  if (criterion === "email" ? !isSharedMailbox(mailOf(value)?.local ?? "") : !phones.isShared(keys, phone))
    return undefined
  return namesDiffer(name, input.name, criterion) ? { row, criterion, value } : undefined
}

/** Whether both have an email or an id of their source, and another one: one household or office may share a phone. */
function haveOthers(row: LeadRow, { email, source_id, source }: LeadInput): boolean {
  const stored = row.data()
  // The same text in both is an address by which no lead is recognised.
  if (email && stored.email !== null && emailText(email) !== emailText(stored.email)) return true
  const isOfOneSource = fold(stored.source) === fold(source)
  return isOfOneSource && !!source_id && stored.source_id !== null && stored.source_id !== source_id
}

/** The sent email that a lead has; its first one where the lead is found by an alias. */
export function emailOf(row: LeadRow, { email, emails = [] }: LeadInput): string | null | undefined {
  const { email: first, emails: further } = row.data()
  const own = new Set(
    [first, ...(further ?? []).map(({ value }) => value)].map((one) => one && emailText(one)),
  )
  return (
    [email, ...(emails ?? []).map(({ value }) => value)].find((one) => one && own.has(emailText(one))) ??
    email
  )
}

function namesDiffer(one: string, other: string, criterion: Criterion): boolean {
  const [a, b] = [gluedName(one) ?? fold(one), gluedName(other) ?? fold(other)]
  if (a === b) return false
  return criterion === "phone" || numbersOf(one) !== numbersOf(other) || similarity(a, b) <= SIMILAR
}

/** The push without the value that another lead keeps: an email is unique, so it becomes an attribute. */
export function withoutShared(input: LeadInput, { criterion, value }: Doubt): LeadInput {
  if (criterion === "phone") return input
  const attribute = { name: SHARED_EMAIL, type: "text", value } as const
  const others = (input.attributes ?? []).filter(({ name }) => name !== SHARED_EMAIL)
  const isShared = (email: string | null | undefined) => !!email && emailText(email) === emailText(value)
  return {
    ...input,
    ...(isShared(input.email) && { email: undefined }),
    ...(input.emails && { emails: input.emails.filter((one) => !isShared(one.value)) }),
    attributes: [...others, attribute],
  }
}

/** The keys to look for other duplicates by: without a phone that was asked about. */
export function keysWithout(keys: LeadKeys, asked: readonly Doubt[]): LeadKeys {
  if (!asked.some(({ criterion }) => criterion === "phone")) return keys
  const { more: _, ...others } = keys
  return { ...others, phone: null, number: null }
}

export function reasonOf({ criterion, value, isUnsure, isOther }: Doubt): PairReason {
  const shared = criterion === "email" ? `shared mailbox ${value}` : `phone ${value}, which several have`
  const text = isUnsure || isOther ? `same ${criterion} ${value}` : shared
  return { field: criterion, text, bits: 0 }
}

/** Fields that a merge must not replace: where the lead came from, and its name, in a push from elsewhere. */
export function keptOfOtherSource(
  before: { source: string; source_id: string | null },
  source: string,
): string[] {
  if (fold(before.source) === fold(source)) return []
  return ["name", "source", ...(before.source_id === null ? [] : ["source_id"])]
}
