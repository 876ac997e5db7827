// A second, plain implementation of the scoring language, written from its description: it shares nothing with
// src/expression, walks its own tree, and prints that tree as text for the first one to read.

import type { ScoreInput } from "../../src/expression/index.ts"
import type { AttributeValue } from "../../src/lead/lead.ts"
import { fieldsOfKind } from "../../src/lead/lead-fields.ts"

export type Expr =
  | { type: "number"; value: number }
  | { type: "text"; value: string; mark: '"' | "'" }
  | { type: "field"; name: string }
  | { type: "attribute"; name: string }
  | { type: "unary"; operator: string; operand: Expr }
  | { type: "binary"; operator: string; left: Expr; right: Expr }
  | { type: "choice"; condition: Expr; yes: Expr; no: Expr }
  | { type: "call"; name: string; args: Expr[] }
  | { type: "group"; inner: Expr }

type Value = AttributeValue | undefined

const PRECEDENCE: Record<string, number> = {
  ...{ "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 5, "<=": 5, ">": 5, ">=": 5 },
  ...{ "+": 6, "-": 6, "*": 7, "/": 7, "%": 7 },
}

function precedence(expr: Expr): number {
  if (expr.type === "choice") return 1
  if (expr.type === "binary") return PRECEDENCE[expr.operator]!
  return expr.type === "unary" ? 8 : 9
}

/** The expression as text, with only the parentheses that C needs and those of groups. */
export function print(expr: Expr): string {
  const at = (child: Expr, least: number) => (precedence(child) < least ? `(${print(child)})` : print(child))
  switch (expr.type) {
    case "number":
      return String(expr.value)
    case "text":
      return (
        expr.mark + expr.value.replaceAll("\\", "\\\\").replaceAll(expr.mark, `\\${expr.mark}`) + expr.mark
      )
    case "field":
      return expr.name
    case "attribute":
      return `attr_${expr.name}`
    case "unary":
      return expr.operator + at(expr.operand, 8)
    case "binary": {
      const own = precedence(expr)
      return `${at(expr.left, own)} ${expr.operator} ${at(expr.right, own + 1)}`
    }
    case "choice":
      return `${at(expr.condition, 2)} ? ${print(expr.yes)} : ${print(expr.no)}`
    case "call":
      return `${expr.name}(${expr.args.map(print).join(", ")})`
    case "group":
      return `(${print(expr.inner)})`
  }
}

/** What the expression is worth for a lead, as a number. */
export function interpret(expr: Expr, lead: ScoreInput, now: number): number {
  return toNumber(evaluate(expr, lead, now)) + 0
}

function evaluate(expr: Expr, lead: ScoreInput, now: number): Value {
  const value = (inner: Expr) => evaluate(inner, lead, now)
  switch (expr.type) {
    case "number":
    case "text":
      return expr.value
    case "field":
      return readField(lead, expr.name)
    case "attribute":
      return lead.attributes?.findLast(({ name }) => name === expr.name)?.value ?? undefined
    case "unary":
      return expr.operator === "-" ? -toNumber(value(expr.operand)) : !isTrue(value(expr.operand))
    case "binary":
      return binary(expr.operator, value(expr.left), value(expr.right))
    case "choice":
      return isTrue(value(expr.condition)) ? value(expr.yes) : value(expr.no)
    case "call":
      return call(expr.name, expr.args.map(value), now)
    case "group":
      return value(expr.inner)
  }
}

const NUMBERS: ReadonlySet<string> = new Set(fieldsOfKind("number", "integer", "time", "moment"))

function readField(lead: ScoreInput, name: string): Value {
  const missing = name === "tags" ? [] : NUMBERS.has(name) ? 0 : ""
  return new Map(Object.entries(lead) as [string, Value][]).get(name) ?? missing
}

function binary(operator: string, a: Value, b: Value): Value {
  if (operator === "==") return same(a, b)
  if (operator === "!=") return !same(a, b)
  if (operator === "&&") return isTrue(a) && isTrue(b)
  if (operator === "||") return isTrue(a) || isTrue(b)
  const [x, y] = [toNumber(a), toNumber(b)]
  if (operator === "<") return x < y
  if (operator === "<=") return x <= y
  if (operator === ">") return x > y
  if (operator === ">=") return x >= y
  if (operator === "+") return finite(x + y)
  if (operator === "-") return finite(x - y)
  if (operator === "*") return finite(x * y)
  return y === 0 ? 0 : finite(operator === "/" ? x / y : x % y)
}

function call(name: string, args: Value[], now: number): Value {
  const [first, second] = args
  const numbers = args.map(toNumber)
  const x = numbers[0]!
  if (name === "min") return Math.min(...numbers)
  if (name === "max") return Math.max(...numbers)
  if (name === "abs") return x < 0 ? -x : x
  if (name === "round") return Math.round(x)
  if (name === "floor") return Math.floor(x)
  if (name === "ceil") return Math.ceil(x)
  if (name === "log") return x > 0 ? Math.log(x) : 0
  if (name === "sqrt") return x > 0 ? Math.sqrt(x) : 0
  if (name === "days_since") return x === 0 ? 0 : finite((now - x) / 86_400)
  if (name === "len") return length(first)
  const part = lower(toText(second))
  if (part === "") return false
  if (Array.isArray(first)) return first.some((item) => lower(item) === part)
  return name === "contains" && lower(toText(first)).includes(part)
}

function same(a: Value, b: Value): boolean {
  if (typeof a === "string" || typeof b === "string") {
    const [x, y] = [a ?? "", b ?? ""]
    if (typeof x === "string" && typeof y === "string") return x === y
    if (typeof x === "object" || typeof y === "object") return false
  }
  return toNumber(a) === toNumber(b)
}

function toNumber(value: Value): number {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return value ? 1 : 0
  if (Array.isArray(value)) return value.length
  if (typeof value !== "string") return 0
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value) ? finite(Number.parseFloat(value)) : 0
}

function isTrue(value: Value): boolean {
  if (typeof value === "string" || typeof value === "object") return length(value) > 0
  return toNumber(value) !== 0
}

function length(value: Value): number {
  if (typeof value === "string") return [...value].length
  return typeof value === "object" ? Object.keys(value).length : 0
}

function toText(value: Value): string {
  if (typeof value === "string") return value
  return value === undefined || typeof value === "object" ? "" : String(toNumber(value))
}

function lower(text: string): string {
  return text.normalize("NFC").toLowerCase()
}

function finite(number: number): number {
  return Number.isFinite(number) ? number : 0
}
