// What the leads of a batch may repeat: the store is asked for many at once. A lead that meets one which the batch has
// written since is asked for again alone, so each sees those before it.
import type { Account } from "../../core/access.ts"
import type { LeadInput } from "../../core/fields.ts"
import type { LeadData } from "../../core/lead.ts"
import type { Candidates, PushedKeys, Transaction } from "../../store/store.ts"
import { keysOf, pushedKeys } from "./dedup.ts"

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
  const keysWritten = new Set<string>()

  const isWritten = ({ email, source_id, phone, nameAndCity }: Candidates, keys: PushedKeys) =>
    (email !== undefined && written.has(email.ref)) ||
    (source_id !== undefined && written.has(source_id.ref)) ||
    (nameAndCity !== undefined && writtenIds.has(nameAndCity.id)) ||
    phone.some(({ ref }) => written.has(ref)) ||
    each(keys).some((key) => keysWritten.has(key))

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
    wrote(ref, lead, keys = keysOf(lead, default_country)) {
      written.add(ref)
      writtenIds.add(lead.id)
      for (const key of each(keys)) keysWritten.add(key)
    },
  }
}

/** Each thing that a lead is recognised by, as a text of its own. */
function each({ email, source_id, phone, number, name, city }: PushedKeys): string[] {
  const all: string[] = []
  if (email !== null) all.push(`e${email}`)
  if (source_id !== null) all.push(`s${source_id}`)
  if (phone !== null) all.push(`p${phone}`)
  if (number !== null) all.push(`t${number}`)
  // Texts hold no NUL.
  if (city !== null) all.push(`n${name}\0${city}`)
  return all
}
