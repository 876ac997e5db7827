// Parts of the index that a pass keeps in memory.
import type { IndexPart } from "../../contract/matching.ts"

/** Rows of an index that are read in one go. */
export const PART = 10_000
/** Accounts of fewer leads are not compared again as they grow: how rare a word is changes little. */
export const GROWN_MIN = 10_000
/** Below all keys and terms. */
export const LEAST_KEY = -(2 ** 31) - 1
/** Above all of them. */
export const MOST_KEY = 2 ** 31

/** The keys of a part that at least `least` leads have, with up to `most` of them; `found` are its rows by key. */
export function wholeKeys(
  found: readonly (readonly [key: number, ref: number])[],
  most: number,
  least: 1 | 2,
): IndexPart<{ key: number; refs: number[] }> {
  const isLast = found.length < PART
  // The last key may go on in the next part, unless it fills this one, which is more than is wanted.
  const next = isLast || found[0]![0] === found.at(-1)![0] ? found.at(-1)?.[0] : found.at(-1)![0] - 1
  const rows: { key: number; refs: number[] }[] = []
  for (let from = 0; from < found.length; ) {
    const key = found[from]![0]
    let end = from + 1
    while (end < found.length && found[end]![0] === key) end++
    const isWhole = isLast || end < found.length || from === 0
    if (isWhole && end - from >= least)
      rows.push({ key, refs: found.slice(from, Math.min(end, from + most)).map(([, rid]) => rid) })
    from = end
  }
  return { rows, next: isLast ? undefined : next }
}
