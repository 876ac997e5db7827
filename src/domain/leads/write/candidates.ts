// What the leads of a batch may repeat: the store is asked for many at once. A lead that meets one which the batch has
// written since is asked for again alone, so each sees those before it.
import type { Account } from "../../../core/access.ts"
import type { LeadInput } from "../../../core/fields.ts"
import type { LeadData } from "../../../core/lead.ts"
import type { Candidates, PushedKeys, Transaction } from "../../../store/contract/store.ts"
import { dedupKeys, pushedKeys } from "./dedup.ts"

/** Leads that are asked for at once: less than a millisecond, and a few megabytes when all are as large as may be. */
export const ASKED_AT_ONCE = 50

export interface BatchCandidates {
  /** Asks for the leads that come next; nothing is known any more of those before. */
  expect(inputs: readonly LeadInput[]): Promise<void>
  /** What this input may repeat now, and what it is recognised by. */
  of(input: LeadInput): Promise<{ keys: PushedKeys; found: Candidates }>
  /** A lead was written: the next ones may repeat what it is now, and no longer what it was. */
  wrote(ref: number, lead: LeadData, keys?: PushedKeys): void
}

export function batchCandidates(
  tx: Transaction,
  { key: account, default_country }: Account,
): BatchCandidates {
  const known = new Map<LeadInput, { keys: PushedKeys; found: Candidates }>()
  const written = new Set<number>()
  const writtenIds = new Set<string>()
  const keysWritten = createKeySets()

  const isWritten = ({ email, source_id, phone, nameAndCity }: Candidates, keys: PushedKeys) =>
    (email !== undefined && written.has(email.ref)) ||
    (source_id !== undefined && written.has(source_id.ref)) ||
    (nameAndCity !== undefined && writtenIds.has(nameAndCity.id)) ||
    phone.some(({ ref }) => written.has(ref)) ||
    keysWritten.hasAny(keys)

  return {
    async expect(inputs) {
      for (const all of [known, written, writtenIds, keysWritten]) all.clear()
      const keys = inputs.map((input) => pushedKeys(input, default_country))
      const all = await tx.leads.findDuplicates(account, keys)
      for (const [i, found] of all.entries()) known.set(inputs[i]!, { keys: keys[i]!, found })
    },
    async of(input) {
      const before = known.get(input)
      if (before && !isWritten(before.found, before.keys)) return before
      const keys = before?.keys ?? pushedKeys(input, default_country)
      const [found] = await tx.leads.findDuplicates(account, [keys])
      return { keys, found: found! }
    },
    wrote(ref, lead, keys = dedupKeys(lead, default_country)) {
      written.add(ref)
      writtenIds.add(lead.id)
      keysWritten.add(keys)
    },
  }
}

const KINDS = ["email", "source_id", "phone", "number"] as const

/** What leads are recognised by, each kind apart: joined to texts with their kinds they would cost more than all else here. */
function createKeySets() {
  const sets = KINDS.map((kind) => [kind, new Set<string>()] as const)
  const places = new Set<string>()
  return {
    add(keys: PushedKeys): void {
      for (const [kind, set] of sets) {
        const key = keys[kind]
        if (key !== null) set.add(key)
      }
      if (keys.city !== null) places.add(placeOf(keys))
    },
    hasAny(keys: PushedKeys): boolean {
      for (const [kind, set] of sets) {
        const key = keys[kind]
        if (key !== null && set.has(key)) return true
      }
      return keys.city !== null && places.size > 0 && places.has(placeOf(keys))
    },
    clear(): void {
      for (const [, set] of sets) set.clear()
      places.clear()
    },
  }
}

function placeOf({ name, city }: PushedKeys): string {
  // Texts hold no NUL.
  return `${name}\0${city}`
}
