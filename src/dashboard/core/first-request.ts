// The first request of a page, made of its address and what this browser keeps. This file is bundled twice: with the pages, and into
// the small script that asks before they are there.

export const BASE = "/api/v1"

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>

export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue
    if (Array.isArray(value)) for (const one of value) search.append(name, one)
    else search.set(name, String(value))
  }
  const text = search.toString()
  return BASE + path + (text && `?${text}`)
}

export interface Fetched {
  response: Response
  text: string
}

/** Throws as `fetch` does, also where the connection ends within the answer. */
export async function fetchText(url: string, init?: RequestInit): Promise<Fetched> {
  const response = await fetch(url, init)
  return { response, text: await response.text() }
}

export interface Selection {
  filter: readonly string[]
  q: string
  sort: string
  order: "ASC" | "DESC"
  segment: string
}

const FIRST_PAGE = 100

/** The API's parameters of a selection. */
export function selectionQuery({ filter, q, sort, order, segment }: Selection) {
  const isRanked = sort === "relevance" || sort === ""
  return {
    filter,
    ...(q !== "" && { q }),
    ...(segment !== "" && { segment }),
    ...(!isRanked && { sort_by: sort, sort_order: order }),
  }
}

/** Columns of those who have chosen none. */
const COLUMNS = ["score", "name", "company", "status", "email", "phone", "city", "created_at"]
export const COLUMNS_KEY = "leaddb-columns"
/** Every lead, best first: what a person looks at when nothing was asked. */
const SORT = "score"
/** Asked for whatever the columns are: whether scores are shown is known later. */
const ALWAYS = ["name", "status", "tags", "score"]

/** Keeps the role of the session that may be there: without it there is nothing to ask the service for. */
export const SESSION_KEY = "leaddb-session"

/** Reads the state of the table of leads from the address and this browser; columns are names of fields and `attr:` ones. */
export function readView(parameters: URLSearchParams) {
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
  const chosen = named?.split(",").filter(Boolean) ?? []
  const isChosen = chosen.length > 0
  return { selection, columns: isChosen ? chosen : COLUMNS, isChosen }
}

/** The fields of a lead that these columns show, always in one order. */
export const fieldsFor = (columns: readonly string[]) => [...new Set([...ALWAYS, ...columns])].toSorted()

/** The request for the first rows of a selection, with what the columns show. */
export function firstRows(selection: Selection, columns: readonly string[]): Query {
  // `fields` names no single attributes: with one of them leads come whole.
  const hasFields = !columns.some((column) => column.startsWith("attr:"))
  return {
    ...selectionQuery(selection),
    limit: FIRST_PAGE,
    ...(hasFields && { fields: fieldsFor(columns).join(",") }),
  }
}
