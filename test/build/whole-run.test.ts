// A whole run of the tests forgives a test that fails beside others and passes alone, and nothing else.
import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runAll } from "../../scripts/tests/whole-run.ts"
import { temporaryFolder } from "../support/folder.ts"

/** Runs files of tests, given as the bodies of one test each. */
async function run(bodies: Record<string, string>, silence = 60_000) {
  const root = temporaryFolder()
  mkdirSync(join(root, "test"))
  const files = Object.entries(bodies).map(([name, body]) => {
    const path = `test/${name}.test.ts`
    writeFileSync(join(root, path), body)
    return path
  })
  let printed = ""
  const code = await runAll({
    root,
    files,
    env: process.env,
    flags: ["--parallel=2", "--no-isolate"],
    timeout: 30_000,
    silence,
    print: (text) => {
      printed += text
    },
  })
  return { code, printed, unsteady: printed.split("unsteady: passed when run alone\n")[1] }
}

const IMPORTS =
  'import { describe, expect, test } from "bun:test"; import { existsSync, writeFileSync } from "node:fs"\n'
const FIRST =
  "const is = existsSync(import.meta.path + '.ran'); writeFileSync(import.meta.path + '.ran', '');\n"
const passing = `${IMPORTS}test("passes", () => {})`
const failing = `${IMPORTS}test("fails", () => { throw new Error("always") })`
const once = `${IMPORTS}${FIRST}describe("a <b>", () => { test("fails once", () => { if (!is) throw new Error("once") }) })`
const onLoad = `${IMPORTS}${FIRST}if (!is) throw new Error("at load"); test("loads later", () => {})`
const endless = `${IMPORTS}${FIRST}test("never ends", () => { if (!is) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) })`

test("a run that passes says nothing of it", async () => {
  expect(await run({ one: passing, two: passing })).toMatchObject({ code: 0, unsteady: undefined })
})

test("a test that fails twice fails the run", async () => {
  const { code, unsteady } = await run({ one: failing, two: passing })
  expect([code, unsteady]).toEqual([1, undefined])
})

test("a test that passes alone is named, and the run passes", async () => {
  const { code, unsteady } = await run({ one: once, two: passing })
  expect([code, unsteady]).toEqual([0, "  test/one.test.ts: a <b> > fails once\n"])
})

test("one that passes alone does not excuse one that does not", async () => {
  const { code, unsteady } = await run({ one: once, two: failing })
  expect([code, unsteady]).toEqual([1, "  test/one.test.ts: a <b> > fails once\n"])
})

test("a file that is not even loaded is run again, too", async () => {
  const { code, unsteady } = await run({ one: onLoad, two: passing })
  expect([code, unsteady]).toEqual([0, "  test/one.test.ts: (not run)\n"])
})

test("a test that never yields is ended with the run, and its file is run again", async () => {
  const { code, printed, unsteady } = await run({ one: endless, two: passing }, 10_000)
  expect(printed).toContain("no test has ended for 10 seconds")
  expect([code, unsteady]).toEqual([0, "  test/one.test.ts: (worker crashed)\n"])
})
