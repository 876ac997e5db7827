import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { checkExpression, compileRules, evaluate } from "../../src/expression/index.ts"
import { anyText, expression, lead, soup } from "./arbitraries.ts"
import { interpret, print } from "./interpreter.ts"
import { checked, LEAD, NOW } from "./support.ts"

function takesOrRefuses(text: string): void {
  const result = checkExpression(text)
  if (result.ok) {
    expect(Number.isFinite(evaluate(result.expression, LEAD, NOW))).toBe(true)
    return
  }
  const { message, position } = result.error
  expect(message.isWellFormed()).toBe(true)
  expect(message.length).toBeLessThan(250)
  expect(position).toBeWithin(1, Math.min(text.length, 4_000) + 2)
}

describe("any text is taken or refused, without throwing", () => {
  test("of any characters", () => {
    fc.assert(fc.property(anyText(60), takesOrRefuses), { numRuns: 300 })
  })

  test("of words of the language", () => {
    fc.assert(fc.property(soup, takesOrRefuses), { numRuns: 2_000 })
  })

  test("of one word over and over", () => {
    const words = [
      "(",
      ")",
      "-",
      "!",
      "'",
      '"',
      "\\",
      "1",
      ".",
      "e",
      "1e",
      "a",
      "?",
      "1?",
      ":",
      "min(",
      "1,",
      " ",
    ]
    for (const word of [...words, "&&", "1+", "'\\", '"\\', "attr_a==", "é", "\ud83d"]) {
      takesOrRefuses(word.repeat(Math.floor(4_000 / word.length)))
    }
  })

  test("when a valid expression is damaged", () => {
    const damaged = fc.tuple(expression, fc.nat(), fc.nat({ max: 5 }), anyText(2))
    fc.assert(
      fc.property(damaged, ([expr, at, length, instead]) => {
        const text = print(expr)
        const start = at % (text.length + 1)
        takesOrRefuses(text.slice(0, start) + instead + text.slice(start + length))
      }),
      { numRuns: 300 },
    )
  })
})

describe("any expression on any lead", () => {
  const now = fc.constantFrom(NOW, 0)

  test("has the value that a plain interpreter gives", () => {
    fc.assert(
      fc.property(expression, lead, now, (expr, lead, now) => {
        expect(evaluate(checked(print(expr)), lead, now)).toBe(interpret(expr, lead, now))
      }),
      { numRuns: 2_500 },
    )
  })

  test("gives a finite explanation and a score from 0 to 100 that agree", () => {
    const weights = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.5, -0, 1e308, -1e308))
    const rules = fc.array(fc.tuple(expression, weights), { maxLength: 6 })
    fc.assert(
      fc.property(rules, fc.array(lead, { maxLength: 3 }), (rules, leads) => {
        const set = compileRules(
          rules.map(([expr, weight], i) => ({ id: `${i}`, name: "", expression: print(expr), weight })),
        )
        for (const lead of leads) {
          const explained = set.explain(lead, NOW)
          expect(explained.map(({ value }) => value)).toEqual(
            rules.map(([expr]) => interpret(expr, lead, NOW)),
          )
          expect(explained.every(({ contribution }) => Number.isFinite(contribution))).toBe(true)
          const sum = explained.reduce((sum, { contribution }) => sum + contribution, 0)
          expect(set.score(lead, NOW)).toBe(Math.min(100, Math.max(0, sum)))
        }
      }),
      { numRuns: 300 },
    )
  })
})
