import { distance } from "fastest-levenshtein"
import type { Account } from "../../../core/access.ts"
import type { LeadInput } from "../../../core/fields.ts"
import { dedupKeys, type LeadKeys } from "../../../core/lead-keys.ts"
import type { Candidates, LeadRow, PushTransaction } from "../../../store/contract/store.ts"

export type Criterion = "email" | "source_id" | "phone"

/** Names are similar when `similarity` is strictly above this. */
const SIMILAR = 0.8

/** Possible duplicates in the answer of a push. */
export const NEAR_MAX = 5

/** The lead that a pushed one duplicates; `near` are references of leads with its phone and another name. */
export type Match =
  | { kind: "duplicate"; row: LeadRow; criterion: Criterion; aliases: Candidates["aliases"] }
  | { kind: "potential"; id: string; near: readonly number[] }
  | { kind: "none"; near: readonly number[] }

/** Limit on characters times characters compared for one lead, some 2 ms: beyond it only an equal name is similar. */
const WORK_MAX = 20_000_000

/** The keys of a lead as it was sent, where empty is null. */
export function pushedKeys(
  { name, email, source_id, phone, city, country }: LeadInput,
  defaultCountry: Account["default_country"],
): LeadKeys {
  const stored = {
    name,
    email: email || null,
    source_id: source_id || null,
    phone: phone || null,
    city: city || null,
    country: country || null,
  }
  return dedupKeys(stored, defaultCountry)
}

/** The candidate that a pushed lead duplicates, by the four deduplication criteria in order. */
export async function duplicateAmong(
  tx: PushTransaction,
  account: number,
  keys: LeadKeys,
  { email, source_id: sourceId, phone, nameAndCity, aliases }: Candidates,
): Promise<Match> {
  if (email) return { kind: "duplicate", row: email, criterion: "email", aliases }
  if (sourceId) return { kind: "duplicate", row: sourceId, criterion: "source_id", aliases }
  const ref = mostSimilar(keys.name, phone)
  const row = ref === undefined ? undefined : await tx.leads.findByRef(account, ref)
  if (row) return { kind: "duplicate", row, criterion: "phone", aliases }
  const near = phone.slice(0, NEAR_MAX).map(({ ref }) => ref)
  return nameAndCity ? { kind: "potential", id: nameAndCity.id, near } : { kind: "none", near }
}

/** The sent values without emails and source_ids of leads that were merged into this one, which keeps its own. */
export function withoutAliases<T extends { email?: unknown; source_id?: unknown }>(
  input: T,
  { email, source_id }: Candidates["aliases"],
): T {
  if (!email && !source_id) return input
  return { ...input, ...(email && { email: undefined }), ...(source_id && { source_id: undefined }) }
}

/** Among leads with the same phone the one with the most similar name, the oldest of equals. */
function mostSimilar(name: string, candidates: Candidates["phone"]): number | undefined {
  let best: number | undefined
  let most = SIMILAR
  let work = 0
  for (const candidate of candidates) {
    const [shorter, longer] = [name.length, candidate.name.length].toSorted((a, b) => a - b) as [
      number,
      number,
    ]
    // The difference in length is a lower bound of the edits; UTF-16 units prove it only without surrogates.
    if (!SURROGATE.test(name + candidate.name) && shorter / longer <= most) continue
    if (name !== candidate.name) {
      work += longer * shorter
      if (work > WORK_MAX) continue
    }
    const similar = similarity(name, candidate.name)
    if (similar <= most) continue
    most = similar
    best = candidate.ref
  }
  return best
}

/** `1 - levenshtein / longer length` of two folded names, 0 to 1. */
export function similarity(a: string, b: string): number {
  const [left, right] = SURROGATE.test(a + b) ? oneUnitEach(a, b) : [a, b]
  const longer = Math.max(left.length, right.length)
  return longer === 0 ? 1 : 1 - distance(left, right) / longer
}

const SURROGATE = /[\ud800-\udfff]/

/** Stand-ins for two texts that have one UTF-16 unit for each character, since `distance` compares units. */
function oneUnitEach(a: string, b: string): [string, string] {
  const units = new Map<string, string>()
  const standIn = (text: string) =>
    Array.from(text, (character) =>
      units.getOrInsertComputed(character, () => String.fromCharCode(units.size)),
    ).join("")
  return [standIn(a), standIn(b)]
}
