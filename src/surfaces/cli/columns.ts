const GAP = "  "
/** The last Unix second that a Date holds. */
const LAST_DATE = 8_640_000_000_000

/** Rows of cells as aligned lines; the last cell of a row is not padded. Numbers stand to the right. */
export function columns(rows: readonly (readonly (string | number)[])[], indent = ""): string {
  const texts = rows.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of texts) {
    for (const [i, text] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, Bun.stringWidth(text))
  }
  const lines = texts.map((row, r) => {
    const cells = row.map((text, i) => {
      const space = " ".repeat(widths[i]! - Bun.stringWidth(text))
      return typeof rows[r]![i] === "number" ? space + text : text + space
    })
    return `${indent}${cells.join(GAP).trimEnd()}\n`
  })
  return lines.join("")
}

/** Stored names may hold anything: nothing in them may steer the terminal. */
function printable(cell: string | number): string {
  return String(cell).replaceAll(/\p{Cc}/gu, "\ufffd")
}

/** Unix seconds as people read them, in UTC; a dash for none. */
export function when(seconds: number | null): string {
  if (seconds === null) return "-"
  if (seconds > LAST_DATE) return String(seconds)
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`
}

/** Output for programs: one JSON document. */
export function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
