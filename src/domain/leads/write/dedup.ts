import { distance } from "fastest-levenshtein"
import type { Account } from "../../../access/rights.ts"
import { isFax, settleContacts, type WithContacts, withFirstContacts } from "../../../lead/contacts.ts"
import type { LeadInput } from "../../../lead/fields.ts"
import { dedupKeys, furtherKeys, type LeadKeys } from "../../../lead/lead-keys.ts"
import { areTwoNames, isAtSamePlace, isForAll, phoneOf } from "../../../matching/matcher/index.ts"
import type { Candidates, LeadReads, LeadRow } from "../../../store/contract/store.ts"
import { formerNumber } from "../../../text/phone.ts"
import { EXTENSION_MARK, fold } from "../../../text/text.ts"

export type Criterion = "email" | "source_id" | "phone"

/** Names are similar when `similarity` is strictly above this. */
const SIMILAR = 0.8

/** Other names by which a phone is one for all. */
const MANY_NAMES = 4
/** What telling two names apart costs of a budget. */
const TELLING = 20_000

/** Possible duplicates in the answer of a push. */
export const NEAR_MAX = 5

/**
 * The lead that a pushed one duplicates; `near` are references of leads with its phone and another name, `held` of the one
 * that it would be merged into were it not in another place, of another thing's name, or by a phone for all.
 */
export type Match =
  | { kind: "duplicate"; row: LeadRow; criterion: Criterion; aliases: Candidates["aliases"] }
  | { kind: "potential"; id: string; by: "name" | "phone"; near: readonly number[]; held?: number }
  | { kind: "none"; near: readonly number[]; held?: number }

/**
 * Limits on characters times characters compared, for one lead and for all of a batch: some 2 ms and 20 ms. Beyond them
 * only an equal name is similar. Ordinary names need a thousandth of it.
 */
const OF_LEAD = 5_000_000
const OF_BATCH = 50_000_000
/**
 * Characters of candidates' names that a batch reads, some 20 ms: a thousand leads may each be compared with two hundred
 * names of twenty characters. Beyond them only leads of an equal name are read.
 */
const NAMES_OF_BATCH = 4_000_000

/** The comparisons that are left to a batch of pushes. */
export interface ComparisonBudget {
  left: number
  /** Characters of names. */
  names: number
}

export function comparisonBudget(): ComparisonBudget {
  return { left: OF_BATCH, names: NAMES_OF_BATCH }
}

/** Restricts the keys of a batch's next lead to equal names once the batch has read as many names as it may. */
export function withinBudget(keys: LeadKeys, { names }: ComparisonBudget): LeadKeys {
  if (names <= 0) keys.isNameExact = true
  return keys
}

/** Leaves out keys that share a phone, or a name and city, with earlier ones: their candidates include a lead that is yet to be written. */
export function withoutRepeats(all: readonly LeadKeys[]): LeadKeys[] {
  const seen = new Set<string>()
  return all.filter(({ phone, name, city }) => {
    const before = seen.size
    if (phone !== null) seen.add(phone)
    // Texts hold no NUL.
    if (city !== null) seen.add(`${name}\0${city}`)
    return seen.size - before === Number(phone !== null) + Number(city !== null)
  })
}

/** The keys of a lead as it was sent, where empty is null. */
export function pushedKeys(input: LeadInput, defaultCountry: Account["default_country"]): LeadKeys {
  const { name, email, source_id, phone, city, country, emails, phones } = withFirstContacts(input)
  const stored = {
    name,
    email: email || null,
    source_id: source_id || null,
    phone: phone || null,
    city: city || null,
    country: country || null,
  }
  const keys = dedupKeys(stored, defaultCountry)
  const number = stored.phone ? formerNumber(stored.phone, stored.country, defaultCountry) : undefined
  if (!emails && !phones && number === undefined) return keys
  const lead: LeadKeysOf = { ...stored }
  if (emails || phones) settleContacts(lead, lead, { emails, phones, email, phone })
  const [first, ...further] = lead.phones ?? []
  if (first && isFax(first)) keys.isFax = true
  if (first) lead.phones = [first, ...further.filter((one) => !isFax(one))]
  const more = furtherKeys(lead, defaultCountry)
  if (number === undefined) return more ? { ...keys, more } : keys
  // Leads may still have the key that was made before the line was known to be renamed.
  const alike = [...(more?.phones ?? []), { phone: keys.phone, number }]
  return { ...keys, more: { emails: more?.emails ?? [], phones: alike } }
}

type LeadKeysOf = WithContacts & { country: string | null }

const NO_KEYS = { email: null, source_id: null, phone: null, number: null, city: null }

const tellsNobody = (keys: LeadKeys) => keys.isFax === true || isPlaceholderPhone(keys)

