// Lists the columns of a file, with nested values and numbered columns resolved.

import { parsedCell, type SourceRow } from "../../../formats/rows.ts"
import { isObject } from "../../../lead/parse.ts"
import { isEmpty } from "./values.ts"

/** The place of a column's value in a row. */
export interface FileColumn {
  /** The name in the file; `location.lat` for a nested value. */
  name: string
  /** Index in the header. */
  at: number
  /** Path into a nested value at that index. */
  path?: readonly string[]
  /** Numbered columns such as `categories/0` and `categories/1` that form one list. */
  members?: readonly Member[]
}

interface Member {
  at: number
  index: number
  path: readonly string[]
}

/** Limits of the search for nested values: depth, and number of names. */
const DEPTH_MAX = 3
const NESTED_MAX = 500
const NUMBERED = /^(.+?)([/.])(\d{1,4})(?:[/.](.+))?$/s

/** The columns of a header, with numbered ones grouped, and the nested values of the first rows. */
export function fileColumns(names: readonly string[], sample: readonly SourceRow[]): FileColumn[] {
  const lists = numberedLists(names)
  const columns: FileColumn[] = []
  for (const [at, name] of names.entries()) {
    const list = lists.get(at)
    if (!list) columns.push({ name, at })
    else if (list.members[0]?.at === at) columns.push({ name: list.base, at, members: list.members })
  }
  return [...columns, ...nestedColumns(columns, sample)]
}

interface NumberedList {
  base: string
  members: Member[]
  isDotted: boolean
}

/** The lists that numbered columns form, by the index of each of their columns. */
function numberedLists(names: readonly string[]): Map<number, NumberedList> {
  const lists = new Map<string, NumberedList>()
  for (const [at, name] of names.entries()) {
    const [, base, separator, index, rest] = NUMBERED.exec(name) ?? []
    if (base === undefined) continue
    const list = lists.get(base) ?? { base, members: [], isDotted: false }
    list.isDotted ||= separator === "."
    list.members.push({ at, index: Number(index), path: rest?.split(/[/.]/) ?? [] })
    lists.set(base, list)
  }
  const taken = new Set(names)
  const shown = [...lists.values()].filter((list) => !list.isDotted || isNumberedOn(list, taken))
  return new Map(shown.flatMap((list) => list.members.map(({ at }) => [at, list] as const)))
}

/**
 * Whether dotted names count on as items of a list do: from 0, or from 1 with more than one. `Revenue.2024` names a year,
 * and `Email.1` beside `Email` is a second column of that name, as pandas writes it.
 */
function isNumberedOn({ base, members }: NumberedList, names: ReadonlySet<string>): boolean {
  const indexes = [...new Set(members.map(({ index }) => index))].toSorted((a, b) => a - b)
  const first = indexes[0]!
  const isOn = indexes.every((index, i) => index === first + i)
  return isOn && (first === 0 || (first === 1 && indexes.length > 1)) && !names.has(base)
}

function nestedColumns(columns: readonly FileColumn[], sample: readonly SourceRow[]): FileColumn[] {
  const byName = new Map<string, FileColumn>()
  for (const row of sample) {
    for (const column of columns) {
      if (column.members) continue
      const value = objectIn(row.values[column.at])
      if (value) visit(value, column, [], byName)
      if (byName.size >= NESTED_MAX) return [...byName.values()]
    }
  }
  return [...byName.values()]
}

function visit(
  object: Record<string, unknown>,
  column: FileColumn,
  path: readonly string[],
  columns: Map<string, FileColumn>,
): void {
  for (const [key, value] of Object.entries(object)) {
    const inner = [...path, key]
    if (isObject(value)) {
      if (inner.length < DEPTH_MAX) visit(value, column, inner, columns)
      continue
    }
    const name = [column.name, ...inner].join(".")
    if (value !== null && value !== "" && columns.size < NESTED_MAX && !columns.has(name))
      columns.set(name, { name, at: column.at, path: inner })
  }
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  const parsed = parsedCell(value)
  return isObject(parsed) ? parsed : undefined
}

/** Reads the columns of one row; JSON in a cell is parsed once. */
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

/** Builds the list of numbered columns; undefined when all are empty. */
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

/** Rows that tell how a file writes its numbers and dates. */
const FIRST = 200

/** The values that columns have in the first rows of a file, without empty ones. */
export interface Sample {
  /** Values of all sampled rows, each one mapped where that is asked for. */
  valuesOf(column: FileColumn, mapped?: (value: unknown) => unknown): readonly unknown[]
  /** Those of the first 200 rows, and the texts among them. */
  firstOf(column: FileColumn): readonly unknown[]
  firstTexts(column: FileColumn): readonly string[]
  /** The cells of all sampled rows as they are read, empty ones too. */
  cellsOf(column: FileColumn): Iterable<unknown>
}

export function sampleOf(rows: readonly SourceRow[]): Sample {
  const readers = rows.map(({ values }) => rowReader(values))
  const filled = (values: Iterable<unknown>) => [...values].filter((value) => !isEmpty(value))
  const cellsOf = (column: FileColumn) => readers.values().map((read) => read(column))
  const firstOf = (column: FileColumn) => filled(cellsOf(column).take(FIRST))
  return {
    valuesOf: (column, mapped = (value) => value) => filled(cellsOf(column).map(mapped)),
    firstOf,
    firstTexts: (column) => firstOf(column).filter((value) => typeof value === "string"),
    cellsOf,
  }
}
