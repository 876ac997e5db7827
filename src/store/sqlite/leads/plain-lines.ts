// CSV lines of leads that have nothing to escape, copied from the bytes that are stored.
import { ACTIVITY_FIELDS, TIME_FIELDS } from "../../../core/lead.ts"
import { ListedLead } from "../../shared/stored-lead.ts"
import type { PlainLines } from "../../store.ts"
import { createPlainCells, LIST, OBJECT } from "./plain-cells.ts"

const COMMA = 44
const QUOTE = 34
const BAR = 124
const LF = 10
/** Bytes of a score or another number. */
const NUMBER_MAX = 32
const DATE_MAX = 32

export function createPlainLines(
  fields: readonly string[],
  attributeNames: readonly string[],
  dateText?: (seconds: number) => string,
): PlainLines {
  const { starts, ends, kinds, find } = createPlainCells(fields, attributeNames)
  const scoreColumn = fields.indexOf("score")
  const width = starts.length
  const activityColumns = new Map(
    ACTIVITY_FIELDS.map((name) => [fields.indexOf(name), name] as const).filter(([column]) => column >= 0),
  )
  const isTime = (name: string) => TIME_FIELDS.some((field) => field === name)
  const times = new Set(dateText ? TIME_FIELDS.map((name) => fields.indexOf(name)) : [])
  return {
    room: (lead) => 2 * lead.room + width + (1 + ACTIVITY_FIELDS.length) * NUMBER_MAX + times.size * DATE_MAX,
    write(lead, out, start) {
      if (!(lead instanceof ListedLead) || !find(lead.bytes)) return -1
      const { bytes: data, score } = lead
      const activity = activityColumns.size > 0 ? lead.activity : undefined
      let at = start
      for (let column = 0; column < width; column++) {
        const end = ends[column]!
        const done = activityColumns.get(column)
        if (done !== undefined) {
          const value = activity![done]
          const text = value === null ? "" : dateText && isTime(done) ? dateText(value) : String(value)
          at += out.write(text, at, "latin1")
        } else if (column === scoreColumn) at += out.write(String(score), at, "latin1")
        else if (times.has(column) && end > starts[column]!)
          at += out.write(dateText!(numberAt(data, starts[column]!, end)), at, "latin1")
        else if (kinds[column] === LIST) at = writeList(data, starts[column]!, end, out, at)
        else if (kinds[column] === OBJECT) at = writeQuoted(data, starts[column]!, end, out, at)
        else for (let i = starts[column]!; i < end; i++) out[at++] = data[i]!
        out[at++] = COMMA
      }
      out[at - 1] = LF
      return at
    },
  }
}

function numberAt(data: Uint8Array, start: number, end: number): number {
  let number = 0
  for (let i = start; i < end; i++) number = number * 10 + data[i]! - 48
  return number
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
