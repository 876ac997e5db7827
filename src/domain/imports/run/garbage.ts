/** Rows after which memory is collected: some 20 MB, where the runtime by itself would wait for 100. */
const ROWS = 2_000

/**
 * Collects garbage as an import reads and pushes rows; call it with the rows done, by halves after reading and after
 * pushing. Synchronous collection frees twice as much, but blocks the thread for 20 ms.
 */
export function garbageCollection(mode: "concurrent" | "synchronous" = "concurrent"): (rows: number) => void {
  let left = 0
  return (rows) => {
    left += rows
    if (left < ROWS) return
    left = 0
    Bun.gc(mode === "synchronous")
  }
}
