// Golden files, and JSON that is laid out so that a change of one thing changes one line.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The text that a golden file holds; UPDATE_GOLDEN=1 writes what is made now. */
export function golden(name: string, made: string): string {
  const path = join(import.meta.dir, "../golden", name)
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, `${made}\n`)
  return readFileSync(path, "utf8").trimEnd()
}

/** Holds a part of a page to what is made of the code; UPDATE_GOLDEN=1 writes it there. Returns the part as it is. */
export function goldenPart(page: string, part: RegExp, made: string): string {
  const path = join(import.meta.dir, "../..", page)
  const text = readFileSync(path, "utf8")
  if (process.env.UPDATE_GOLDEN) {
    writeFileSync(
      path,
      text.replace(part, () => made),
    )
    return made
  }
  return part.exec(text)?.[0] ?? ""
}

/** JSON with everything down to `depth` levels on a line of its own, and what is deeper in one line. */
export function jsonLines(value: unknown, depth: number, indent = ""): string {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => inner + jsonLines(item, depth - 1, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${inner}${JSON.stringify(name)}: ${jsonLines(item, depth - 1, inner)}`)
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(",\n")}\n${indent}${close}`
}
