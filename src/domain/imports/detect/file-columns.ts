// The columns that a file has once nested values and numbered columns are seen for what they are.
import { isObject } from "../../../core/parse.ts"
import type { ImportRow } from "../../../formats/rows.ts"
import { jsonIn } from "../convert/attribute-types.ts"

/** Where the value of a column stands in a row. */
export interface FileColumn {
  /** As the file names it; `location.lat` for what is nested. */
  name: string
  /** Its place in the header. */
  at: number
  /** The way into a nested value there. */
  path?: readonly string[]
  /** The columns `categories/0`, `categories/1` that are one list, or a list of objects. */
  members?: readonly Member[]
}

interface Member {
  at: number
  index: number
  path: readonly string[]
}

/** Nested names are looked for this deep, and so many of them. */
const DEPTH_MAX = 3
const NESTED_MAX = 500
const NUMBERED = /^(.+?)[/.](\d{1,4})(?:[/.](.+))?$/

/** The columns of a header, with numbered ones gathered, and what is nested in the first rows. */
export function fileColumns(names: readonly string[], sample: readonly ImportRow[]): FileColumn[] {
  const groups = new Map<string, Member[]>()
  const columns: FileColumn[] = []
  for (const [at, name] of names.entries()) {
    const numbered = NUMBERED.exec(name)
    if (!numbered) {
      columns.push({ name, at })
      continue
    }
    const [, base = "", index = "", rest] = numbered
    const members = groups.get(base) ?? []
    if (members.length === 0) columns.push({ name: base, at, members })
    members.push({ at, index: Number(index), path: rest?.split(/[/.]/) ?? [] })
    groups.set(base, members)
  }
  return [...columns, ...nestedColumns(columns, sample)]
}

function nestedColumns(columns: readonly FileColumn[], sample: readonly ImportRow[]): FileColumn[] {
  const found = new Map<string, FileColumn>()
  for (const row of sample) {
    for (const column of columns) {
      if (column.members) continue
      const value = objectIn(row.values[column.at])
      if (value) visit(value, column, [], found)
      if (found.size >= NESTED_MAX) return [...found.values()]
    }
  }
  return [...found.values()]
}

function visit(
  object: Record<string, unknown>,
  column: FileColumn,
  path: readonly string[],
  found: Map<string, FileColumn>,
): void {
  for (const [key, value] of Object.entries(object)) {
    const inner = [...path, key]
    if (isObject(value)) {
      if (inner.length < DEPTH_MAX) visit(value, column, inner, found)
      continue
    }
    const name = [column.name, ...inner].join(".")
    if (value !== null && value !== "" && found.size < NESTED_MAX && !found.has(name))
      found.set(name, { name, at: column.at, path: inner })
  }
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  const parsed = typeof value === "string" && value.trimStart().startsWith("{") ? jsonIn(value) : value
  return isObject(parsed) ? parsed : undefined
}

/** Reads columns of one row; a text of JSON in it is parsed once. */
export function rowReader(values: readonly unknown[]): (column: FileColumn) => unknown {
  let parsed: Map<number, unknown> | undefined
  return (column) => {
    if (column.members) return gathered(column.members, values)
    if (!column.path) return values[column.at]
    parsed ??= new Map()
    let value = parsed.get(column.at)
    if (value === undefined) {
      value = objectIn(values[column.at]) ?? null
      parsed.set(column.at, value)
    }
    for (const key of column.path)
      value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    return value
  }
}

/** The list that numbered columns are in a row; undefined when all are empty. */
function gathered(members: readonly Member[], values: readonly unknown[]): unknown[] | undefined {
  const items: unknown[] = []
  for (const { at, index, path } of members) {
    const value = values[at]
    if (value === null || value === undefined || value === "") continue
    if (path.length === 0) {
      items[index] = value
      continue
    }
    const item = isObject(items[index]) ? items[index] : {}
    item[path.join(".")] = value
    items[index] = item
  }
  const filled = items.filter((item) => item !== undefined)
  return filled.length > 0 ? filled : undefined
}
