#!/usr/bin/env node
// `npm test`: installs what is missing, then the type check and the lint beside the tests, since one of them alone leaves
// cores idle; what is wrong with types or lint ends the tests.
// Arguments go to `bun test`: npm test -- test/rest
import { spawn } from "node:child_process"
import { bun, installMissing } from "./setup.js"

await installMissing()
// The compiler keeps what it found here and checks only files that changed since.
const known = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/tsc.tsbuildinfo"]
// Checkers of their own repeat each other's work, and so does collecting garbage often.
const types = ["run", "--bun", "tsc", "--noEmit", "--checkers", "2", ...known]
const tests = start(["scripts/tests.ts", ...process.argv.slice(2)], "inherit")
await Promise.all([
  check("type check", types, { GOGC: "400" }),
  check("lint", ["run", "biome", "ci", "--error-on-warnings"]),
])
process.exit(await tests.ended)

/** Runs a check, whose output is printed in one piece; where it fails, the tests end and so does this process. */
async function check(name, argv, env = {}) {
  const { ended, output } = start(argv, "pipe", env)
  const code = await ended
  console.log(`\n> ${name}${code === 0 ? ": fine" : `\n${output()}`}`)
  if (code === 0) return
  tests.child.kill()
  await tests.ended
  process.exit(code)
}

/** Starts Bun; `ended` resolves with its exit code. */
function start(argv, stdio, env = {}) {
  const child = spawn(bun, argv, { stdio: ["inherit", stdio, stdio], env: { ...process.env, ...env } })
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (text += part))
  const ended = new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)))
  return { child, ended, output: () => text }
}
