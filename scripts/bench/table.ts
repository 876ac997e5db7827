// The results as people read them: aligned on a terminal, and as Markdown between the markers of a document.
import { readFileSync, writeFileSync } from "node:fs"
import type { Check } from "./harness.ts"

const HEAD = ["#", "work", "goal", "measured", ""]

function cells({ row, work, goal, value, ok, skipped }: Check): string[] {
  const verdict = skipped ? "not measured" : ok === undefined ? "" : ok ? "ok" : "SHORT"
  return [row === undefined ? "" : String(row), work, goal, value, verdict]
}

export function printTable(checks: readonly Check[]): void {
  const lines = [HEAD, ...checks.map(cells)]
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  for (const line of lines)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
}

function markdown(checks: readonly Check[]): string {
  const line = (texts: string[]) => `| ${texts.join(" | ")} |`
  return [line(HEAD), line(HEAD.map(() => "---")), ...checks.map((check) => line(cells(check)))].join("\n")
}

/** Rows that have a number or a goal of their own: what explains or divides another one ("- ...") is left to the screen. */
const isWritten = ({ row, goal, work }: Check) => row !== undefined || (goal !== "" && !work.startsWith("- "))

/**
 * Puts the table of the rows with goals, and a line about the machine, between `<!-- bench NAME -->` and
 * `<!-- /bench NAME -->`. Throws an Error when the file lacks the markers.
 */
export function writeTable(file: string, name: string, machine: string, checks: readonly Check[]): void {
  const text = readFileSync(file, "utf8")
  const [start, end] = [`<!-- bench ${name} -->`, `<!-- /bench ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no lines "${start}" and "${end}" for the table`)
  const body = `${start}\n${machine}\n\n${markdown(checks.filter(isWritten))}\n`
  writeFileSync(file, text.slice(0, from) + body + text.slice(to))
}
