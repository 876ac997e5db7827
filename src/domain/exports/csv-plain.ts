// CSV lines of leads that have nothing to escape, copied from the bytes that are stored.
import type { StoredLead } from "../../core/lead.ts"
import { STANDARD_COLUMNS } from "./columns.ts"
import { createPlainCells, LIST, OBJECT } from "./plain-cells.ts"

const COMMA = 44
const QUOTE = 34
const BAR = 124
const LF = 10
const SCORE = STANDARD_COLUMNS.indexOf("score")
/** Bytes of a score. */
const SCORE_MAX = 32

export interface PlainLines {
  /** How many bytes the lead's line takes at most. */
  room(lead: StoredLead): number
  /** Writes the lead's line and returns where it ends; -1 when it is not plain and takes what `csvLines` does. */
  write(lead: StoredLead, out: Buffer, at: number): number
}

export function createPlainLines(attributeNames: readonly string[]): PlainLines {
  const { starts, ends, kinds, find } = createPlainCells(attributeNames)
  const width = starts.length
  return {
    room: ({ data }) => 2 * data.length + width + SCORE_MAX,
    write({ data, score }, out, start) {
      if (!find(data)) return -1
      let at = start
      for (let column = 0; column < width; column++) {
        const end = ends[column]!
        if (column === SCORE) at += out.write(String(score), at, "latin1")
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
