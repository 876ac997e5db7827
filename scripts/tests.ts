// Runs the tests for `npm test`: those of the file engine, REST, tools, imports and the dashboard's main pages. `--all`
// runs everything, `--rest` what `npm test` leaves out. These three test what people run, an executable that is built
// first; files that are named behind `npm test --` run the source.
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

/**
 * What `npm test` leaves out: the other engine and moves to it, services side by side, kills and attacks, clients,
 * releases, checks of the source as a whole, and pages that are not opened every day.
 */
const LONG = [
  "test/{attacks,build,client,clients,instances,patterns,release,torture}/**",
  "test/{deploy,docs-examples}.test.ts",
  "test/**/*{postgres,move,kill,crash,interrupted,secrets,upgrade,older,stopping,conformance,conversion}*",
  "test/cli/{auto-backup,check,compact,restore,restore-suppressions,serve}.test.ts",
  "test/dashboard/{access,activity,attributes,companies,contacting,day,do-not-contact,duplicates,everyday,german,hostile,imports,intake,keys}.test.ts",
  "test/dashboard/{languages,live,narrow,newcomer,pages,privacy,share,stages,start,work}.test.ts",
  "test/matching/malls.test.ts",
  "test/http/{overload,slow-clients,workers}.test.ts",
  "test/mcp/{agent-jobs,cancel,progress,transports}.test.ts",
  "test/oauth/{browser,dashboard-sign-in}.test.ts",
  "test/rest/{attribute-definitions,declared-errors,deep-json,enrichment,export-tables,filter-agrees,key-segment,long-lists}.test.ts",
  "test/rest/{erase-bytes,imports,links,next-step,oidc,rights,second-columns,segment-events,suppressions}.test.ts",
  "test/store/{large-lists,trail,trail-news}.test.ts",
  "test/worker/{deliveries-clock,matching-version,questions,questions-alike}.test.ts",
].map((pattern) => new Bun.Glob(pattern))
const isLong = (file: string) => LONG.some((glob) => glob.match(file))

const SELECTIONS: Record<string, (file: string) => boolean> = {
  "": (file) => !isLong(file),
  "--all": () => true,
  "--rest": isLong,
}

const named = process.argv.slice(2)
const selection = SELECTIONS[named.join(" ")]
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

// More than there are cores: many tests wait for leases, matching and browsers.
const flags = [`--parallel=${availableParallelism() + 2}`, "--no-isolate"]

let tests: Bun.Subprocess | undefined
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => tests?.kill(signal))

async function runNamed(): Promise<number> {
  tests = Bun.spawn([process.execPath, "test", ...flags, "--timeout", String(TIMEOUT), ...named], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  return tests.exited
}

async function runSelected(isSelected: (file: string) => boolean): Promise<number> {
  const all = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].toSorted()
  const files = all.filter(isSelected)
  const code = await runAll({
    root: ROOT,
    files,
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
  const rest = all.length - files.length
  if (rest > 0)
    process.stderr.write(`\n${files.length} of ${all.length} files of tests; npm test -- --all runs all.\n`)
  return code
}

process.exit(await (selection ? runSelected(selection) : runNamed()))
