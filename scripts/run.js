#!/usr/bin/env node
// Runs a command of this project with the Bun it depends on, installing what is missing first,
// so that a fresh clone needs nothing but Node and npm. Plain JavaScript, since Node 20 reads no TypeScript.
// Usage: node scripts/run.js FILE [arguments...]
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { bun, installMissing } from "./setup.js"

await installMissing(process.argv[2] === "src/main.ts")
const child = spawn(bun, process.argv.slice(2), { stdio: "inherit" })
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
