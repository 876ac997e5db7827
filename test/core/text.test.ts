import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { closest, excerpt, fold, isStorable, phoneKey } from "../../src/text/text.ts"

describe("fold", () => {
  const same: [string, string][] = [
    ["Berlin", "BERLIN"],
    ["ÄÖÜ", "äöü"],
    ["e\u0301", "\u00c9"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟΣ", "οδοσ"],
    ["STRAẞE", "straße"],
    ["ЖЁЛТЫЙ", "жёлтый"],
    ["ԵՐԵՒԱՆ", "երեւան"],
    ["𐐀", "𐐨"],
    ["\u1112\u1161\u11ab", "\ud55c"],
    ["\u212b", "å"],
  ]
  test.each(same)("%s and %s are the same", (a, b) => expect(fold(a)).toBe(fold(b)))

  const different: [string, string][] = [
    ["a", "ä"],
    ["ı", "i"],
    ["ガ", "カ"],
    ["１", "1"],
    ["🚀", "🚁"],
  ]
  test.each(different)("%s and %s are not", (a, b) => expect(fold(a)).not.toBe(fold(b)))

  test("of a folded text is the text, and keeps the start of every text its start", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme-ascii" }), (text, more) => {
        expect(fold(fold(text))).toBe(fold(text))
        expect(fold(text + more)).toBe(fold(text) + fold(more))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("phoneKey", () => {
  const cases: [string, string | undefined][] = [
    ["+49 (30) 12-34", "49301234"],
    ["0049 30 1234", "49301234"],
    ["030/12.34", "0301234"],
    ["1-800-FLOWERS", "1800flowers"],
    ["+", undefined],
    ["00", undefined],
    ["", undefined],
    ["ext. 5", "ext5"],
    ["\u200e+49\u00a030", "4930"],
  ]
  test.each(cases)("of %j is %p", (phone, key) => expect(phoneKey(phone)).toBe(key))
})

test("isStorable refuses NUL and halves of characters alone", () => {
  for (const text of ["", "a", "🚀", "\ufffd", "\u{10ffff}", "\u0001"]) expect(isStorable(text)).toBe(true)
  for (const text of ["\0", "a\0b", "\ud83d", "\ude80", "\ude80\ud83d", "a\ud83d"])
    expect(isStorable(text)).toBe(false)
})

test("excerpt keeps what is short, cuts what is long, and never halves a character", () => {
  expect(excerpt("abc", 3)).toBe("abc")
  expect(excerpt("abcd", 3)).toBe("ab…")
  expect(excerpt("a🚀bc", 3).isWellFormed()).toBe(true)
  expect(excerpt("x".repeat(100))).toHaveLength(60)
})

describe("closest", () => {
  const names = ["email", "city", "source_id", "review_count"]
  const cases: [string, string | undefined][] = [
    ["emall", "email"],
    ["Email", "email"],
    ["citys", "city"],
    ["sourceid", "source_id"],
    ["reviews_count", "review_count"],
    ["revue_count", "review_count"],
    ["zip", undefined],
    ["", undefined],
    ["x", undefined],
  ]
  test.each(cases)("to %j is %p", (name, expected) => expect(closest(name, names)).toBe(expected))
})
