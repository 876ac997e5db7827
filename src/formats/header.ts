// Finds the header among the first rows: in files that people made, titles, notes and empty rows stand above it.

/** What a column may be for whose cells are links. */
export type Linked = "email" | "website" | "linkedin_url"

/** A row not read yet. */
interface Candidate {
  cells: readonly unknown[]
}

/** How a table is to be read. */
export interface HeaderHints {
  /** Whether a cell is what columns are called. */
  knows(name: string): boolean
  /** What a column of this name is for, where a link tells it. */
  linked?(name: string): Linked | undefined
  /** Whether the first row names the columns; undefined finds out. */
  header?: boolean | undefined
}

/** So many rows may stand above the names of the columns. */
const ABOVE_MAX = 20

/**
 * The place of the row that names the columns among the first rows; -1 where no row does. What is much narrower than the rows after it is
 * a title or a note; of what is left the first row has the names, unless one soon after it has two that are known and it none.
 */
export function headerAt(rows: readonly Candidate[], hints: HeaderHints | undefined): number {
  const widths = rows.map(({ cells }) => cells.filter(isFilled).length)
  const first = widths.findIndex((width) => width > 0)
  if (first < 0 || hints?.header === false) return -1
  if (hints?.header) return first
  const usual = commonest(rows.slice(first).map(({ cells }) => cells.length))
  const wide = widths.findIndex(
    (width, i) => i <= first + ABOVE_MAX && width > 0 && (width * 2 > usual || usual < 3),
  )
  const start = wide < 0 ? first : wide
  if (!hints) return start
  const namesIn = (i: number) =>
    rows[i]!.cells.filter((cell) => typeof cell === "string" && isFilled(cell) && hints.knows(cell)).length
  // Names in two rows: groups of columns above, merged over those that have their own below.
  if (namesIn(start) > 0)
    return start + 1 < rows.length && namesIn(start + 1) > namesIn(start) ? start + 1 : start
  for (let i = first; i < Math.min(rows.length, first + ABOVE_MAX); i++) {
    if (i !== start && widths[i]! > 1 && namesIn(i) >= 2 && namesIn(i) * 3 >= widths[i]!) return i
  }
  return start
}

/** The commonest of numbers above 0, the larger of equals. */
export function commonest(numbers: readonly number[]): number {
  const times = new Map<number, number>()
  for (const number of numbers) if (number > 0) times.set(number, (times.get(number) ?? 0) + 1)
  return [...times].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

function isFilled(cell: unknown): boolean {
  return cell !== null && cell !== undefined && String(cell).trim() !== ""
}

/** The name of a column that has none: by its place, from 0. */
export const numberedName = (at: number): string => `Column ${at + 1}`

/** The names of the columns, and the place of the first row below them; undefined for no rows at all. */
export function headed(
  rows: readonly Candidate[],
  hints: HeaderHints | undefined,
): { names: string[]; from: number } | undefined {
  const at = headerAt(rows, hints)
  if (at >= 0) return { names: columnNames(rows[at]!.cells), from: at + 1 }
  if (hints?.header !== false || !rows.some(({ cells }) => cells.some(isFilled))) return undefined
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  return { names: Array.from({ length: width }, (_, at) => numberedName(at)), from: 0 }
}

/** Names as a table needs them: trimmed, and each once. */
export function columnNames(cells: readonly unknown[]): string[] {
  const seen = new Set<string>()
  /** The next number to try for a name that is there already. */
  const numbers = new Map<string, number>()
  return cells.map((cell) => {
    const name = String(cell ?? "")
      .replaceAll(/\s+/g, " ")
      .trim()
    if (name === "") return ""
    let unique = name
    let number = numbers.get(name) ?? 2
    for (; seen.has(unique); number++) unique = `${name} (${number})`
    numbers.set(name, number)
    seen.add(unique)
    return unique
  })
}
