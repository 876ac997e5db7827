import { describe, expect, test } from "bun:test"
import { checkExpression } from "../../src/expression/index.ts"

const FUNCTION_NAMES = "min, max, abs, round, floor, ceil, log, sqrt, contains, has, len, days_since, attr"

function table(name: string, cases: [text: string, position: number, message: string][]): void {
  describe(name, () => {
    test.each(cases)("%p is refused at %p: %s", (text, position, message) => {
      expect(checkExpression(text)).toEqual({ ok: false, error: { message, position } })
    })
  })
}

table("missing values", [
  ["", 1, "the expression is empty"],
  [" \n\t", 1, "the expression is empty"],
  ["rating *", 9, 'expected a value after "*" at 9'],
  ["rating *  ", 9, 'expected a value after "*" at 9'],
  ["* 2", 1, 'expected a value at 1, got "*"'],
  ["rating * / 2", 10, 'expected a value after "*" at 10, got "/"'],
  ["1 ++ 2", 4, 'expected a value after "+" at 4, got "+"'],
  ["2 ** 3", 4, 'expected a value after "*" at 4, got "*"'],
  ["1 !=", 5, 'expected a value after "!=" at 5'],
  ["-", 2, 'expected a value after "-" at 2'],
  ["!", 2, 'expected a value after "!" at 2'],
  ["()", 2, 'expected a value after "(" at 2, got ")"'],
  ["(", 2, 'expected a value after "(" at 2'],
  ["1 ?", 4, 'expected a value after "?" at 4'],
  ["1 ? : 3", 5, 'expected a value after "?" at 5, got ":"'],
  ["1 ? 2 :", 8, 'expected a value after ":" at 8'],
  ["min(1,)", 7, 'expected a value after "," at 7, got ")"'],
  ["min(,1)", 5, 'expected a value after "(" at 5, got ","'],
  ["rating && || 1", 11, 'expected a value after "&&" at 11, got "||"'],
  ["// note", 1, 'expected a value at 1, got "/"'],
])

table("parentheses, colons and commas", [
  ["(1", 1, 'expected ")" to close the "(" at 1'],
  ["2 * (rating + 1", 5, 'expected ")" to close the "(" at 5'],
  ["((1)", 1, 'expected ")" to close the "(" at 1'],
  ["min(1, 2", 4, 'expected ")" to close the "(" at 4'],
  ["min(1:2)", 4, 'expected ")" to close the "(" at 4'],
  ["(1, 2)", 1, 'expected ")" to close the "(" at 1'],
  ["1)", 2, 'unexpected ")" at 2: no "(" is open'],
  ["min(1, 2))", 10, 'unexpected ")" at 10: no "(" is open'],
  ["1 : 2", 3, 'unexpected ":" at 3: no "?" stands before it'],
  ["1 ? 2 : 3 : 4", 11, 'unexpected ":" at 11: no "?" stands before it'],
  ["1 ? 2", 3, 'expected ":" to go with the "?" at 3'],
  ["(1 ? 2)", 4, 'expected ":" to go with the "?" at 4'],
  ["1, 2", 2, 'unexpected "," at 2: commas only separate the arguments of a function'],
])

table("missing operators", [
  ["1 2", 3, 'expected an operator before "2" at 3'],
  ["rating name", 8, 'expected an operator before "name" at 8'],
  ["(1 2)", 4, 'expected an operator before "2" at 4'],
  ["min(1 2)", 7, 'expected an operator before "2" at 7'],
  ["has(tags 'x')", 10, "expected an operator before 'x' at 10"],
  ["1 ? 2 3 : 4", 7, 'expected an operator before "3" at 7'],
  ["rating (", 9, 'expected a value after "(" at 9'],
  ["1 '\ud800'", 3, "expected an operator before '\ufffd' at 3"],
  ["5 (1)", 3, 'expected an operator before "(" at 3'],
  ["5 !1", 3, 'expected an operator before "!" at 3'],
  ["rating and 1", 8, 'expected an operator before "and" at 8; for "and" write "&&"'],
  ["rating OR 1", 8, 'expected an operator before "OR" at 8; for "OR" write "||"'],
  ["not rating", 5, 'expected an operator before "rating" at 5; for "not" write "!"'],
])

table("operators that do not exist", [
  ["rating = 4", 8, 'a single "=" at 8: use "==" to compare'],
  ["a = b = c", 3, 'a single "=" at 3: use "==" to compare'],
  ["rating += 1", 9, 'a single "=" at 9: use "==" to compare'],
  ["rating === 4", 8, '"===" at 8: use "==" to compare'],
  ["rating !== 4", 8, '"!==" at 8: use "!=" to compare'],
  ["rating => 4", 8, '"=>" at 8: use ">="'],
  ["rating =< 4", 8, '"=<" at 8: use "<="'],
  ["rating <> 4", 8, '"<>" at 8: use "!="'],
  ["rating & 1", 8, 'a single "&" at 8: use "&&" for and'],
  ["rating | 1", 8, 'a single "|" at 8: use "||" for or'],
  ["rating && 1 &&& 1", 15, 'a single "&" at 15: use "&&" for and'],
  ["rating ^ 2", 8, 'unexpected character "^" at 8'],
  ["rating; 1", 7, 'unexpected character ";" at 7'],
  ["tags[0]", 5, 'unexpected character "[" at 5'],
  ["attr_company.city", 13, 'unexpected character "." at 13'],
  ["rating ≥ 4", 8, 'unexpected character "≥" at 8'],
  ["😀 + 1", 1, 'unexpected character "😀" at 1'],
  ["1 + \0", 5, "unexpected character U+0000 at 5"],
  ["1 + \ud800", 5, "unexpected character U+D800 at 5"],
  ["“x” == name", 1, `unexpected character "“" at 1; texts are written in " or '`],
  ["`x` == name", 1, `unexpected character "\`" at 1; texts are written in " or '`],
])

