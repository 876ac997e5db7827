import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Row, RowResult } from "./row.ts"

/** The short form of a row of the torture table, always with the same seed unless told; it gives up after `seconds`. */
export async function runShort(row: Row, { seed = 1, seconds = 20 } = {}): Promise<RowResult> {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-torture-"))
  try {
    return await row.run({
      short: true,
      seconds,
      seed,
      program: [process.execPath, join(import.meta.dir, "../../src/main.ts")],
      folder,
      before: {},
      keep() {},
      progress() {},
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
