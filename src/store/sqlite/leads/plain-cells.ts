// A lead's cells as they lie in the bytes that are stored. To find and copy them takes a third of the time that it takes
// to parse the lead and to write its cells anew.
import { CONTACTS } from "../../../lead/contacts.ts"
import { DATA_FIELDS } from "../../../lead/lead.ts"

/** The text before each value of a lead, in stored order. */
const ENTRIES = DATA_FIELDS.map((name, i) => ({ name, key: Buffer.from(`${i === 0 ? "{" : ","}"${name}":`) }))
const ATTRIBUTES = Buffer.from(',"attributes":[')
// And before each of an attribute's values.
const ID = Buffer.from('{"id":')
const NAME = Buffer.from(',"name":')
const TYPE = Buffer.from(',"type":')
const VALUE = Buffer.from(',"value":')
// The lists of contacts behind them, which have columns of their own where they say more than a field.
const LISTS = CONTACTS.map(([list]) => Buffer.from(`,"${list}":[`))
const CONTACT = Buffer.from('{"value":')
const NO_LABEL = Buffer.from(',"label":null}')

const QUOTE = code('"')
const COMMA = code(",")
const BAR = code("|")
const SPACE = code(" ")
const BACKSLASH = code("\\")
const OPEN = code("[")
const CLOSE = code("]")
const PLUS = code("+")
const BRACE = code("{")
const END = code("}")
const NULL = code("n")
const TRUE = code("t")
const FALSE = code("f")
// First characters of possible formulas (formula.ts); its full-width signs start with 0xEF in UTF-8.
const RISKY = flags("=+-@'\xef")
// After a "+" a text of these alone is a phone number.
const OF_PHONES = flags("0123456789 ()/.-")
const OF_NUMBERS = flags("0123456789+-.e")

/** A cell that can be copied as it is. */
const COPIED = 0
/** A list of texts without quotes or commas, as JSON but without its brackets. */
export const LIST = 1
/** An object as JSON, where the only thing to quote are quotes. */
export const OBJECT = 2

/** Where the cells of a lead begin and end in its bytes, by their columns; those of the score stay empty. */
interface PlainCells {
  starts: Int32Array
  ends: Int32Array
  /** Their kinds. */
  kinds: Uint8Array
  /**
   * Finds the cells of a lead, a text with a comma with its quotes, as CSV has it. False when one cannot be copied as it
   * is, since it has escapes or looks like a formula, or when entries stand in another order.
   */
  find(data: Uint8Array): boolean
}

/** Finds the cells of one lead after the other, in a column for each field and one for each attribute's name. */
export function createPlainCells(fields: readonly string[], attributeNames: readonly string[]): PlainCells {
  const entries = ENTRIES.map(({ name, key }) => ({ key, column: fields.indexOf(name) }))
  const width = fields.length + attributeNames.length
  const starts = new Int32Array(width)
  const ends = new Int32Array(width)
  const kinds = new Uint8Array(width)
  const columnOf = new Map(
    attributeNames.map((name, index) => [Buffer.from(name).toString("latin1"), fields.length + index]),
  )

  /** Returns where the value ends, -1 when it is not plain. */
  function place(data: Uint8Array, start: number, column: number): number {
    const end = valueEnd(data, start)
    const first = data[start]
    const isBare = first === OPEN || (first === QUOTE && !hasComma(data, start, end))
    starts[column] = isBare ? start + 1 : start
    ends[column] = first === NULL ? start : isBare ? end - 1 : end
    kinds[column] = first === OPEN ? LIST : first === BRACE && end > start + 2 ? OBJECT : COPIED
    return end
  }

  /** An attribute after the other, each `{id, name, type, value}`. */
  function placeAttributes(data: Uint8Array, start: number): boolean {
    starts.fill(0, fields.length)
    ends.fill(0, fields.length)
    kinds.fill(COPIED, fields.length)
    if (data[start] === CLOSE) return hasPlainLists(data, start + 1)
    for (let at = start; ; at++) {
      const name = after(data, after(data, at, ID, textEnd), NAME)
      const nameEnd = name < 0 ? -1 : textEnd(data, name)
      const value = after(data, after(data, nameEnd, TYPE, textEnd), VALUE)
      if (value < 0) return false
      const column = columnOf.get(latin1(data, name + 1, nameEnd - 1))
      if (data[value] === OPEN && data[value + 1] === CLOSE) return false
      const end = column === undefined ? valueEnd(data, value) : place(data, value, column)
      if (end < 0 || data[end] !== END) return false
      at = end + 1
      if (data[at] === CLOSE) return hasPlainLists(data, at + 1)
      if (data[at] !== COMMA) return false
    }
  }

  return {
    starts,
    ends,
    kinds,
    find(data) {
      let at = 0
      for (const { key, column } of entries) {
        at = after(data, at, key)
        if (at >= 0) at = place(data, at, column)
        if (at < 0) return false
      }
      at = after(data, at, ATTRIBUTES)
      return at >= 0 && placeAttributes(data, at)
    },
  }
}

