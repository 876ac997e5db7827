// CSV lines of leads that have nothing to escape, copied from the bytes that are stored.
import {
  ACTIVITY_FIELDS,
  type Activity,
  DERIVED_FIELDS,
  type Lead,
  NO_ACTIVITY,
  TIME_FIELDS,
} from "../../../lead/lead.ts"
import type { PlainLines } from "../../contract/store.ts"
import { ListedLead } from "../../tables/leads/stored-lead.ts"
import { createPlainCells, LIST, OBJECT } from "./plain-cells.ts"

const COMMA = 44
const QUOTE = 34
const BAR = 124
const LF = 10
/** Bytes of a number or a date that is written anew. */
const CELL_MAX = 32

// Where a cell comes from.
const COPY = 0
const SCORE = 1
const DONE = 2
const DONE_AT = 3
const TIME = 4
const NAMED = 5

/** Parts of a line besides the stored document and the score. */
type ShownActivity = Activity & Pick<Lead, "last_touched_at">
const NOTHING_SHOWN: ShownActivity = { ...NO_ACTIVITY, last_touched_at: 0 }

export function createPlainLines(
  fields: readonly string[],
  attributeNames: readonly string[],
  dateText?: (seconds: number) => string,
  cells: ReadonlyMap<string, string> = new Map(),
): PlainLines {
  const { starts, ends, kinds, find } = createPlainCells(fields, attributeNames)
  const width = starts.length
  const sources = new Uint8Array(width)
  for (const [column, name] of fields.entries())
    if (name === "score") sources[column] = SCORE
    else if (isActivity(name)) sources[column] = dateText && isTime(name) ? DONE_AT : DONE
    else if (dateText && isTime(name)) sources[column] = TIME
    else if (cells.size > 0 && (name === "owner" || name === "stage")) sources[column] = NAMED
  const longest = Math.max(0, ...[...cells.values()].map((text) => Buffer.byteLength(text)))
  const isDoneShown = fields.some(isActivity)
  return {
    room: (lead) => 2 * lead.room + width + fields.length * CELL_MAX + 2 * longest,
    write(lead, out, start) {
      if (!(lead instanceof ListedLead) || !find(lead.bytes)) return -1
      const { bytes: data, score } = lead
      const activity: ShownActivity = isDoneShown
        ? { ...lead.activity, last_touched_at: lead.lastTouchedAt }
        : NOTHING_SHOWN
      let at = start
      for (let column = 0; column < width; column++) {
        const end = ends[column]!
        const source = sources[column]
        if (source === COPY) at = writeCell(data, starts[column]!, end, kinds[column]!, out, at)
        else if (source === SCORE) at = writeNumber(score, out, at)
        else if (source === DONE) {
          const value = activity[fields[column] as keyof ShownActivity]
          if (value !== null) at = writeNumber(value, out, at)
        } else if (source === DONE_AT) {
          const value = activity[fields[column] as keyof ShownActivity]
          if (value !== null) at += out.write(dateText!(value), at, "latin1")
        } else if (source === NAMED) {
          const cell = cells.get(Buffer.from(data.subarray(starts[column]!, end)).toString())
          if (cell === undefined) at = writeCell(data, starts[column]!, end, kinds[column]!, out, at)
          else at += out.write(cell, at)
        } else if (end > starts[column]!)
          at += out.write(dateText!(numberAt(data, starts[column]!, end)), at, "latin1")
        out[at++] = COMMA
      }
      out[at - 1] = LF
      return at
    },
  }
}

function isActivity(name: string): boolean {
  return [...ACTIVITY_FIELDS, ...DERIVED_FIELDS].some((field) => field === name)
}

function isTime(name: string): boolean {
  return TIME_FIELDS.some((field) => field === name)
}

function numberAt(data: Uint8Array, start: number, end: number): number {
  let number = 0
  for (let i = start; i < end; i++) number = number * 10 + data[i]! - 48
  return number
}

function writeCell(
  data: Uint8Array,
  start: number,
  end: number,
  kind: number,
  out: Buffer,
  at: number,
): number {
  if (kind === LIST) return writeList(data, start, end, out, at)
  if (kind === OBJECT) return writeQuoted(data, start, end, out, at)
  for (let i = start; i < end; i++) out[at++] = data[i]!
  return at
}

function writeNumber(number: number, out: Buffer, at: number): number {
  if (!Number.isInteger(number) || number < 0 || number > 999)
    return at + out.write(String(number), at, "latin1")
  if (number > 99) out[at++] = 48 + Math.floor(number / 100)
  if (number > 9) out[at++] = 48 + (Math.floor(number / 10) % 10)
  out[at++] = 48 + (number % 10)
  return at
}

/** The texts of a list joined by bars. No text has a quote or a comma in it. */
function writeList(data: Uint8Array, start: number, end: number, out: Buffer, at: number): number {
  for (let i = start; i < end; i++) {
    const byte = data[i]!
    if (byte !== QUOTE) out[at++] = byte === COMMA ? BAR : byte
  }
  return at
}

function writeQuoted(data: Uint8Array, start: number, end: number, out: Buffer, at: number): number {
  out[at++] = QUOTE
  for (let i = start; i < end; i++) {
    const byte = data[i]!
    if (byte === QUOTE) out[at++] = QUOTE
    out[at++] = byte
  }
  out[at++] = QUOTE
  return at
}
