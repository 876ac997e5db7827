// Whose value of a field a merge keeps; the dashboard shows it before.

import { type LeadFieldName, leadField } from "./lead-fields.ts"
import { foldWord } from "./words.ts"

/** Groups of texts that people spell: no addresses and keys, in which a mark makes another one. */
const SPELLED = new Set<unknown>(["name", "kind", "place"])
const marks = (text: string) => text.normalize("NFKD").replaceAll(/[\0-\x7f]/g, "").length

/**
 * Of a field's values in the order of their leads the position of the first one; where others differ from it in case,
 * marks and width alone, that of the one with the most marks: `Zoé` of `Zoe` and `Zoé`. -1 when all are null.
 */
export function keptValue(field: LeadFieldName, values: readonly unknown[]): number {
  let kept = values.findIndex((value) => value !== null)
  const { kind, searchGroup } = leadField(field)
  if (kind !== "text" || !SPELLED.has(searchGroup)) return kept
  for (const [i, value] of values.entries()) {
    const best = values[kept]
    if (typeof value !== "string" || typeof best !== "string" || foldWord(value) !== foldWord(best)) continue
    if (marks(value) > marks(best)) kept = i
  }
  return kept
}
