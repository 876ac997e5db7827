// Pairs that a dry run would open, over those that an account has stored.
import { fold } from "../../core/text.ts"
import { ASKED_MAX } from "../contract/duplicates.ts"
import type { DuplicateReads, PushTransaction } from "../contract/store.ts"

/** Pairs that are remembered: some 20 MB. */
const PAIRS_MAX = 100_000

export function overlayAsked(
  account: number,
  stored: Pick<DuplicateReads, "askedNamesake">,
  leads: Pick<PushTransaction["leads"], "findByRef">,
): Pick<PushTransaction["duplicates"], "askedNamesake" | "ask"> {
  /** Partners of a lead, in the order of their creation. */
  const partners = new Map<number, number[]>()
  let pairs = 0

  function add(one: number, other: number): void {
    const known = partners.get(one)
    if (!known) partners.set(one, [other])
    else if (known.length < ASKED_MAX) known.push(other)
  }

  async function isNamed(ref: number, name: string): Promise<boolean> {
    const row = await leads.findByRef(account, ref)
    return row !== undefined && fold(row.data().name) === name
  }

  return {
    async askedNamesake(_account, lead, name) {
      const before = await stored.askedNamesake(account, lead, name)
      if (before !== undefined && (await isNamed(before, name))) return before
      for (const ref of partners.get(lead) ?? []) if (await isNamed(ref, name)) return ref
      return undefined
    },
    async ask(_account, one, other) {
      if (++pairs > PAIRS_MAX) return
      add(one, other)
      add(other, one)
    },
  }
}