/** Whether all that follows are lists of contacts that say no more than the fields. */
function hasPlainLists(data: Uint8Array, start: number): boolean {
  let at = start
  for (const list of LISTS) {
    at = after(data, at, list)
    if (data[at] !== CLOSE) at = after(data, after(data, at, CONTACT, textEnd), NO_LABEL)
    if (at < 0 || data[at] !== CLOSE) return false
    at++
  }
  return at + 1 === data.length
}

/** The place after `what`, and after a value when told how that ends; -1 when something else stands there. */
function after(
  data: Uint8Array,
  at: number,
  what: Uint8Array,
  endOf?: (data: Uint8Array, start: number) => number,
): number {
  if (at < 0) return -1
  for (let i = 0; i < what.length; i++) if (data[at + i] !== what[i]) return -1
  return endOf ? endOf(data, at + what.length) : at + what.length
}

function valueEnd(data: Uint8Array, start: number): number {
  const first = data[start]
  if (first === QUOTE) return textEnd(data, start)
  if (first === OPEN) return listEnd(data, start)
  if (first === BRACE) return objectEnd(data, start)
  if (first === NULL || first === TRUE) return start + 4
  return first === FALSE ? start + 5 : numberEnd(data, start)
}

/** Where a text ends; -1 when there is none that is plain. */
function textEnd(data: Uint8Array, start: number): number {
  if (data[start] !== QUOTE) return -1
  for (let i = start + 1; i < data.length; i++) {
    const byte = data[i]!
    if (byte === BACKSLASH) return -1
    if (byte === QUOTE) return isRisky(data, start + 1, i) ? -1 : i + 1
  }
  return -1
}

function isRisky(data: Uint8Array, start: number, end: number): boolean {
  const first = data[start]!
  if (RISKY[first] === 0) return false
  if (first !== PLUS) return true
  for (let i = start + 1; i < end; i++) if (OF_PHONES[data[i]!] === 0) return true
  return false
}

function hasComma(data: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (data[i] === COMMA) return true
  return false
}

function numberEnd(data: Uint8Array, start: number): number {
  let end = start
  while (OF_NUMBERS[data[end]!] === 1) end++
  return end === start ? -1 : end
}

/** Where an object ends; -1 when there is an escape in it. */
function objectEnd(data: Uint8Array, start: number): number {
  let depth = 0
  let isText = false
  for (let i = start; i < data.length; i++) {
    const byte = data[i]!
    if (byte === BACKSLASH) return -1
    if (byte === QUOTE) isText = !isText
    else if (isText) continue
    else if (byte === BRACE) depth++
    else if (byte === END && --depth === 0) return i + 1
  }
  return -1
}

/** Where a list of texts ends; -1 when one is not plain or has a comma. */
function listEnd(data: Uint8Array, start: number): number {
  if (data[start] !== OPEN) return -1
  if (data[start + 1] === CLOSE) return start + 2
  // With others after it not even a phone number is one.
  if (RISKY[data[start + 2]!] === 1) return -1
  for (let at = start + 1; ; at++) {
    const end = textEnd(data, at)
    if (end < 0 || hasComma(data, at, end) || !isJoinable(data, at + 1, end - 1)) return -1
    at = end
    if (data[at] === CLOSE) return at + 1
    if (data[at] !== COMMA) return -1
  }
}

/** Whether a text comes back as it is out of a list with bars between its texts. */
function isJoinable(data: Uint8Array, start: number, end: number): boolean {
  const [first, last] = [data[start]!, data[end - 1]!]
  if (end === start || first === OPEN || first === BRACE || first <= SPACE || last <= SPACE) return false
  for (let i = start; i < end; i++) if (data[i] === BAR) return false
  if (first < 0x80 && last < 0x80) return true
  // Spaces of other scripts take several bytes.
  const text: string = Buffer.prototype.utf8Slice.call(data, start, end)
  return text.trim() === text
}

function latin1(data: Uint8Array, start: number, end: number): string {
  return Buffer.prototype.latin1Slice.call(data, start, end)
}

function code(character: string): number {
  return character.charCodeAt(0)
}

/** 1 for each of the characters. */
function flags(characters: string): Uint8Array {
  const set = new Uint8Array(256)
  for (const character of characters) set[code(character)] = 1
  return set
}
