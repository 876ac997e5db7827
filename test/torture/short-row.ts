import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isMissing } from "../support/missing.ts"
import { PROGRAM } from "../support/service.ts"
import type { Row, RowResult } from "./row.ts"

/** The short form of a row of the torture table, always with the same seed; it goes on until it has seen enough. */
export async function runShort(row: Row): Promise<RowResult> {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-torture-"))
  try {
    const result = await row.run({
      short: true,
      seconds: 300,
      seed: 1,
      program: PROGRAM,
      folder,
      before: {},
      keep() {},
      progress() {},
    })
    isMissing(`torture ${row.name}`, !result.numbers.skipped, result.result.replace("skipped: ", ""))
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
