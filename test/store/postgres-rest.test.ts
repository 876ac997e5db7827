// What REST tests say of stored things holds on PostgreSQL as well. They run in a process of its own, whose accounts share
// one service, since the engine is chosen when a process begins.
import { expect, test } from "bun:test"
import { hasPostgres } from "../support/postgres.ts"
import { words } from "../support/words.ts"

const FILES = words(`
  activities activity api-keys attributes changes dedup feed filter-agrees filters idempotency list members notes phones
  revert scoring-rules
`).map((name) => `test/rest/${name}.test.ts`)

test.skipIf(!hasPostgres)(
  "REST tests pass on PostgreSQL",
  async () => {
    const child = Bun.spawn([process.execPath, "test", "--timeout", "120000", ...FILES], {
      env: { ...process.env, LEADDB_TEST_DATABASE: "postgres" },
      stdio: ["ignore", "ignore", "pipe"],
    })
    const said = await new Response(child.stderr).text()
    expect(said.split("\n").filter((line) => /^\((fail|skip)\)|^error:/.test(line))).toEqual([])
    expect([await child.exited, said.match(/across (\d+) files/)?.[1]]).toEqual([0, String(FILES.length)])
  },
  600_000,
)
