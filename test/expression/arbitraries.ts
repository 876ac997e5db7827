import fc from "fast-check"
import {
  FIELD_KINDS,
  type FieldKind,
  type ScoreAttribute,
  type ScoreInput,
} from "../../src/expression/index.ts"
import type { AttributeValue } from "../../src/lead/lead.ts"
import type { Expr } from "./interpreter.ts"

const ATTRIBUTES = ["a", "b", "größe", "__proto__", "constructor", "2"]
const SOME_TEXTS = [
  "",
  "0",
  "12",
  " 3.5 ",
  "-1e2",
  "+4",
  ".5",
  "5.",
  "0x10",
  "Infinity",
  "1e999",
  "VIP",
  "vip",
  "É",
]

/** Any UTF-16 units, lone surrogates too; fast-check's own Unicode strings take half a second to set up. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ min: 32, max: 126 }), fc.nat({ max: 0xffff }))
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units))
}

const text = fc.oneof(fc.constantFrom(...SOME_TEXTS), anyText(6))
const number = fc.oneof(
  fc.integer({ min: -10, max: 10 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.5, 1e308, -1e308, 1e-320, 1_763_000_000),
)
const list = fc.array(text, { maxLength: 4 })
const object = fc.dictionary(fc.string(), fc.oneof(text, number), { maxKeys: 3 })
const attributeValue: fc.Arbitrary<AttributeValue> = fc.oneof(text, number, fc.boolean(), list, object)

function fieldValue(kind: FieldKind): fc.Arbitrary<string | number | string[]> {
  if (kind === "text") return text
  return kind === "list" ? list : number
}

/** Any lead that could be stored, and some that could not. */
export const lead: fc.Arbitrary<ScoreInput> = fc.record(
  {
    ...Object.fromEntries(Array.from(FIELD_KINDS, ([name, kind]) => [name, fc.option(fieldValue(kind))])),
    attributes: fc.array(
      fc.record<ScoreAttribute>({ name: fc.constantFrom(...ATTRIBUTES), value: fc.option(attributeValue) }),
      { maxLength: 8 },
    ),
  },
  { requiredKeys: [] },
)

const fields = (...kinds: FieldKind[]) =>
  fc
    .constantFrom(...Array.from(FIELD_KINDS).flatMap(([name, kind]) => (kinds.includes(kind) ? [name] : [])))
    .map((name): Expr => ({ type: "field", name }))
const attribute = fc.constantFrom(...ATTRIBUTES).map((name): Expr => ({ type: "attribute", name }))
const literal = fc
  .record({ value: text, mark: fc.constantFrom('"' as const, "'" as const) })
  .map((parts): Expr => ({ type: "text", ...parts }))
const positive = number.map((value): Expr => ({ type: "number", value: Math.abs(value) }))
const leaf = fc.oneof(positive, fields("number", "time"), fields("text"), fields("list"), attribute, literal)

const call = (name: string, ...args: fc.Arbitrary<Expr>[]) =>
  fc.tuple(...args).map((args): Expr => ({ type: "call", name, args }))

/** Any expression of the language, as a tree. */
export const expression: fc.Arbitrary<Expr> = fc.letrec<{ expr: Expr }>((tie) => {
  const expr = tie("expr")
  const binary = fc
    .record({
      operator: fc.constantFrom("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "==", "!=", "&&", "||"),
      left: expr,
      right: expr,
    })
    .map((parts): Expr => ({ type: "binary", ...parts }))
  const unary = fc
    .record({ operator: fc.constantFrom("-", "!"), operand: expr })
    .map((parts): Expr => ({ type: "unary", ...parts }))
  const choice = fc
    .record({ condition: expr, yes: expr, no: expr })
    .map((parts): Expr => ({ type: "choice", ...parts }))
  const group = expr.map((inner): Expr => ({ type: "group", inner }))
  const calls = fc.oneof(
    ...["abs", "round", "floor", "ceil", "log", "sqrt"].map((name) => call(name, expr)),
    ...["min", "max"].flatMap((name) => [call(name, expr), call(name, expr, expr, expr)]),
    call("contains", expr, expr),
    call("has", fc.oneof(fields("list"), attribute), expr),
    call("len", fc.oneof(fields("list", "text"), attribute, literal)),
    call("days_since", fc.oneof(fields("time"), attribute, positive)),
  )
  return {
    expr: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      binary,
      binary,
      choice,
      calls,
      unary,
      group,
    ),
  }
}).expr

const SOUP = [
  ..."+ - * / % > >= < <= == != && || ! ? : ( ) , = & | . ; \\ \" ' 'a' \"b\" 0 1 2.5 1e3 1e999".split(" "),
  ..."rating name tags created_at score id attr_a attr_ true and min( max( has( len( contains( days_since(".split(
    " ",
  ),
]

/** Words of the language in any order. */
export const soup = fc
  .tuple(fc.array(fc.constantFrom(...SOUP), { maxLength: 40 }), fc.constantFrom("", " "))
  .map(([words, between]) => words.join(between))
