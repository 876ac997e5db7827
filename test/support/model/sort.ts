// The order of lists (DECISIONS "Leads", List).
import { type ModelLead, NUMBERS, TEXTS, TIMES } from "./lead.ts"
import { compareBytes, lower } from "./text.ts"

/** What a lead is sorted by: numbers stand before texts and both before leads without a value, whatever the direction. */
type Key = { group: 0; value: number } | { group: 1; value: string } | { group: 2 }

const SORTABLE: readonly string[] = ["id", "score", ...TEXTS, ...NUMBERS, ...TIMES]

/** The leads in order; ties by id, in the direction of the sort. Throws on a field that can't be sorted by. */
export function sortLeads(
  leads: readonly ModelLead[],
  sortBy: string,
  sortOrder: "ASC" | "DESC",
): ModelLead[] {
  if (!sortBy.startsWith("attr:") && !SORTABLE.includes(sortBy)) throw new Error(`cannot sort by ${sortBy}`)
  const direction = sortOrder === "ASC" ? 1 : -1
  return leads
    .map((lead) => ({ lead, key: keyOf(lead, sortBy) }))
    .sort((a, b) => {
      if (a.key.group !== b.key.group) return a.key.group - b.key.group
      return direction * (compareKeys(a.key, b.key) || compareBytes(a.lead.id, b.lead.id))
    })
    .map(({ lead }) => lead)
}

function keyOf(lead: ModelLead, sortBy: string): Key {
  const value = sortBy.startsWith("attr:")
    ? lead.attributes.find(({ name }) => name === sortBy.slice("attr:".length))?.value
    : lead[sortBy as keyof ModelLead]
  if (typeof value === "number") return { group: 0, value }
  if (typeof value === "boolean") return { group: 0, value: value ? 1 : 0 }
  if (typeof value === "string") return { group: 1, value: lower(value) }
  return { group: 2 }
}

function compareKeys(a: Key, b: Key): number {
  if (a.group === 0 && b.group === 0) return a.value - b.value
  if (a.group === 1 && b.group === 1) return compareBytes(a.value, b.value)
  return 0
}
