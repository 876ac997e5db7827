import { excerpt } from "../text/text.ts"
import { ExpressionRefusal } from "./refusal.ts"

/** One word of an expression; `source` is how it is written, `at` its UTF-16 offset. */
export type Token = { source: string; at: number } & (
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
export function readToken(text: string, from: number): Token {
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
export function show(token: Token): string {
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
