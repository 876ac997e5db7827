/** Rows whose remains are let pile up: some 20 MB, where the runtime by itself would wait for 100. */
const ROWS = 2_000

/**
 * To be told of rows that an import is done with, by halves when it has read them and when it has pushed them. Has what
 * they left in memory collected beside what others do; at once, which frees twice as much and takes 20 ms, where nobody
 * `waits`.
 */
export function garbageCollection(waits: "somebody" | "nobody" = "somebody"): (rows: number) => void {
  let left = 0
  return (rows) => {
    left += rows
    if (left < ROWS) return
    left = 0
    Bun.gc(waits === "nobody")
  }
}
