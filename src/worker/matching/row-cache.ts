// Rows of leads in large pieces of memory: an array each would take half as much again.

import { ROW_MAX } from "../../matching/matcher/index.ts"

/** Integers of a piece: 1 MB. */
const PIECE = 2 ** 18
const PIECES_MAX = 32

export interface RowCache {
  /** Where a lead's row is kept; undefined where it is not. */
  placeOf(ref: number): number | undefined
  /** Makes room for so many rows, in place of the oldest ones once all pieces are full. */
  reserve(rows: number): void
  /** Keeps a row; none is dropped for it where room was made. */
  keep(ref: number, row: Int32Array): void
  forget(ref: number): void
  clear(): void
  /** The piece that a place is in, and the row's beginning there. */
  pieceOf(place: number): Int32Array
  beginOf(place: number): number
}

export function createRowCache(): RowCache {
  /** The number of its piece times PIECE, and its beginning there. */
  const places = new Map<number, number>()
  const pieces = new Map<number, Int32Array>()
  let [newest, used] = [-1, PIECE]

  function begin(): void {
    newest++
    used = 0
    const oldest = newest - PIECES_MAX
    const piece = pieces.get(oldest) ?? new Int32Array(PIECE)
    pieces.delete(oldest)
    pieces.set(newest, piece)
    // In the order in which they were kept.
    for (const [ref, place] of places) {
      if (place >= (oldest + 1) * PIECE) break
      places.delete(ref)
    }
  }

  return {
    placeOf: (ref) => places.get(ref),
    reserve(rows) {
      if (used + Math.min(rows * ROW_MAX, PIECE) > PIECE) begin()
    },
    keep(ref, row) {
      if (used + row.length > PIECE) begin()
      pieces.get(newest)!.set(row, used)
      places.delete(ref)
      places.set(ref, newest * PIECE + used)
      used += row.length
    },
    forget: (ref) => void places.delete(ref),
    clear() {
      places.clear()
      pieces.clear()
      used = PIECE
    },
    pieceOf: (place) => pieces.get(Math.trunc(place / PIECE))!,
    beginOf: (place) => place % PIECE,
  }
}
