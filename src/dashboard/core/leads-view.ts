// The table of leads as this browser has it: its columns and their widths.
import { signal } from "@preact/signals"
import { COLUMNS_KEY, readView, type Selection } from "./first-request.ts"
import { hasRules } from "./rules.ts"

/** Reads the table's state from the address and this browser; scores are shown to those who have rules or asked for them. */
export function leadsView(parameters: URLSearchParams): { selection: Selection; columns: readonly string[] } {
  const { selection, columns, isChosen } = readView(parameters)
  const isScored = isChosen || hasRules.value
  return { selection, columns: isScored ? columns : columns.filter((name) => name !== "score") }
}

const WIDTHS_KEY = "leaddb-widths"

/** Widths of columns that the person has drawn, in pixels. */
export const widths = signal<Readonly<Record<string, number>>>(keptWidths())

function keptWidths(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(WIDTHS_KEY) ?? "{}")
  } catch {
    return {}
  }
}

export function keepWidth(name: string, width: number): void {
  widths.value = { ...widths.value, [name]: width }
  localStorage.setItem(WIDTHS_KEY, JSON.stringify(widths.value))
}

export function keepColumns(columns: readonly string[]): void {
  localStorage.setItem(COLUMNS_KEY, columns.join(","))
}
