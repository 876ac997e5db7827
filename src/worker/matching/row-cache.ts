// Rows of leads in large pieces of memory: an array each would take half as much again.

import { ROW_MAX } from "../../matching/matcher/index.ts"

/** Integers of a piece: 1 MB. */
const PIECE = 2 ** 18
const PIECES_MAX = 32

export interface RowCache {
  has(ref: number): boolean
  /** The row, with whatever follows it in its piece. */
  rowOf(ref: number): Int32Array | undefined
  /** Makes room for so many rows, in place of the oldest ones once all pieces are full. */
  reserve(rows: number): void
  /** Keeps a row; none is dropped for it where room was made. */
  keep(ref: number, row: Int32Array): void
  forget(ref: number): void
  clear(): void
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
    has: (ref) => places.has(ref),
    rowOf(ref) {
      const place = places.get(ref)
      return place === undefined ? undefined : pieces.get(Math.trunc(place / PIECE))!.subarray(place % PIECE)
    },
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
  }
}