table("numbers and texts", [
  ["1.2.3", 1, '"1.2.3" is not a number at 1'],
  ["1 + 3abc", 5, '"3abc" is not a number at 5'],
  ["1e", 1, '"1e" is not a number at 1'],
  ["0x10", 1, '"0x10" is not a number at 1'],
  ["1_000", 1, '"1_000" is not a number at 1'],
  ["2 * 1e999", 5, "too large a number at 5"],
  ["name == 'abc", 9, "no closing ' for the text that starts at 9"],
  ["name == \"abc'", 9, 'no closing " for the text that starts at 9'],
  ['"abc\\"', 1, 'no closing " for the text that starts at 1'],
])

table("unknown names", [
  ["ratng", 1, 'unknown field "ratng" at 1; did you mean rating?'],
  ["1 + Rating", 5, 'unknown field "Rating" at 5; did you mean rating?'],
  ["review_cnt > 3", 1, 'unknown field "review_cnt" at 1; did you mean review_count?'],
  ["budget", 1, 'unknown field "budget" at 1; write attr_budget for a custom attribute'],
  ["'😀😀' == nam", 9, 'unknown field "nam" at 9; did you mean name?'],
  ["rating\n+ foo", 10, 'unknown field "foo" at 10; write attr_foo for a custom attribute'],
  ["score * 2", 1, '"score" at 1 cannot be used: a rule on the score would be circular'],
  ["1 + id", 5, '"id" at 5 cannot be used: it says nothing about a lead'],
  ["attr_", 1, 'expected the name of an attribute behind "attr_" at 1, as in attr_budget'],
  ["attr_yes == true", 13, 'unknown field "true" at 13; write 1 for true'],
  ["attr_yes == False", 13, 'unknown field "False" at 13; write 0 for false'],
  ["rating == None", 11, 'unknown field "None" at 11; write null for an empty value'],
  ["rating == undefined", 11, 'unknown field "undefined" at 11; write null for an empty value'],
  ["attr(city)", 6, 'attr takes the name of an attribute in quotes at 6, as in attr("Team size")'],
  ['attr("a", "b")', 6, 'attr takes the name of an attribute in quotes at 6, as in attr("Team size")'],
  ['attr(" ")', 6, 'attr takes the name of an attribute in quotes at 6, as in attr("Team size")'],
  ["attr()", 1, 'attr takes the name of an attribute in quotes at 1, as in attr("Team size")'],
  ["attr + 1", 1, 'expected "(" after the function "attr" at 1'],
  ["min", 1, 'expected "(" after the function "min" at 1'],
  ["foo(1)", 1, `unknown function "foo" at 1; available: ${FUNCTION_NAMES}`],
  ["rating(1)", 1, `unknown function "rating" at 1; available: ${FUNCTION_NAMES}`],
  ["1 + flor(1)", 5, 'unknown function "flor" at 5; did you mean floor?'],
  ["Min(1)", 1, 'unknown function "Min" at 1; did you mean min?'],
])

table("calls", [
  ["contains(name)", 1, "contains takes 2 arguments, got 1 at 1"],
  ["1 + has(tags, 1, 2)", 5, "has takes 2 arguments, got 3 at 5"],
  ["abs(1, 2)", 1, "abs takes 1 argument, got 2 at 1"],
  ["min()", 1, "min takes at least 1 argument, got 0 at 1"],
  [
    "has(name, 'x')",
    5,
    "has cannot take a text at 5: it looks into a list; use contains(text, part) for text",
  ],
  ["len(rating)", 5, "len cannot take a number at 5: it counts a text, a list or an object"],
  [
    "days_since(name)",
    12,
    "days_since cannot take a text at 12: it takes a time in Unix seconds, such as created_at",
  ],
])

describe("limits", () => {
  const deep = (open: string, inner: string, close: string, n: number) =>
    open.repeat(n) + inner + close.repeat(n)

  test("takes 4,000 characters, counting code points", () => {
    expect(checkExpression(`"${"😀".repeat(3_998)}"`).ok).toBe(true)
    const error = { message: "text longer than 4,000 characters", position: 4_001 }
    expect(checkExpression(`"${"😀".repeat(3_999)}"`)).toEqual({ ok: false, error })
    expect(checkExpression("1".repeat(1_000_000))).toEqual({ ok: false, error })
  })

  test.each([
    ["(", ")"],
    ["-", ""],
    ["!", ""],
    ["min(", ")"],
    ["1 ? ", " : 2"],
  ])("takes 64 levels of %p", (open, close) => {
    expect(checkExpression(deep(open, "1", close, 64)).ok).toBe(true)
    const result = checkExpression(deep(open, "1", close, 65))
    expect(result.ok ? "" : result.error.message).toStartWith("nested more than 64 levels deep at ")
  })

  test("points to the level that is too deep", () => {
    const error = { message: "nested more than 64 levels deep at 65", position: 65 }
    expect(checkExpression("(".repeat(4_000))).toEqual({ ok: false, error })
  })
})
