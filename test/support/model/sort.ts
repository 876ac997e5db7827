// The order of lists.
import { unquote } from "./filter.ts"
import { type ModelLead, NUMBERS, TEXTS, TIMES } from "./lead.ts"
import type { Shelf } from "./shelf.ts"
import { compareBytes, lower } from "./text.ts"

/** What a lead is sorted by: numbers stand before texts and both before leads without a value, whatever the direction. */
type Key = { group: 0; value: number } | { group: 1; value: string } | { group: 2 }

const SORTABLE: readonly string[] = ["id", "score", ...TEXTS, ...NUMBERS, ...TIMES]

/**
 * Compares two leads as a list sorts them; ties by when they were added, in the direction of the sort. Throws on a field that
 * can't be sorted by.
 */
export function orderOf(
  { placeOf }: Pick<Shelf, "placeOf">,
  sortBy: string,
  sortOrder: "ASC" | "DESC",
): (one: ModelLead, other: ModelLead) => number {
  const attribute = attributeIn(sortBy)
  const isStorable = sortBy.isWellFormed() && !sortBy.includes("\0")
  if (attribute === "" || !isStorable || (attribute === undefined && !SORTABLE.includes(sortBy)))
    throw new Error(`cannot sort by ${sortBy}`)
  const direction = sortOrder === "ASC" ? 1 : -1
  const keys = new Map<ModelLead, Key>()
  const key = (lead: ModelLead) =>
    keys.getOrInsertComputed(lead, () => keyOf(sortedValue(lead, sortBy, attribute)))
  return (one, other) => {
    const [a, b] = [key(one), key(other)]
    if (a.group !== b.group) return a.group - b.group
    return direction * (compareKeys(a, b) || placeOf(one) - placeOf(other))
  }
}

/** The name in `attr:<name>`, which may be in quotes as in filters; undefined for a standard field. */
function attributeIn(sortBy: string): string | undefined {
  if (!sortBy.startsWith("attr:")) return undefined
  const named = sortBy.slice("attr:".length)
  if (!named.startsWith('"')) return named
  try {
    const { name, after } = unquote(named)
    return after === "" ? name : named
  } catch {
    return named
  }
}

function sortedValue(lead: ModelLead, field: string, attribute: string | undefined): unknown {
  if (attribute !== undefined) return lead.attributes.find(({ name }) => name === attribute)?.value
  const value = lead[field as keyof ModelLead]
  // Of long texts the beginning decides.
  return field === "description" && typeof value === "string"
    ? [...lower(value)].slice(0, 200).join("")
    : value
}

function keyOf(value: unknown): Key {
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
