// Runs the tests for `npm test`. A whole run tests what people run, an executable that is built first; files that are
// named behind `npm test --` run the source.
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { serverPrograms, startServer } from "../test/support/postgres-server.ts"
import { build, buildModules } from "./build/executable.ts"
import { runAll } from "./tests/whole-run.ts"

const ROOT = join(import.meta.dir, "..")
const TIMEOUT = 120_000
/** Beyond the timeout of a test, and of what it leaves to be closed. */
const SILENCE = TIMEOUT + 60_000

const named = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "leaddb-tested-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Environment of a whole run: what each test process would otherwise make for itself. */
async function shared(): Promise<Record<string, string>> {
  const LEADDB_TEST_PROGRAM = await build({ outfile: join(folder, "leaddb") })
  const LEADDB_TEST_ENTRY = await buildModules(join(folder, "modules"))
  const built = { LEADDB_TEST_PROGRAM, LEADDB_TEST_ENTRY }
  const programs = serverPrograms()
  if (process.env.LEADDB_TEST_POSTGRES !== undefined || !programs) return built
  return { ...built, LEADDB_TEST_POSTGRES: startServer(programs) }
}

// One more than there are cores: some tests wait for leases and for browsers.
const flags = [`--parallel=${availableParallelism() + 1}`, "--no-isolate"]

let tests: Bun.Subprocess | undefined
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => tests?.kill(signal))

async function runNamed(): Promise<number> {
  tests = Bun.spawn([process.execPath, "test", ...flags, "--timeout", String(TIMEOUT), ...named], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  return tests.exited
}

async function runWhole(): Promise<number> {
  return runAll({
    root: ROOT,
    files: [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].toSorted(),
    // The longest first, by an earlier run.
    flags: [
      ...flags,
      "--timings=test/timings.json",
      ...(process.env.UPDATE_TIMINGS ? ["--update-timings"] : []),
    ],
    env: { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: "1" }), ...(await shared()) },
    timeout: TIMEOUT,
    silence: SILENCE,
    started: (started) => {
      tests = started
    },
    print: (text) => process.stderr.write(text),
  })
}

process.exit(await (named.length > 0 ? runNamed() : runWhole()))
