// What tests read of the documentation: its tables, headings, links and code.

import { readdirSync } from "node:fs"
import { join } from "node:path"

/** The pages that users read, by their paths in the project. */
export const PAGES: readonly string[] = [
  "README.md",
  ...["docs", "docs/guides"].flatMap((folder) =>
    readdirSync(join(import.meta.dir, "../..", folder)).flatMap((file) =>
      file.endsWith(".md") ? `${folder}/${file}` : [],
    ),
  ),
]

export interface Table {
  /** The heading above it. */
  heading: string
  columns: string[]
  /** Cells as they are written, trimmed. */
  rows: string[][]
}

export interface Code {
  language: string
  heading: string
  text: string
}

interface Markdown {
  headings: string[]
  tables: Table[]
  code: Code[]
  /** Targets of links, outside of code. */
  links: string[]
}

/** Reads a document of the project's kind: ATX headings, fenced code, pipe tables. */
export function readMarkdown(text: string): Markdown {
  const document: Markdown = { headings: [], tables: [], code: [], links: [] }
  let heading = ""
  let code: Code | undefined
  let table: Table | undefined
  for (const line of text.split("\n")) {
    const fence = line.match(/^```(\w*)$/)
    if (fence) {
      if (code) document.code.push(code)
      code = code ? undefined : { language: fence[1]!, heading, text: "" }
    } else if (code) code.text += `${line}\n`
    else {
      table = line.startsWith("|") ? tableOf(document, table, heading, cellsOf(line)) : undefined
      const title = line.match(/^#+ (.+)$/)?.[1]
      if (title) {
        heading = title
        document.headings.push(title)
      }
      document.links.push(...[...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!))
    }
  }
  return document
}

function tableOf(document: Markdown, table: Table | undefined, heading: string, cells: string[]): Table {
  if (table) {
    if (!cells.every((cell) => /^:?-+:?$/.test(cell))) table.rows.push(cells)
    return table
  }
  const started = { heading, columns: cells, rows: [] }
  document.tables.push(started)
  return started
}

/** The cells of a row; a bar in code is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))
}

/** What is between backticks. */
export function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
}

/** The anchor that a heading gets. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-")
}
