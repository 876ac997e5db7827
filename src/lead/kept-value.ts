// Whose value of a field a merge keeps; the dashboard shows it before.

import { foldWord } from "../text/words.ts"

/** What people spell: no addresses and keys, in which a mark makes another one. The dashboard has no table of fields. */
const SPELLED = new Set(["name", "company", "job_title", "address", "city", "state", "country", "category"])
const marks = (text: string) => text.normalize("NFKD").replaceAll(/[\0-\x7f]/g, "").length

/**
 * Of a field's values in the order of their leads the position of the first one; where others differ from it in case,
 * marks and width alone, that of the one with the most marks: `Zoé` of `Zoe` and `Zoé`. -1 when all are null.
 */
export function keptValue(field: string, values: readonly unknown[]): number {
  let chosen = values.findIndex((value) => value !== null)
  if (!SPELLED.has(field)) return chosen
  for (const [i, value] of values.entries()) {
    const best = values[chosen]
    if (typeof value !== "string" || typeof best !== "string" || foldWord(value) !== foldWord(best)) continue
    if (marks(value) > marks(best)) chosen = i
  }
  return chosen
}
