// A run of many files of tests: all at once, then those that failed once more, each alone.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Files that are run again at most: where more have failed, something is broken. */
const AGAIN_MAX = 10

interface WholeRun {
  /** The folder in which `bun test` is run. */
  root: string
  /** Paths of the test files from there. */
  files: readonly string[]
  /** Flags of the run of all these files, such as `--parallel`. */
  flags?: readonly string[]
  env: Record<string, string | undefined>
  /** Milliseconds that a test may take. */
  timeout: number
  /** Milliseconds without any output after which a run is ended: a test that never yields has no timeout. */
  silence: number
  /** Called with what is run, and with what is printed. */
  started?(test: Bun.Subprocess): void
  print(text: string): void
}

/** Runs all files, and those that failed once more. Resolves with the exit code. */
export async function runAll(run: WholeRun): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-report-"))
  const report = join(folder, "junit.xml")
  try {
    const flags = [...(run.flags ?? []), "--reporter=junit", `--reporter-outfile=${report}`]
    const code = await runTests(run, [...flags, ...run.files.map((file) => `./${file}`)])
    if (code === 0) return 0
    const failed = failuresIn(existsSync(report) ? readFileSync(report, "utf8") : "", run.files)
    return failed.size === 0 || failed.size > AGAIN_MAX ? code : await runAgain(run, failed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs each failed file alone. Resolves with 0 where all pass, which is said, too. */
async function runAgain(run: WholeRun, failed: ReadonlyMap<string, readonly string[]>): Promise<number> {
  const unsteady: string[] = []
  let code = 0
  for (const [file, names] of failed) {
    run.print(`\n${file} failed and is run once more, alone:\n`)
    const again = await runTests(run, [`./${file}`])
    code ||= again
    if (again === 0) unsteady.push(...names.map((name) => `  ${file}: ${name}`))
  }
  if (unsteady.length > 0) run.print(`\nunsteady: passed when run alone\n${unsteady.join("\n")}\n`)
  return code
}

/** Runs `bun test`, and ends it when it says nothing any more. Resolves with its exit code. */
async function runTests(run: WholeRun, args: readonly string[]): Promise<number> {
  const tests = Bun.spawn([process.execPath, "test", "--timeout", String(run.timeout), ...args], {
    cwd: run.root,
    env: run.env,
    stdio: ["ignore", "pipe", "pipe"],
  })
  run.started?.(tests)
  const end = () => {
    run.print(`\nno test has ended for ${run.silence / 1_000} seconds: the run is ended\n`)
    tests.kill()
  }
  let timer = setTimeout(end, run.silence)
  async function pass(output: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of output) {
      clearTimeout(timer)
      timer = setTimeout(end, run.silence)
      run.print(decoder.decode(chunk, { stream: true }))
    }
  }
  await Promise.all([pass(tests.stdout), pass(tests.stderr)])
  clearTimeout(timer)
  return tests.exited
}

/**
 * Names of the failed tests by their files, from a report in JUnit's format. Files that it does not name failed before
 * their first test, or were still to be run when the run ended.
 */
function failuresIn(report: string, files: readonly string[]): Map<string, string[]> {
  const failed = new Map<string, string[]>()
  const told = new Set(
    [...report.matchAll(/<testsuite [^>]*?file="([^"]*)"/g)].map(([, file]) => plain(file!)),
  )
  for (const [, tag = ""] of report.matchAll(/<testcase ([^>]*)>\s*<failure/g)) {
    const { file = "", classname = "", name = "" } = attributesOf(tag)
    failed.set(file, [...(failed.get(file) ?? []), classname === "" ? name : `${classname} > ${name}`])
  }
  for (const file of files) if (!told.has(file)) failed.set(file, ["(not run)"])
  return failed
}

function attributesOf(tag: string): Record<string, string> {
  const pairs = [...tag.matchAll(/([a-z]+)="([^"]*)"/g)]
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, plain(value)]))
}

const SIGNS: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }

function plain(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|([a-z]+));/g, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (SIGNS[name] ?? all),
  )
}
