import { describe, expect, test } from "bun:test"
import { comparableWords, foldLetters, soundOf } from "../../src/matching/fold.ts"

describe("words of a text", () => {
  test.each<[string, string[]]>([
    ["Café MÜLLER", ["cafe", "muller"]],
    ["Arby's", ["arbys"]],
    ["B & B Hotel", ["bb", "hotel"]],
    ["T.J. Maxx", ["tj", "maxx"]],
    ["Łódź Ørsted Straße", ["lodz", "orsted", "strasse"]],
    ["Газпром", ["gazprom"]],
    ["Παπαδόπουλος", ["papadopoulos"]],
    ["ＡＢＣ　商店街", ["abc", "商店", "店街"]],
    ["ガス 가나다", ["ガス", "가나", "나다"]],
    ["ร้านกาแฟ", comparableWords("ร้านกาแฟ")],
    ["", []],
  ])("%s", (text, words) => {
    expect(comparableWords(text)).toEqual(words)
  })

  test("a script written without spaces is cut in pairs of characters", () => {
    expect(comparableWords("株式会社")).toEqual(["株式", "式会", "会社"])
  })
})

test("width and case make no difference", () => {
  expect(foldLetters("ＬＥＡＤ")).toBe(foldLetters("lead"))
})

test.each([
  ["mueller", "muller"],
  ["katharina", "katarina"],
  ["philipp", "filip"],
  ["yuriy", "iurii"],
])("%s sounds like %s", (a, b) => {
  expect(soundOf(a)).toBe(soundOf(b))
})
