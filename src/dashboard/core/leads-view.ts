// What the address and this browser say of the table of leads.
import { signal } from "@preact/signals"
import { askEarly } from "./api.ts"
import { firstRows, type Selection } from "./lead-list.ts"
import { hasRules } from "./rules.ts"

const COLUMNS = ["score", "name", "company", "status", "email", "phone", "city", "created_at"]
const COLUMNS_KEY = "leaddb-columns"
/** Every lead, best first: what a person looks at when nothing was asked. */
const SORT = "score"

interface LeadsView {
  selection: Selection
  /** Names of fields and `attr:` attributes. */
  columns: readonly string[]
}

export function readView(parameters: URLSearchParams): LeadsView {
  const q = parameters.get("q") ?? ""
  const segment = parameters.get("segment") ?? ""
  // A segment has a sort of its own.
  const usual = q !== "" ? "relevance" : segment === "" ? SORT : ""
  const selection: Selection = {
    filter: parameters.getAll("filter"),
    q,
    segment,
    sort: parameters.get("sort") ?? usual,
    order: parameters.get("order") === "asc" ? "ASC" : "DESC",
  }
  const named = parameters.get("columns") ?? localStorage.getItem(COLUMNS_KEY)
  const columns = named?.split(",").filter(Boolean) ?? []
  return { selection, columns: columns.length > 0 ? columns : usualColumns() }
}

/** The columns of those who have chosen none. */
function usualColumns(): readonly string[] {
  return hasRules.value ? COLUMNS : COLUMNS.filter((name) => name !== "score")
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

/** Asks for the first rows before there is a table for them. */
export function askForRows(parameters: URLSearchParams): void {
  const { selection, columns } = readView(parameters)
  askEarly("/leads", firstRows(selection, columns))
}
