import type { LeadInput } from "../../src/core/fields.ts"
import { createGroups, type Grouped } from "./groups.ts"
import { type Pushed, pushLead, type Target } from "./push.ts"

/** A lead with its answer. */
export interface Answered extends Pushed {
  lead: LeadInput
  /** Unix milliseconds around the request. */
  sent: number
  received: number
}

/**
 * Pushes all leads, `width` at a time, and gives the answers in the order they came. That is an order the server may
 * have committed them in: leads that could find or touch the same lead are never in flight together (groups.ts), and
 * for all others the order makes no difference, since ids and times are taken from the answers. Throws when a request
 * gets no answer.
 */
export async function pushComparably(
  leads: Iterable<LeadInput>,
  target: Target,
  width: number,
): Promise<Answered[]> {
  const flying = new Map<Grouped, Promise<void>>()
  const nextFree = createQueue(leads, flying)
  const done: Answered[] = []
  let failure: unknown

  async function send(grouped: Grouped): Promise<void> {
    const { lead } = grouped
    const sent = Date.now()
    try {
      done.push({ lead, ...(await pushLead(target, lead)), sent, received: Date.now() })
    } catch (problem) {
      failure ??= problem
    }
    flying.delete(grouped)
  }

  for (;;) {
    for (let next = flying.size < width && nextFree(); next; next = flying.size < width && nextFree()) {
      flying.set(next, send(next))
    }
    if (flying.size === 0) return done
    await Promise.race(flying.values())
    if (failure) throw failure
  }
}

/** Gives the next lead whose group has none in flight, holding back those that have to wait; undefined for now. */
function createQueue(
  leads: Iterable<LeadInput>,
  flying: ReadonlyMap<Grouped, unknown>,
): () => Grouped | undefined {
  const source = leads[Symbol.iterator]()
  const groups = createGroups()
  const waiting: Grouped[] = []
  const isFree = (lead: Grouped) => ![...flying.keys()].some((other) => groups.same(lead, other))

  return () => {
    const at = waiting.findIndex(isFree)
    if (at >= 0) return waiting.splice(at, 1)[0]
    while (waiting.length < 1_000) {
      const next = source.next()
      if (next.done) return undefined
      const grouped = groups.add(next.value)
      if (isFree(grouped)) return grouped
      waiting.push(grouped)
    }
    return undefined
  }
}
