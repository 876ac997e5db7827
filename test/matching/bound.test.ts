import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { Counts, Index } from "../../scripts/matching/match-all.ts"
import { readSets } from "../../scripts/matching/sets.ts"
import { features } from "../../src/matching/compare/features.ts"
import {
  boundOfPairs,
  FEATURES,
  type MatchableLead,
  prepare,
  rowOf,
  SHIPPED,
  termsOf,
} from "../../src/matching/matcher/index.ts"
import { bitsSum } from "../../src/matching/weights.ts"

const or = <T>(...values: T[]) => fc.constantFrom<(T | null)[]>(null, ...values)
const letters = (...all: string[]) => fc.string({ unit: fc.constantFrom(...all), minLength: 1, maxLength: 9 })

/** Texts that agree, nearly agree, contain each other or are run together, besides any others. */
const lead = fc.record({
  name: fc.oneof(
    fc.constantFrom(
      "Bäckerei Sonne GmbH",
      "Baeckerei Sone",
      "Sonne 2 Berlin",
      "Bill Shakelton",
      "Shakelton W",
      "De Paul",
      "Depaul Klinik",
      "ATM",
      "B M W",
      "bmw Autohaus",
      "Toast Box at Suntec City",
      "Toastbox",
      "Suntec City",
      "Library of Suntec City",
      "Sonne AG",
      "Apotheke Sonne",
      "Sonne Pharmacy",
      "商店街",
    ),
    fc.array(letters("a", "b", "n", "s"), { minLength: 1, maxLength: 10 }).map((words) => words.join(" ")),
  ),
  company: or("Sonne AG", "Mond", "Bäckerei Sonne", "Toast Box", "Bill Shakelton", "Suntec City"),
  phone: or(
    "+49 30 4455667",
    "030 4455668",
    "030 1234567",
    "4455667",
    "0800 1234567",
    "030 4455676",
    "030 445566712",
    "030 44556671234",
    "030 4455667-0",
  ),
  country: or("DE", "AT"),
  email: fc.oneof(
    or("a.sonne@sonne.de", "asonne@sonne.de", "info@mond.de", "bill.shakelton@gmail.com", "sonne@gmail.com"),
    fc.tuple(letters("a", "b", "c"), letters("x", "y")).map(([local, domain]) => `${local}@${domain}.de`),
  ),
  website: or("sonne.de/berlin", "sonne.de", "mond.de", "facebook.com/sonne", "sonne.de/filiale/1234"),
  linkedin_url: or("linkedin.com/in/bill", "linkedin.com/in/wil"),
  address: fc.oneof(
    or("Hauptstr. 12", "Hauptstraße 14", "12a Haupt Straße", "Ring 12-14, Suite 4", "12 Ring", "Ringweg"),
    fc.tuple(letters("a", "b", "c"), fc.nat(130)).map(([street, house]) => `${street} ${house}`),
  ),
  city: or("Berlin", "Köpenick", "Hamburg", "Berlin Mitte", "Berlyn", "Hauptstr. 12"),
  state: or("BE", "HH", "Berlin"),
  postal_code: or("10115", "10116", "20095", "1011", "10151", "EC1A 1BB", "EC1A1BA"),
  latitude: or(52.52, 52.5201, 52.52027, 53.55),
  longitude: or(13.4, 13.4004, 10),
  category: or("Bakery", "Bank", "Bakery and Bank"),
  job_title: or("Owner", "Chief Owner"),
  source: or("maps", "fair"),
  source_id: or("1", "2"),
  attributes: fc.array(
    fc.record({
      name: fc.constantFrom("dob", "vat", "size", "since"),
      value: fc.constantFrom("1990-09-28", "1990-09-29", "28.09.1990", "ATU12345678", "ATU12345679", "large"),
    }),
    { maxLength: 8 },
  ),
}) as unknown as fc.Arbitrary<MatchableLead>

const weights = fc.oneof(
  fc.constant(SHIPPED),
  fc
    .array(fc.double({ min: -8, max: 8, noNaN: true }), {
      minLength: FEATURES.length,
      maxLength: FEATURES.length,
    })
    .map((all) => Float64Array.from(all)),
)

describe("the bound on a pair's bits", () => {
  test("is never below them, whatever the leads, the weights and how common words are", () => {
    fc.assert(
      fc.property(lead, lead, weights, fc.nat(50_000), (one, other, table, leads) => {
        const [a, b] = [prepare(one), prepare(other)]
        const counts = new Counts()
        counts.leads = leads
        for (const prepared of [a, b]) counts.add(termsOf(prepared))
        const bits = bitsSum(features(a, b, counts, new Float64Array(FEATURES.length)), table)
        const bound = boundOfPairs(table)
        bound.from(rowOf(a), counts)
        expect(bound.mayReach(rowOf(b), bits)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  const sets = readSets()
  test.skipIf(sets.length === 0)("is never below them for pairs of labelled leads", () => {
    for (const { records } of sets) {
      const index = new Index()
      for (const { lead } of records.slice(0, 600)) index.add(lead)
      const rows = index.prepared.map(rowOf)
      const bound = boundOfPairs(SHIPPED)
      const out = new Float64Array(FEATURES.length)
      let below = 0
      for (const [a, b] of index.pairs()) {
        const bits = bitsSum(features(index.prepared[a]!, index.prepared[b]!, index.counts, out), SHIPPED)
        bound.from(rows[a]!, index.counts)
        if (!bound.mayReach(rows[b]!, bits)) below++
      }
      expect(below).toBe(0)
    }
  })
})

test("most leads that share a word alone cannot be the same by their rows", () => {
  const index = new Index()
  const words = ["Optik", "Verlag", "Reisen", "Pumpen", "Kräuter", "Hufschmied", "Zwetschge", "Jalousien"]
  for (const [i, word] of words.entries())
    index.add({
      name: `Zentralbad ${word}`,
      city: ["Wien", "Graz", "Linz", "Steyr"][i % 4]!,
      phone: `0${1 + (i % 4)} ${5_000_000 + i * 131_071}`,
      country: "AT",
    })
  const rows = index.prepared.map(rowOf)
  const bound = boundOfPairs(SHIPPED)
  const pairs = [...index.pairs()]
  const passed = pairs.filter(([a, b]) => {
    bound.from(rows[a]!, index.counts)
    return bound.mayReach(rows[b]!, -1.6)
  })
  expect(pairs.length).toBe(28)
  expect(passed.length).toBeLessThan(pairs.length / 2)
})
