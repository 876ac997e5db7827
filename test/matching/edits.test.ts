import { expect, test } from "bun:test"
import fc from "fast-check"
import { edits } from "../../src/matching/similarity.ts"

/** Insertions, deletions, replacements and swaps of neighbours, each letter in one edit at most. */
function editsByTable(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => i || j),
  )
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1])
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : replaced
      rows[i]![j] = j === 0 ? i : Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, replaced, swapped)
    }
  return rows[a.length]![b.length]!
}

test("edits are counted as by the table of all beginnings, up to the limit", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "ß"), maxLength: 50 })
  fc.assert(
    fc.property(text, text, fc.nat(60), (a, b, limit) => {
      const apart = editsByTable(a, b)
      const found = edits(a, b, limit)
      if (apart <= limit) expect(found).toBe(apart)
      else expect(found).toBeGreaterThan(limit)
    }),
    { numRuns: 300 },
  )
})
