// Finds the regular expressions in the source by reading its tokens.
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const ROOT = join(import.meta.dir, "../..")

interface Literal {
  /** `src/text/text.ts:12`. */
  at: string
  file: string
  source: string
  flags: string
}

/** Folders whose patterns never meet the text of a client of the service, and what they meet. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "src/client/": "the address and the answers of the service, in the program that calls it",
  "src/dashboard/": "what its user types, in the user's own browser",
  "src/surfaces/cli/": "the arguments of the person at the terminal",
  "src/surfaces/dashboard/make-bundle.ts": "our own scripts",
  "src/surfaces/docs/": "our own guides and examples",
  "src/surfaces/openapi/": "our own routes",
  "src/store/move/": "rows that the operator moves from one database to another",
}

/** Patterns that take quadratic time, and why no client can make them take it. */
export const BOUNDED: Readonly<Record<string, string>> = {
  "\\B(?=(\\d{3})+$)": "numbers that we print ourselves",
  "(?<![\\p{L}\\p{N}])(?:(?:\\+|\\(|0)[\\d\\s()/.-]{5,}\\d|\\d[\\d()/.-]{5,}\\d)(?![\\p{L}\\p{N}])":
    "a search has at most 500 characters",
  "use POST \\/leads.* DELETE \\/leads\\S+": "our own messages, in which a client's words are cut",
  'say which leads: filter, q, segment, ids, or "all": true.*': "our own messages",
  "Find it with filter=(\\S+)": "our own messages",
  "::[a-z]+\\d*(?: precision)?(?:\\[\\])?": "our own SQL",
  "^(\\s*CREATE (?:VIRTUAL TABLE|TABLE|UNIQUE INDEX|INDEX)) ": "our own SQL",
  "\\s+FOR (?:NO KEY )?UPDATE(?: OF \\w+)?(?: SKIP LOCKED)?": "our own SQL",
}

export const FILES = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT)]
  .filter((file) => !file.endsWith(".d.ts") && !Object.keys(ELSEWHERE).some((path) => file.startsWith(path)))
  .toSorted()

/** Folders and files that are left out, which must exist. */
export const LEFT_OUT = Object.keys(ELSEWHERE)

export const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8")

/** A word or a sign behind which a slash begins a pattern and not a division. */
const BEFORE_VALUE =
  /(?:^|[(,=:[&|?{};+\-*%<>~^]|(?<![\w)\]])!|\b(?:return|typeof|case|in|of|await|yield))\s*$/

/** The patterns that a file writes between slashes. */
export function literalsIn(file: string, text = textOf(file)): Literal[] {
  const found: Literal[] = []
  let line = 1
  /** What was read since the last string, comment or pattern. */
  let code = ""
  /** For each template that is open, the braces that are open in its expression. */
  const templates: number[] = []
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!
    if (one === "\n") line++
    const end = endAt(text, at, code, templates)
    if (end === undefined) {
      code += one
      continue
    }
    const part = text.slice(at, end)
    if (one === "/" && !/^\/[/*]/.test(part)) {
      const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(part) ?? []
      found.push({ at: `${file}:${line}`, file, source, flags })
    }
    if (!/^\/[/*]/.test(part)) code = part.endsWith("${") ? "(" : "x"
    line += part.split("\n").length - 1
    at = end - 1
  }
  return found
}

/** The end of the comment, string, part of a template or pattern that begins at a place; undefined for other code. */
function endAt(text: string, at: number, code: string, templates: number[]): number | undefined {
  const one = text[at]!
  if (one === "/" && text[at + 1] === "/") return orEnd(text, text.indexOf("\n", at))
  if (one === "/" && text[at + 1] === "*") return text.indexOf("*/", at) + 2
  if (one === '"' || one === "'") return quoteEnd(text, at + 1, one)
  if (one === "`") return templateEnd(text, at + 1, templates)
  if (one === "/" && BEFORE_VALUE.test(code.slice(-40))) return patternEnd(text, at + 1)
  const open = templates.length - 1
  if (open >= 0 && one === "{") templates[open]!++
  if (open >= 0 && one === "}") {
    if (templates[open] === 0) {
      templates.pop()
      return templateEnd(text, at + 1, templates)
    }
    templates[open]!--
  }
  return undefined
}

function orEnd(text: string, at: number): number {
  return at < 0 ? text.length : at
}

function quoteEnd(text: string, from: number, quote: string): number {
  let at = from
  while (text[at] !== quote) at += text[at] === "\\" ? 2 : 1
  return at + 1
}

/** The end of a template, or of its part before an expression. */
function templateEnd(text: string, from: number, templates: number[]): number {
  for (let at = from; ; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] === "`") return at + 1
    if (text.startsWith("${", at)) {
      templates.push(0)
      return at + 2
    }
  }
}

function patternEnd(text: string, from: number): number {
  let at = from
  for (let isClass = false; isClass || text[at] !== "/"; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "[") isClass = true
    else if (text[at] === "]") isClass = false
  }
  at++
  while (/[a-z]/.test(text[at] ?? "")) at++
  return at
}