/** Matches by further emails and phones of a pushed lead, by the same criteria in the same order. */
export async function withFurther(
  tx: { readonly leads: Pick<LeadReads, "findDuplicates"> },
  account: number,
  { more, ...keys }: LeadKeys,
  candidates: Candidates,
): Promise<Candidates> {
  if (!more || candidates.email) return candidates
  const find = async (part: Partial<LeadKeys>) =>
    (await tx.leads.findDuplicates(account, [{ ...keys, ...NO_KEYS, ...part }]))[0]!
  for (const email of more.emails) {
    const { email: row } = await find({ email })
    if (row) return { ...candidates, email: row, phone: [], nameAndCity: undefined }
  }
  if (candidates.source_id) return candidates
  const byPhone = tellsNobody(keys) ? [] : candidates.phone
  const phone = new Map(byPhone.map((one) => [one.ref, one]))
  for (const part of more.phones)
    if (!isPlaceholderPhone(part)) for (const one of (await find(part)).phone) phone.set(one.ref, one)
  return { ...candidates, phone: [...phone.values()] }
}

/** The candidate that a pushed lead duplicates, by the four deduplication criteria in order. */
export async function duplicateAmong(
  tx: { readonly leads: Pick<LeadReads, "findByRef"> },
  account: number,
  keys: LeadKeys,
  { email, source_id: sourceId, phone: havingPhone, nameAndCity, aliases }: Candidates,
  pushed: Place,
  budget: ComparisonBudget = comparisonBudget(),
): Promise<Match> {
  if (email) return { kind: "duplicate", row: email, criterion: "email", aliases }
  if (sourceId) return { kind: "duplicate", row: sourceId, criterion: "source_id", aliases }
  let phone = tellsNobody(keys) && !keys.more ? [] : havingPhone
  let { best, apart } = mostSimilar(keys.name, phone, budget)
  let row = best === undefined ? undefined : await tx.leads.findByRef(account, best)
  for (let others = 0; row && others < NEAR_MAX && isOnlyFaxOf(row.data(), keys); others++) {
    phone = phone.filter(({ ref }) => ref !== best)
    ;({ best, apart } = mostSimilar(keys.name, phone, budget))
    row = best === undefined ? undefined : await tx.leads.findByRef(account, best)
  }
  if (row && isOneLead(keys, row, phone, pushed))
    return { kind: "duplicate", row, criterion: "phone", aliases }
  const near = phone.slice(0, NEAR_MAX).map(({ ref }) => ref)
  const held = row?.ref ?? apart
  const also = { near, ...(held !== undefined && { held }) }
  const potential = nameAndCity?.id ?? row?.data().id
  const by = nameAndCity ? "name" : "phone"
  return potential === undefined
    ? { kind: "none", ...also }
    : { kind: "potential", id: potential, by, ...also }
}

/** Whether what a stored lead has in common with the pushed phones is a fax alone, which firms of one house share. */
function isOnlyFaxOf(
  stored: WithContacts & { country: string | null },
  { phone, number, more, defaultCountry }: LeadKeys,
): boolean {
  if (!stored.phones?.some(isFax)) return false
  const pushed = [{ phone, number }, ...(more?.phones ?? [])]
  const all = furtherKeys(
    { country: stored.country, phones: [NONE, ...stored.phones] },
    defaultCountry,
  )!.phones
  const isPushed = (i: number) =>
    pushed.some(
      (one) =>
        (one.number !== null && one.number === all[i]!.number) ||
        (one.phone !== null && one.phone === all[i]!.phone),
    )
  const common = stored.phones.filter((_, i) => isPushed(i))
  return common.length > 0 && common.every(isFax)
}
const NONE = { value: "", label: null }

/** What a lead says of where it is. */
type Place = Partial<
  Pick<LeadInput, "address" | "city" | "country" | "state" | "postal_code" | "latitude" | "longitude">
>

/** Whether a phone and a name tell one lead: not in another place, nor by a phone that many have unless the place is the same. */
function isOneLead(
  { name, number, phone }: LeadKeys,
  row: LeadRow,
  candidates: Candidates["phone"],
  pushed: Place,
): boolean {
  const stored = row.data()
  const isSame = isAtSamePlace({ name, ...placeOf(pushed) }, { name: stored.name, ...placeOf(stored) })
  if (isSame === false) return false
  const called = phoneOf(number ?? phone, "")
  if (called && isForAll(called)) return isSame === true
  if (!haveManyNames(name, candidates)) return true
  const saysNoPlace = ![pushed.address, pushed.city, stored.address, stored.city].some(Boolean)
  return (isSame || saysNoPlace) && name === fold(stored.name)
}

function placeOf(lead: Place) {
  return {
    address: lead.address ?? null,
    city: lead.city ?? null,
    state: lead.state ?? null,
    country: lead.country ?? null,
    postal_code: lead.postal_code ?? null,
    latitude: lead.latitude ?? null,
    longitude: lead.longitude ?? null,
  }
}

function haveManyNames(name: string, candidates: Candidates["phone"]): boolean {
  if (candidates.length < MANY_NAMES) return false
  const others = candidates.filter((one) => similarityAtMost(name, one.name) <= SIMILAR)
  return new Set(others.map((one) => one.name)).size >= MANY_NAMES
}

