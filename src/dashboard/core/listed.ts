// Leads that are on the do-not-contact list, and what its entries hit.
import { peek } from "./api.ts"
import type { Lead, LeadPage, Suppression } from "./types.ts"

/** Ids that one filter holds. */
const AT_ONCE = 300

/** The ids of those leads that are on the list. */
export async function listedAmong(
  leads: readonly Pick<Lead, "id">[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const leadIds = new Set<string>()
  for (let at = 0; at < leads.length; at += AT_ONCE) {
    const ids = leads.slice(at, at + AT_ONCE).map(({ id }) => id)
    const query = { filter: `and.in.id.${ids.join(",")}`, contactable: false, limit: AT_ONCE, fields: "name" }
    for (const { id } of (await peek<LeadPage>("/leads", query, signal)).leads) leadIds.add(id)
  }
  return leadIds
}

/** Filters for the leads that an entry hits; undefined for that of an erased person, whom no lead is. */
export function hitBy({ kind, value }: Pick<Suppression, "kind" | "value">): string[] | undefined {
  if (kind === "hash") return undefined
  if (kind !== "domain") return [`and.eq.${kind}.${value}`]
  return [`or.ends_with.email.@${value}`, `or.ends_with.email..${value}`]
}

/** Counts wait for one another: a list of entries asks for one at a time. */
let before: Promise<unknown> = Promise.resolve()

export function countHits(filter: readonly string[], signal: AbortSignal): Promise<number | undefined> {
  const count = before.then(async () => {
    signal.throwIfAborted()
    const query = { filter, total: true, limit: 1, fields: "name" }
    return (await peek<LeadPage>("/leads", query, signal)).total
  })
  before = count.catch(() => {})
  return count
}
