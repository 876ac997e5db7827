// The tests, as `npm test` runs them: whole, they run what people run, an executable that is built first; only some
// of them, named behind `npm test --`, run the source.
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "./build/executable.ts"

const named = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "leaddb-tested-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const program =
  named.length === 0 ? { LEADDB_TEST_PROGRAM: await build({ outfile: join(folder, "leaddb") }) } : {}
// One more than there are cores: some tests wait for leases and for browsers.
const parallel = `--parallel=${availableParallelism() + 1}`
const tests = Bun.spawn(
  [process.execPath, "test", parallel, "--no-isolate", "--timeout", "120000", ...named],
  { env: { ...process.env, ...program }, stdio: ["ignore", "inherit", "inherit"] },
)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => tests.kill(signal))
process.exit(await tests.exited)
