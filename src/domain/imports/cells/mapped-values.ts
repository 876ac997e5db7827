// Mapped values: what the request or a saved mapping says of single words of a file.
import { STATUSES, type Status } from "../../../lead/lead.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { excerpt, grouped } from "../../../text/text.ts"
import type { FileColumn } from "./file-columns.ts"
import { tagTexts } from "./values.ts"
import { plainName } from "./vocabulary.ts"

/** Parsed `map_value`. */
interface SaidValues {
  /** Statuses by plain word, in any column with statuses. */
  statuses: ReadonlyMap<string, Status>
  ofColumns: readonly SaidValue[]
}

interface SaidValue {
  /** `COLUMN:WORD`: both may hold colons, so that the columns of the file decide where it is cut. */
  left: string
  value: string
  /** The value is a status, so that all of `left` may be a word. */
  isStatus: boolean
}

/** Replacements of a column's values by folded word; an empty one leaves the value out. */
export type ValueMap = ReadonlyMap<string, string>

/** Mapped words of one import. */
const WORDS_MAX = 2_000

/** Parses `WORD=STATUS` and `COLUMN:WORD=VALUE`. Throws `bad_request`. */
export function parseMapValue(texts: readonly string[]): SaidValues {
  if (texts.length > WORDS_MAX)
    throw badRequest(`map_value takes at most ${grouped(WORDS_MAX)} words, got ${grouped(texts.length)}`)
  const statuses = new Map<string, Status>()
  const ofColumns: SaidValue[] = []
  for (const text of texts) {
    const end = Math.max(text.lastIndexOf("="), text.lastIndexOf(":"))
    const status = STATUSES.find((one) => one === text.slice(end + 1).trim())
    const isStatus = end > 0 && status !== undefined
    if (isStatus) statuses.set(plainName(text.slice(0, end)), status)
    const at = text.lastIndexOf("=")
    const left = text.slice(0, Math.max(at, 0))
    if (/^.*[^:]:./s.test(left)) ofColumns.push({ left, value: text.slice(at + 1).trim(), isStatus })
    else if (!isStatus)
      throw badRequest(
        `map_value must be WORD=STATUS with one of ${STATUSES.join(", ")}, or COLUMN:WORD=VALUE, got "${excerpt(text)}"`,
      )
  }
  return { statuses, ofColumns }
}

/** A word as it is compared: without case, and with single spaces. */
export function wordKey(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase()
}

/**
 * The replacements of each column. Throws `bad_request` for a word of a column that a table lacks; in files whose rows
 * name their own columns it may still come.
 */
export function valueMapsOf(
  columns: readonly FileColumn[],
  said: readonly SaidValue[],
  isTable: boolean,
): Map<FileColumn, ValueMap> {
  const maps = new Map<FileColumn, Map<string, string>>()
  if (said.length === 0) return maps
  const byName = new Map(columns.map((column) => [column.name, column]))
  const byPlain = new Map(columns.map((column) => [plainName(column.name), column]))
  for (const { left, value, isStatus } of said) {
    const [column, word] = cut(left, (name) => byName.get(name)) ??
      cut(left, (name) => byPlain.get(plainName(name))) ?? [undefined, ""]
    if (column) {
      const map = maps.get(column) ?? new Map<string, string>()
      maps.set(column, map.set(wordKey(word), value))
    } else if (isTable && !isStatus)
      throw badRequest(`map_value "${excerpt(left)}" begins with no column of the file`)
  }
  return maps
}

/** Cuts `COLUMN:WORD` behind the longest column name. */
function cut(left: string, find: (name: string) => FileColumn | undefined): [FileColumn, string] | undefined {
  for (let at = left.lastIndexOf(":"); at > 0; at = left.lastIndexOf(":", at - 1)) {
    const column = find(left.slice(0, at))
    if (column) return [column, left.slice(at + 1)]
  }
  return undefined
}

// Replaces single values of a file by those that a person gave for them, before they are converted.

/** Longer texts are never in a map. */
const WORD_MAX = 1_000

/** The value that a cell's value is mapped to, itself where it is not mapped, "" for one that is left out. */
export function mappedValue(value: unknown, map: ValueMap): unknown {
  if (typeof value === "object" || value === undefined) return value
  const text = String(value)
  return text.length > WORD_MAX ? value : (map.get(wordKey(text)) ?? value)
}

/** The tags of a cell, each one mapped; a cell that is mapped as a whole comes first. */
function mappedTags(value: unknown, map: ValueMap, isOurs: boolean): unknown {
  const whole = mappedValue(value, map)
  if (whole !== value) return whole
  return tagTexts(value, isOurs)
    .map((tag) => mappedValue(tag, map))
    .filter((tag) => tag !== "")
}

/** Reads cells with their values mapped. */
export function mappedReader(
  read: (column: FileColumn) => unknown,
  maps: ReadonlyMap<FileColumn, ValueMap>,
  tags: { columns: readonly FileColumn[]; isOurs: boolean },
): (column: FileColumn) => unknown {
  if (maps.size === 0) return read
  return (column) => {
    const value = read(column)
    const map = maps.get(column)
    if (!map) return value
    return tags.columns.includes(column) ? mappedTags(value, map, tags.isOurs) : mappedValue(value, map)
  }
}
