import { describe, expect, test } from "bun:test"
import { Index, matchAll } from "../../scripts/matching/match-all.ts"
import { keysOf, type MatchableLead, prepare } from "../../src/matching/matcher/index.ts"

const cafe: MatchableLead = {
  name: "Café Zentralbad",
  address: "Ringstr. 4",
  city: "Wien",
  phone: "01 5551234",
  country: "AT",
  postal_code: "1010",
}

describe("leads are compared when they share", () => {
  test.each<[string, MatchableLead, MatchableLead]>([
    ["a phone", cafe, { name: "Other", phone: "+43 1 5551234" }],
    ["a rare word", cafe, { name: "Zentralbad Betriebs GmbH" }],
    ["house number and street", cafe, { name: "Other", address: "4 Ringstraße" }],
    ["a website", { name: "A", website: "x-y.at/a" }, { name: "B", website: "https://www.x-y.at" }],
    [
      "an attribute",
      { name: "A", attributes: [{ name: "vat", value: "ATU12345678" }] },
      {
        name: "B",
        attributes: [{ name: "vat", value: "atu 12345678" }].map((one) => ({ ...one, value: "ATU12345678" })),
      },
    ],
    [
      "the beginning of an email address, however the rest is misspelt",
      { name: "A", email: "gdavidron@johnson-bsown.com" },
      { name: "B", email: "gdavidson@johnson-brown.com" },
    ],
    [
      "a city and a year of birth, each with half of the name",
      { name: "Dylan", city: "Leeds", attributes: [{ name: "dob", value: "1990-09-28" }] },
      { name: "Roberts", city: "Leeds", attributes: [{ name: "dob", value: "1990-10-26" }] },
    ],
    [
      "a word near by",
      { name: "Kiosk Uhu", latitude: 48.20001, longitude: 16.36999 },
      { name: "Uhu Kiosk", latitude: 48.1999, longitude: 16.3701 },
    ],
  ])("%s", (_, a, b) => {
    const index = new Index()
    index.add(a)
    index.add(b)
    expect(index.candidates(1)).toEqual([0])
    expect(index.candidates(0)).toEqual([1])
  })
})

test("a lead has few keys, whatever it holds", () => {
  const words = Array.from({ length: 200 }, (_, i) => `word${i}`).join(" ")
  const attributes = Array.from({ length: 200 }, (_, i) => ({ name: `a${i}`, value: `value ${i}` }))
  const full = {
    ...cafe,
    name: words,
    company: words,
    email: "someone@firma.at",
    website: "firma.at",
    latitude: 1,
    longitude: 1,
    attributes,
  }
  expect(keysOf(prepare(full)).length).toBeLessThan(25)
})

test("keys come from the lead alone and are signed 32-bit integers", () => {
  const keys = keysOf(prepare(cafe))
  expect(keysOf(prepare({ ...cafe }))).toEqual(keys)
  expect(keys.every((key) => key === (key | 0))).toBe(true)
})

test("what thousands share brings nobody together", () => {
  const index = new Index()
  for (let i = 0; i < 200; i++) index.add({ name: `Starbucks ${i}`, phone: "512 555 0100", country: "US" })
  expect(index.candidates(0).length).toBeLessThanOrEqual(30)
})

test("a word that many have brings firms together where they share something else, and persons alone", () => {
  const index = new Index()
  for (let i = 0; i < 50; i++) index.add({ name: `Sonnenhof N${i} GmbH`, city: `Town ${i}` })
  const alone = index.add({ name: "Sonnenhof Zehe GmbH", city: "Kiel" })
  expect(index.candidates(alone)).toEqual([])
  const other = index.add({ name: "Sonnenhof Berg GmbH", city: "Kiel" })
  expect(index.candidates(alone)).toEqual([other])
  const person = index.add({ name: "Zehe", attributes: [{ name: "dob", value: "1990-09-28" }] })
  for (let i = 0; i < 40; i++)
    index.add({ name: `Zehe ${i}`, attributes: [{ name: "dob", value: `19${10 + i}-01-01` }] })
  expect(index.candidates(person).length).toBeGreaterThan(20)
})

test("all pairs of a list, the most probable first", () => {
  const leads = [cafe, { name: "Autohaus Brumm", city: "Graz" }, { ...cafe, name: "Cafe Zentralbad e.U." }]
  expect(matchAll(leads).map(({ a, b }) => [a, b])).toEqual([[0, 2]])
})
