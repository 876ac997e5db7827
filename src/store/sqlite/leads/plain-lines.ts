// CSV lines of leads that have nothing to escape, copied from the bytes that are stored.
import { TIME_FIELDS } from "../../../core/lead.ts"
import { ListedLead } from "../../shared/stored-lead.ts"
import type { PlainLines } from "../../store.ts"
import { createPlainCells, LIST, OBJECT } from "./plain-cells.ts"

const COMMA = 44
const QUOTE = 34
const BAR = 124
const LF = 10
/** Bytes of a score. */
const SCORE_MAX = 32
const DATE_MAX = 32

export function createPlainLines(
  fields: readonly string[],
  attributeNames: readonly string[],
  dateText?: (seconds: number) => string,
): PlainLines {
  const { starts, ends, kinds, find } = createPlainCells(fields, attributeNames)
  const scoreColumn = fields.indexOf("score")
  const width = starts.length
  const times = new Set(dateText ? TIME_FIELDS.map((name) => fields.indexOf(name)) : [])
  return {
    room: (lead) => 2 * lead.room + width + SCORE_MAX + times.size * DATE_MAX,
    write(lead, out, start) {
      if (!(lead instanceof ListedLead) || !find(lead.bytes)) return -1
      const { bytes: data, score } = lead
      let at = start
      for (let column = 0; column < width; column++) {
        const end = ends[column]!
        if (column === scoreColumn) at += out.write(String(score), at, "latin1")
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
