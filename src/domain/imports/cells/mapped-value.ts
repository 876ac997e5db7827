// Replaces single values of a file by those that a person gave for them, before they are converted.
import type { FileColumn } from "./file-columns.ts"
import { type ValueMap, wordKey } from "./mapped-values.ts"
import { tagTexts } from "./values.ts"

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
