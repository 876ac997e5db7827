// Filters on tags and on attributes that are lists.
import { items } from "./filter-values.ts"
import { lower } from "./text.ts"

/** What an operator asks of a list; undefined when it asks nothing of lists. Throws on an empty list of values. */
export function asList(
  operator: string,
  value: string,
): ((stored: readonly string[]) => boolean) | undefined {
  const has = (stored: readonly string[], wanted: string) => stored.some((one) => lower(one) === wanted)
  switch (operator) {
    case "is_empty":
    case "array_empty":
      return (stored) => stored.length === 0
    case "contains":
    case "array_contains": {
      const wanted = lower(value.trim())
      return (stored) => has(stored, wanted)
    }
    case "array_contains_any": {
      const wanted = items(value).map(lower)
      return (stored) => wanted.some((one) => has(stored, one))
    }
    case "array_contains_all": {
      const wanted = items(value).map(lower)
      return (stored) => wanted.every((one) => has(stored, one))
    }
  }
  return undefined
}
