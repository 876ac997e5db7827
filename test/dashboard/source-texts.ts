// Reads the texts that people see out of the dashboard's source: those that go through the table, and those that do not.
import { join } from "node:path"
import { type ParserPlugin, parse } from "@babel/parser"

export const SOURCE = join(import.meta.dir, "../../src/dashboard")

/** A part of the syntax tree. */
interface Node {
  type: string
  start: number
  end: number
  loc: { start: { line: number } }
  [key: string]: unknown
}

interface SourceTexts {
  /** English texts that the table is asked for. */
  asked: Set<string>
  /** Other texts that people see, with the line. */
  outside: string[]
}

/** Attributes of elements and parts that hold a text for people. */
const TEXT_ATTRIBUTES = new Set(
  "label title hint aria-label aria-description placeholder alt action note text what about empty cancel heading".split(
    " ",
  ),
)
/** Elements whose content is code, keys or a name. */
const LITERAL_ELEMENTS = new Set(["code", "kbd", "pre"])
/** Names that are the same in every language. */
const NAMES = new Set([
  ...["leaddb", "lead", "db", "CSV", "Excel", "JSON", "XLSX", "curl", "Deutsch", "English", "command line"],
  ...["Cursor", "VS Code", "Claude", "Edge", "Opera", "Mac OS"],
  ...["Escape", "Enter", "Home", "End", "Tab"],
])

/** Formulas, addresses and selectors. */
const CODE =
  /^https?:|YOUR_KEY|-H '|urllib|SameSite|^rating |\.dialog|\[tabindex|input, select|^input:not|IMPORTDATA|^and\.|--lan$|^\{"/

const hasLetters = (text: string) => /\p{L}{2}/u.test(text) && !NAMES.has(text.trim()) && !CODE.test(text)
/** A text of several words, or a capitalised word: what no name in the code looks like. */
const isForPeople = (text: string) =>
  hasLetters(text) && (/^\p{Lu}\p{Ll}+$/u.test(text) || /\p{L}{2}[,;:.?!…]? \p{L}/u.test(text))

function childrenOf(node: Node): Node[] {
  const skipped = ["loc", "extra", "leadingComments", "trailingComments", "innerComments"]
  return Object.entries(node)
    .filter(([name]) => !skipped.includes(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is Node => typeof value?.type === "string")
}

const nameOf = (node: unknown) => String((node as { name?: unknown } | undefined)?.name ?? "")

/** The literals that an expression may have as its value. */
function literalsIn(node: Node): Node[] {
  if (node.type === "StringLiteral" || node.type === "TemplateLiteral") return [node]
  if (node.type === "ConditionalExpression")
    return [...literalsIn(node.consequent as Node), ...literalsIn(node.alternate as Node)]
  if (node.type === "LogicalExpression")
    return [...literalsIn(node.left as Node), ...literalsIn(node.right as Node)]
  if (node.type === "JSXExpressionContainer") return literalsIn(node.expression as Node)
  return []
}

const textOf = (node: Node) =>
  node.type === "StringLiteral" || node.type === "JSXText"
    ? String(node.value)
    : ((node.quasis as Node[]) ?? []).map(({ value }) => (value as { cooked: string }).cooked).join(" ")

/** Reads one file. */
export function textsIn(source: string): SourceTexts {
  const plugins: ParserPlugin[] = ["typescript", "jsx"]
  const { program } = parse(source, { sourceType: "module", plugins })
  const asked = new Set<string>()
  const outside: string[] = []
  const known = new Set<Node>()
  const report = (node: Node) => outside.push(`${node.loc.start.line}: ${textOf(node).trim()}`)

  function callOf(node: Node): boolean {
    const [first, second, third] = node.arguments as Node[]
    const callee = nameOf(node.callee)
    if (callee === "t" || callee === "tx" || callee === "words") {
      for (const literal of first ? literalsIn(first) : [])
        if (literal.type === "StringLiteral")
          asked.add(callee === "words" ? sentence(textOf(literal)) : textOf(literal))
        else report(literal)
      for (const rest of (node.arguments as Node[]).slice(1)) visit(rest)
      if (first && literalsIn(first).length === 0) visit(first)
      return true
    }
    if (callee !== "plural") return false
    if (first) visit(first)
    for (const literal of second ? literalsIn(second) : []) {
      asked.add(textOf(literal))
      if (!third) asked.add(`${textOf(literal)}s`)
    }
    for (const literal of third ? literalsIn(third) : []) asked.add(textOf(literal))
    return true
  }

  function visit(node: Node): void {
    if (known.has(node)) return
    if (node.type === "ImportDeclaration" || /^TS(?!As|NonNull|Satisfies)/.test(node.type)) return
    if (node.type === "CallExpression" && callOf(node)) return
    if (node.type === "JSXElement") {
      const opening = node.openingElement as Node
      visit(opening)
      if (LITERAL_ELEMENTS.has(nameOf(opening.name))) return
      for (const child of node.children as Node[]) visit(child)
      return
    }
    if (node.type === "JSXText") {
      if (hasLetters(textOf(node))) report(node)
      return
    }
    if (node.type === "JSXAttribute") {
      attribute(node)
      return
    }
    if (node.type === "StringLiteral" || node.type === "TemplateLiteral") {
      if (isForPeople(textOf(node))) report(node)
    }
    for (const child of childrenOf(node)) visit(child)
  }

  function attribute(node: Node): void {
    const value = node.value as Node | null
    if (!value) return
    if (TEXT_ATTRIBUTES.has(nameOf(node.name))) {
      for (const literal of literalsIn(value)) if (hasLetters(textOf(literal))) report(literal)
    }
    // Literals of other attributes are for the browser.
    for (const literal of literalsIn(value)) known.add(literal)
    visit(value)
  }

  visit(program as unknown as Node)
  return { asked, outside }
}

/** `job_title` as `Job title`, as the dashboard shows names of the API. */
export function sentence(name: string): string {
  const text = name.replaceAll("_", " ")
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\b(url|id)\b/g, (word) => word.toUpperCase())
}
