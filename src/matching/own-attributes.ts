import table from "./data/own-attributes.json"
import { comparableWords } from "./fold.ts"
import { memoizeShortText } from "./memoize-short-text.ts"

const NAMES = new Set(table.names.map((name) => comparableWords(name).join(" ")))
const ENDS = table.ends.map((name) => ` ${comparableWords(name).join(" ")}`)

/**
 * Whether an attribute by its name tells of a program's own work with a record, such as its owner, its status or the day
 * when it was entered: two records agree there without being of one thing.
 */
export const isOwnAttribute = memoizeShortText(1_000, (name) => {
  const words = comparableWords(name).join(" ")
  return NAMES.has(words) || ENDS.some((end) => ` ${words}`.endsWith(end))
})
