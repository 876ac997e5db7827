import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { Counts } from "../../scripts/matching/match-all.ts"
import { FEATURES, type MatchableLead, prepare, score, termsOf } from "../../src/matching/matcher/index.ts"
import { edits } from "../../src/matching/similarity.ts"

/** Few values for each field, so that leads agree in some and nearly in others. */
const lead = fc.record({
  name: fc.constantFrom(
    "Bäckerei Sonne GmbH",
    "Baeckerei Sone",
    "Sonne 2",
    "Bill Shakelton",
    "Shakelton W",
    "ATM",
  ),
  company: fc.constantFrom(null, "Sonne AG", "Mond"),
  phone: fc.constantFrom(null, "+49 30 4455667", "030 4455668", "030 1234567"),
  email: fc.constantFrom(null, "a.sonne@sonne.de", "asonne@sonne.de", "info@mond.de"),
  website: fc.constantFrom(null, "sonne.de/berlin", "sonne.de", "mond.de"),
  address: fc.constantFrom(null, "Hauptstr. 12", "Hauptstraße 14", "Ring 12, Suite 4", "12 Ring"),
  city: fc.constantFrom(null, "Berlin", "Köpenick", "Hamburg"),
  postal_code: fc.constantFrom(null, "10115", "10116", "20095"),
  latitude: fc.constantFrom(null, 52.52, 52.5201, 53.55),
  longitude: fc.constantFrom(null, 13.4, 10),
  category: fc.constantFrom(null, "Bakery", "Bank"),
}) satisfies fc.Arbitrary<MatchableLead>

const weights = fc
  .array(fc.double({ min: -8, max: 8, noNaN: true }), {
    minLength: FEATURES.length,
    maxLength: FEATURES.length,
  })
  .map((all) => Float64Array.from(all))

describe("a pair that is given up early", () => {
  test("is below what was asked for, whatever the weights, and all others are scored as ever", () => {
    fc.assert(
      fc.property(lead, lead, weights, fc.constantFrom(0.01, 0.25, 0.5, 0.95), (one, other, table, least) => {
        const [a, b] = [prepare(one), prepare(other)]
        const counts = new Counts()
        counts.add(termsOf(a))
        counts.add(termsOf(b))
        const whole = score(a, b, counts, table)
        expect(score(a, b, counts, table, least)).toBe(whole < least ? 0 : whole)
      }),
      { numRuns: 1_000 },
    )
  })

  test("counts in that an employer's features are dropped where it brings two persons together", () => {
    const of = (more: object) => prepare({ name: "Shakelton W", website: "sonne.de", ...more })
    const [a, b] = [of({}), of({ name: "Bill Shakelton", company: "Mond" })]
    const counts = new Counts()
    for (const one of [a, b]) counts.add(termsOf(one))
    const table = Float64Array.from(FEATURES, (name) => (name === "web.site" ? -1 : 0))
    expect(score(a, b, counts, table, 0.5)).toBe(score(a, b, counts, table))
  })
})

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
