import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Numbers, Row } from "../../scripts/torture/row.ts"
import { isMissing } from "../support/missing.ts"
import { PROGRAM } from "../support/service.ts"

/** Seconds that a short form may take: it ends as soon as it has seen enough, and a busy machine takes its time. */
const PATIENCE = 300

/** Tests the short form of a row of the torture table, always with the same seed; `numbers` are what it must count. */
export function testShort(claim: string, row: Row, numbers: Numbers = {}): void {
  test(
    claim,
    async () => {
      const said: string[] = []
      const folder = mkdtempSync(join(tmpdir(), "leaddb-torture-"))
      try {
        const result = await row.run({
          short: true,
          seconds: PATIENCE,
          seed: 1,
          program: PROGRAM,
          folder,
          before: {},
          keep() {},
          progress: (text) => said.push(text),
        })
        isMissing(`torture ${row.name}`, !result.numbers.skipped, result.result.replace("skipped: ", ""))
        expect({ ...result, said }).toMatchObject({ ok: true, numbers })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    PATIENCE * 1_000,
  )
}
