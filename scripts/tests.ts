// Runs the tests for `npm test`. A whole run tests what people run, an executable that is built first; files that are
// named behind `npm test --` run the source.
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { serverPrograms, startServer } from "../test/support/postgres-server.ts"
import { build } from "./build/executable.ts"

const named = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "leaddb-tested-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Environment of a whole run: what each test process would otherwise make for itself. */
async function shared(): Promise<Record<string, string>> {
  const LEADDB_TEST_PROGRAM = await build({ outfile: join(folder, "leaddb") })
  const programs = serverPrograms()
  if (process.env.LEADDB_TEST_POSTGRES !== undefined || !programs) return { LEADDB_TEST_PROGRAM }
  return { LEADDB_TEST_PROGRAM, LEADDB_TEST_POSTGRES: startServer(programs) }
}

// One more than there are cores: some tests wait for leases and for browsers.
const parallel = `--parallel=${availableParallelism() + 1}`
const tests = Bun.spawn(
  [process.execPath, "test", parallel, "--no-isolate", "--timeout", "120000", ...named],
  {
    env: { ...process.env, ...(named.length === 0 ? await shared() : {}) },
    stdio: ["ignore", "inherit", "inherit"],
  },
)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => tests.kill(signal))
process.exit(await tests.exited)
