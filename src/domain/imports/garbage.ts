/** Rows whose remains are let pile up: some 20 MB, where the runtime by itself would wait for 100. */
const ROWS = 5_000

/** To be told of rows that are behind an import: has what they left in memory collected, while others go on. */
export function garbageCollection(): (rows: number) => void {
  let left = 0
  return (rows) => {
    left += rows
    if (left < ROWS) return
    left = 0
    Bun.gc(false)
  }
}