/** The sent values without emails and source_ids of leads that were merged into this one, which keeps its own. */
export function withoutAliases<T extends { email?: unknown; source_id?: unknown }>(
  input: T,
  { email, source_id }: Candidates["aliases"],
): T {
  if (!email && !source_id) return input
  return { ...input, ...(email && { email: undefined }), ...(source_id && { source_id: undefined }) }
}

/**
 * Among leads with the same phone the one with the most similar name, the oldest of equals; `apart` has a similar name of
 * another thing.
 */
function mostSimilar(
  name: string,
  candidates: Candidates["phone"],
  budget: ComparisonBudget,
): { best?: number; apart?: number } {
  const outcome: { best?: number; apart?: number } = {}
  let most = SIMILAR
  const least = budget.left - OF_LEAD
  for (const candidate of candidates) {
    budget.names -= candidate.name.length
    if (name === candidate.name) return { best: candidate.ref }
    if (budget.names < 0 || similarityAtMost(name, candidate.name) <= most) continue
    const work = name.length * candidate.name.length
    if (budget.left - work < Math.max(least, 0)) continue
    budget.left -= work
    const similar = similarity(name, candidate.name)
    if (similar <= most) continue
    budget.left -= TELLING
    if (areTwoNames(name, candidate.name)) {
      outcome.apart ??= candidate.ref
      continue
    }
    most = similar
    outcome.best = candidate.ref
  }
  return outcome
}

/** `1 - levenshtein / longer length` of two folded names, 0 to 1. */
export function similarity(a: string, b: string): number {
  const [left, right] = SURROGATE.test(a + b) ? oneUnitEach(a, b) : [a, b]
  const longer = Math.max(left.length, right.length)
  return longer === 0 ? 1 : 1 - distance(left, right) / longer
}

const SURROGATE = /[\ud800-\udfff]/

/** How often each UTF-16 unit is in the text that was counted last: one name is compared with many. */
const counts = new Int32Array(0x10000)
let counted = { text: "", hasSurrogates: false }

function count(text: string): void {
  if (text === counted.text) return
  for (let i = 0; i < counted.text.length; i++) counts[counted.text.charCodeAt(i)] = 0
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i)]!++
  counted = { text, hasSurrogates: SURROGATE.test(text) }
}

/**
 * An upper bound of the similarity, in linear time: the lengths, and characters that only one of the texts has, take an
 * edit each. Units prove that only in texts without surrogates.
 */
export function similarityAtMost(a: string, b: string): number {
  count(a)
  if (counted.hasSurrogates) return 1
  let shared = 0
  let hasSurrogates = false
  for (let i = 0; i < b.length; i++) {
    const unit = b.charCodeAt(i)
    if ((unit & 0xf800) === 0xd800) hasSurrogates = true
    if (counts[unit]!-- > 0) shared++
  }
  for (let i = 0; i < b.length; i++) counts[b.charCodeAt(i)]!++
  const longer = Math.max(a.length, b.length)
  // As `similarity` divides, so that rounding keeps the order of both.
  return hasSurrogates || longer === 0 ? 1 : 1 - (longer - shared) / longer
}

/** Stand-ins for two texts that have one UTF-16 unit for each character, since `distance` compares units. */
function oneUnitEach(a: string, b: string): [string, string] {
  const units = new Map<string, string>()
  const standIn = (text: string) =>
    Array.from(text, (character) =>
      units.getOrInsertComputed(character, () => String.fromCharCode(units.size)),
    ).join("")
  return [standIn(a), standIn(b)]
}

/** Up to five digits that no area code begins, where they are no number of a country, and the beginning of hotlines. */
const SHORT = /^(?:[1-9]\p{Nd}{3,4}|0[89]00)$/u
/** Numbers of emergencies, information and services, which some plans hold to be valid: `112`, `116117`. */
const SERVICE = /^(?:\p{Nd}{1,3}|11[68]\d{2,3})$/u
/** `7777777`, also behind a country's number, `1111`, `123123123`. */
const REPEATED = /^(?:\p{Nd}{0,3}(\p{Nd})\1{5,}|(\p{Nd})\2{3,}|(?:123){3,}\d?)$/u
/** `+1 123 456 7890`. */
const COUNTED_ABROAD = /^[1-9]\d{0,2}1234567890?$/
/** A spreadsheet's `1.23E+11`. */
const SCIENTIFIC = /^\d+e\d{1,3}$/
const COUNTING = "01234567890123456789"
const COUNTING_DOWN = "98765432109876543210"
const COUNTED_MIN = 6

/**
 * Whether what stands in place of a phone tells nobody: no digits (`n/a`), an error of a spreadsheet, one digit repeated,
 * digits in a row, a short code.
 */
function isPlaceholderPhone({ phone: key, number }: Pick<LeadKeys, "phone" | "number">): boolean {
  if (key === null) return true
  const [phone = key] = key.split(EXTENSION_MARK, 1)
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0
  if (digits < 2 || [SERVICE, REPEATED, SCIENTIFIC, COUNTED_ABROAD].some((one) => one.test(phone)))
    return true
  if (phone.length >= COUNTED_MIN && (COUNTING.includes(phone) || COUNTING_DOWN.includes(phone))) return true
  return number === null && SHORT.test(phone)
}
