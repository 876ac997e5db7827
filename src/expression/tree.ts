import { excerpt } from "../text/text.ts"
import { ExpressionRefusal } from "./refusal.ts"

/** One word of an expression; `source` is how it is written, `at` its UTF-16 offset. */
type Token = { source: string; at: number } & (
  | { type: "number"; value: number }
  | { type: "text"; value: string }
  | { type: "name" | "symbol" | "end" }
)

const SPACE = /\s+/y
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const NAME = /[\p{L}_][\p{L}\p{M}\p{Nd}_]*/uy
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy
const SYMBOL = /&&|\|\||[=!<>]=|[-+*/%<>!()?:,]/y
const MISTAKE = /===|!==|=>|=<|<>|=(?!=)|&(?!&)|\|(?!\|)/y
const NOT_A_NUMBER = /[\p{L}\p{M}\p{Nd}_.]+/uy
const QUOTES = /["'`´“”„‘’«»]/

const INSTEAD: Readonly<Record<string, string>> = {
  "===": 'use "==" to compare',
  "!==": 'use "!=" to compare',
  "=>": 'use ">="',
  "=<": 'use "<="',
  "<>": 'use "!="',
  "=": 'use "==" to compare',
  "&": 'use "&&" for and',
  "|": 'use "||" for or',
}

/** The token at or after an offset. Throws Refusal. The end stands right behind the last token. */
function readToken(text: string, from: number): Token {
  const at = from + match(SPACE, text, from).length
  if (at === text.length) return { type: "end", source: "", at: from }
  const number = match(NUMBER, text, at)
  if (number) return readNumber(text, at, number)
  const name = match(NAME, text, at)
  if (name) return { type: "name", source: name, at }
  const quoted = match(TEXT, text, at)
  if (quoted) return { type: "text", source: quoted, at, value: unquote(quoted) }
  const mistake = match(MISTAKE, text, at)
  if (mistake)
    throw new ExpressionRefusal(
      `${mistake.length === 1 ? "a single " : ""}"${mistake}"`,
      at,
      `: ${INSTEAD[mistake]}`,
    )
  const symbol = match(SYMBOL, text, at)
  if (symbol) return { type: "symbol", source: symbol, at }
  throw strange(text, at)
}

/** A token as messages show it. */
function show(token: Token): string {
  return token.type === "text" ? excerpt(token.source, 30) : `"${excerpt(token.source, 40)}"`
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ""
}

function readNumber(text: string, at: number, source: string): Token {
  const value = Number(source)
  const whole = source + match(NOT_A_NUMBER, text, at + source.length)
  if (whole !== source) throw new ExpressionRefusal(`"${excerpt(whole, 40)}" is not a number`, at)
  if (!Number.isFinite(value)) throw new ExpressionRefusal("too large a number", at)
  return { type: "number", source, at, value }
}

/** A backslash makes a quote or a backslash part of the text; before anything else it is itself. */
function unquote(source: string): string {
  return source.slice(1, -1).replace(/\\(["'\\])/g, "$1")
}

function strange(text: string, at: number): ExpressionRefusal {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  if (character === '"' || character === "'")
    return new ExpressionRefusal(`no closing ${character} for the text that starts`, at)
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")
  const shown = /[\p{C}\p{Z}]/u.test(character) ? `U+${code}` : `"${character}"`
  const hint = QUOTES.test(character) ? "; texts are written in \" or '" : ""
  return new ExpressionRefusal(`unexpected character ${shown}`, at, hint)
}

type ArithmeticOperator = "+" | "-" | "*" | "/" | "%"
type ComparisonOperator = "<" | "<=" | ">" | ">=" | "==" | "!="
export type ChainOperator = ArithmeticOperator | ComparisonOperator

/**
 * An expression as written. What stands in a row is one node, so that a long row is not a deep tree: `chain` is
 * left-associative operators of one precedence, `choice` is `a ? b : c ? d : e`. `at` are UTF-16 offsets.
 */
export type Tree = { at: number } & (
  | { type: "number"; value: number }
  | { type: "text"; value: string }
  | { type: "name"; name: string }
  | { type: "call"; name: string; args: Tree[] }
  | { type: "unary"; operator: "-" | "!"; operand: Tree }
  | { type: "chain"; first: Tree; rest: { operator: ChainOperator; operand: Tree }[] }
  | { type: "logic"; operator: "&&" | "||"; operands: Tree[] }
  | { type: "choice"; cases: { condition: Tree; value: Tree }[]; otherwise: Tree }
)

export const DEPTH_MAX = 64

/** From the loosest to the tightest, as in C. */
const LEVELS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
]
const WORDS: ReadonlyMap<string, string> = new Map([
  ["and", '"&&"'],
  ["or", '"||"'],
  ["not", '"!"'],
  ["is", '"=="'],
])
const LEFT_OVER: Readonly<Record<string, string>> = {
  ")": 'no "(" is open',
  ":": 'no "?" stands before it',
  ",": "commas only separate the arguments of a function",
}

interface Reader {
  text: string
  previous: Token | undefined
  next: Token
  depth: number
}

/** Reads a whole text. Throws Refusal at the first thing that is wrong. */
export function readTree(text: string): Tree {
  const reader: Reader = { text, previous: undefined, next: readToken(text, 0), depth: 0 }
  const tree = readChoice(reader)
  if (reader.next.type !== "end") throw leftOver(reader)
  return tree
}

function readChoice(reader: Reader): Tree {
  const at = reader.next.at
  const cases: { condition: Tree; value: Tree }[] = []
  let last = readLevel(reader, 0)
  while (isNext(reader, "?")) {
    const question = advance(reader)
    const value = deeper(reader, question, readChoice)
    close(reader, ":", `expected ":" to go with the "?"`, question)
    cases.push({ condition: last, value })
    last = readLevel(reader, 0)
  }
  return cases.length === 0 ? last : { type: "choice", at, cases, otherwise: last }
}

function readLevel(reader: Reader, level: number): Tree {
  const operators = LEVELS[level]
  if (operators === undefined) return readUnary(reader)
  const first = readLevel(reader, level + 1)
  const rest: { operator: string; operand: Tree }[] = []
  while (reader.next.type === "symbol" && operators.includes(reader.next.source)) {
    const operator = advance(reader).source
    rest.push({ operator, operand: readLevel(reader, level + 1) })
  }
  return rest.length === 0 ? first : row(first, rest)
}

function row(first: Tree, rest: { operator: string; operand: Tree }[]): Tree {
  const operator = rest[0]!.operator
  if (operator === "&&" || operator === "||") {
    return { type: "logic", at: first.at, operator, operands: [first, ...rest.map(({ operand }) => operand)] }
  }
  return { type: "chain", at: first.at, first, rest: rest as { operator: ChainOperator; operand: Tree }[] }
}

function readUnary(reader: Reader): Tree {
  if (!isNext(reader, "-") && !isNext(reader, "!")) return readValue(reader)
  const token = advance(reader)
  const operand = deeper(reader, token, readUnary)
  return { type: "unary", at: token.at, operator: token.source as "-" | "!", operand }
}

function readValue(reader: Reader): Tree {
  const token = reader.next
  if (token.type === "number" || token.type === "text") {
    advance(reader)
    return { type: token.type, at: token.at, value: token.value } as Tree
  }
  if (token.type === "name") {
    advance(reader)
    const { source: name, at } = token
    return isNext(reader, "(")
      ? { type: "call", at, name, args: readArguments(reader) }
      : { type: "name", at, name }
  }
  if (!isNext(reader, "(")) throw noValue(reader)
  const open = advance(reader)
  const inner = deeper(reader, open, readChoice)
  close(reader, ")", 'expected ")" to close the "("', open)
  return inner
}

function readArguments(reader: Reader): Tree[] {
  const open = advance(reader)
  const args: Tree[] = []
  if (!isNext(reader, ")")) {
    args.push(deeper(reader, open, readChoice))
    while (isNext(reader, ",")) args.push(deeper(reader, advance(reader), readChoice))
  }
  close(reader, ")", 'expected ")" to close the "("', open)
  return args
}

function deeper(reader: Reader, token: Token, read: (reader: Reader) => Tree): Tree {
  if (++reader.depth > DEPTH_MAX)
    throw new ExpressionRefusal(`nested more than ${DEPTH_MAX} levels deep`, token.at)
  const tree = read(reader)
  reader.depth--
  return tree
}

function isNext(reader: Reader, symbol: string): boolean {
  return reader.next.type === "symbol" && reader.next.source === symbol
}

function advance(reader: Reader): Token {
  const token = reader.next
  reader.previous = token
  reader.next = readToken(reader.text, token.at + token.source.length)
  return token
}

function close(reader: Reader, symbol: string, expected: string, opening: Token): void {
  if (!isNext(reader, symbol))
    throw beginsValue(reader.next) ? leftOver(reader) : new ExpressionRefusal(expected, opening.at)
  advance(reader)
}

function beginsValue(token: Token): boolean {
  return token.type === "symbol" ? token.source === "(" || token.source === "!" : token.type !== "end"
}

function noValue({ previous, next }: Reader): ExpressionRefusal {
  const got = next.type === "end" ? "" : `, got ${show(next)}`
  return new ExpressionRefusal(`expected a value${previous ? ` after ${show(previous)}` : ""}`, next.at, got)
}

function leftOver({ previous, next }: Reader): ExpressionRefusal {
  if (beginsValue(next)) {
    const hint = wordHint(next) ?? wordHint(previous) ?? ""
    return new ExpressionRefusal(`expected an operator before ${show(next)}`, next.at, hint)
  }
  return new ExpressionRefusal(`unexpected ${show(next)}`, next.at, `: ${LEFT_OVER[next.source]}`)
}

function wordHint(token: Token | undefined): string | undefined {
  const instead = WORDS.get(token?.source.toLowerCase() ?? "")
  return instead && `; for ${show(token!)} write ${instead}`
}
