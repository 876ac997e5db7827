// Golden files: JSON that is laid out so that a change of one thing changes one line.

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
