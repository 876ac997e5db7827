import { expect } from "bun:test"
import { phoneNumber } from "../../src/text/phone.ts"
import { RENUMBERINGS, renumbered } from "../../src/text/renumbered-phones.ts"
import { test } from "../support/app.ts"

/** The country that national forms belong to, the line's old forms, its form of today. */
const LINES: [country: string, old: string[], now: string][] = [
  [
    "MX",
    ["+52 1 55 4169 2837", "044 55 4169 2837", "045 55 4169 2837", "01 55 4169 2837"],
    "+52 55 4169 2837",
  ],
  ["BJ", ["+229 97 48 13 62", "97481362"], "+229 01 97 48 13 62"],
  ["BJ", ["+229 21 30 48 16"], "+229 01 21 30 48 16"],
  ["CI", ["+225 07 48 13 62"], "+225 07 07 48 13 62"],
  ["CI", ["+225 45 48 13 62"], "+225 05 45 48 13 62"],
  ["CI", ["+225 71 48 13 62"], "+225 01 71 48 13 62"],
  ["CI", ["+225 22 41 83 62"], "+225 27 22 41 83 62"],
  ["CI", ["+225 20 00 83 62"], "+225 25 20 00 83 62"],
  ["CI", ["+225 22 80 83 62"], "+225 21 22 80 83 62"],
  ["GA", ["+241 06 48 13 62", "06 48 13 62", "+241 6 48 13 62"], "+241 66 48 13 62"],
  ["GA", ["+241 01 76 13 62"], "+241 11 76 13 62"],
  ["GA", ["07 28 01 59"], "077 28 01 59"],
  ["CO", ["+57 1 742 8193", "(1) 742 8193"], "+57 601 742 8193"],
  ["CO", ["+57 4 448 8193"], "+57 604 448 8193"],
  ["NG", ["+234 1 463 0643", "01 463 0643"], "+234 201 463 0643"],
  ["NG", ["084 460643"], "0208 446 0643"],
  ["PH", ["+63 2 812 4937", "(02) 812 4937"], "+63 2 8812 4937"],
  ["BR", ["+55 11 8765 4921", "(11) 8765-4921"], "+55 11 98765-4921"],
  ["BR", ["(71) 9165-4921"], "(71) 99165-4921"],
  ["VN", ["+84 168 413 7295", "0168 413 7295"], "+84 38 413 7295"],
  ["VN", ["0121 413 7295"], "079 413 7295"],
  ["VN", ["+84 4 3841 7295", "04 3841 7295"], "+84 24 3841 7295"],
  ["VN", ["0511 384 7295"], "0236 384 7295"],
  ["UZ", ["+7 371 241 7295", "8 371 241 7295", "8 71 241 7295"], "+998 71 241 7295"],
  ["PF", ["+689 42 17 95"], "+689 40 42 17 95"],
  ["PF", ["+689 74 17 95"], "+689 87 74 17 95"],
  ["SX", ["+599 542 1795"], "+1 721 542 1795"],
  ["XK", ["+381 38 241 795", "038 241 795"], "+383 38 241 795"],
  ["XK", ["+377 44 241 795"], "+383 44 241 795"],
  ["XK", ["+386 49 241 795"], "+383 49 241 795"],
  ["CL", ["+56 2 341 7295"], "+56 2 2341 7295"],
  ["CM", ["+237 77 41 72 95"], "+237 6 77 41 72 95"],
  ["CM", ["+237 22 41 72 95"], "+237 2 22 41 72 95"],
  ["MU", ["+230 741 7295"], "+230 5741 7295"],
  ["QA", ["+974 441 7295"], "+974 4441 7295"],
  ["EG", ["010 417 2953"], "0100 417 2953"],
]
const PAIRS = LINES.flatMap(([country, old, now]) => old.map((one) => [country, one, now] as const))

test.for(PAIRS)("a lead of %s with %s is the one with %s", async ([country, old, now], { call }) => {
  const { id } = (await call("POST", "/leads", { name: "Nova Trade", source: "s", country, phone: old })).body
  const push = { name: "Nova Trade", source: "t", country, phone: now }
  expect((await call("POST", "/leads", push)).body).toMatchObject({ id, duplicate: true })
})

test("a line that is next to the renamed one stays another", () => {
  for (const [country, old, now] of PAIRS) {
    const next = now.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    expect(phoneNumber(old, country, null)).not.toBe(phoneNumber(next, country, null))
  }
})

test("no two lines of one time have one number", () => {
  const seen = new Map<string, string>()
  const together: string[] = []
  for (const { code, from } of RENUMBERINGS)
    for (const national of examplesOf(from, 3)) {
      const now = renumbered(code, national)!
      // What Gabon and Mexico dial before the number is no part of it, nor what stands for Kosovo's country.
      const line = now.startsWith("+383") || /^\+(241|52|234|998)/.test(now) ? now : `${code} ${national}`
      if ((seen.get(now) ?? line) !== line) together.push(`${seen.get(now)} and ${line}`)
      seen.set(now, line)
    }
  expect(together).toEqual([])
})

test("a number of today is none that a rule changes", () => {
  for (const { code, from } of RENUMBERINGS)
    for (const national of examplesOf(from, 17)) {
      const now = renumbered(code, national)!
      expect([now, null]).toContain(phoneNumber(now, null, null))
    }
})

/** National numbers that a rule is for, of every beginning of four digits. */
function examplesOf(from: RegExp, step = 1): string[] {
  const found: string[] = []
  for (let start = 0; start < 10_000; start += step)
    for (const rest of ["61", "617", "6172", "61729", "617294", "6172948", "61729483", "617294835"]) {
      const national = String(start).padStart(4, "0") + rest
      if (from.test(national)) found.push(national)
    }
  return found
}

test.for([
  ["+55 11 8765 4921", "+55 11 98765 4921"],
  ["+55 11 98765 4921", "+55 11 8765 4921"],
  ["+52 1 55 4169 2837", "+52 55 4169 2837"],
])("the do-not-contact list with %s stops %s", async ([value, phone], { call }) => {
  expect((await call("POST", "/suppressions", { kind: "phone", value })).status).toBe(201)
  expect(await call("POST", "/leads", { name: "Nova Trade", source: "s", phone })).toMatchObject({
    status: 409,
  })
})
