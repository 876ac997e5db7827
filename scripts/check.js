#!/usr/bin/env node
// `npm test`: installs what is missing, then type check, lint and tests; stops at the first that fails.
// Arguments go to `bun test`: npm test -- test/rest
import { spawnSync } from "node:child_process"
import { bun, installMissing } from "./setup.js"

await installMissing()
// The compiler keeps what it found here and checks only files that changed since.
const known = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/tsc.tsbuildinfo"]
const steps = [
  ["type check", ["run", "--bun", "tsc", "--noEmit", ...known]],
  ["lint", ["run", "biome", "ci", "--error-on-warnings"]],
  ["tests", ["scripts/tests.ts", ...process.argv.slice(2)]],
]
for (const [name, argv] of steps) {
  console.log(`\n> ${name}`)
  const { status } = spawnSync(bun, argv, { stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}
