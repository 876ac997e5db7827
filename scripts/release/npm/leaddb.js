#!/usr/bin/env node
// Runs the leaddb executable of this machine, which npm installs as an optional dependency.

const { spawn } = require("node:child_process")
const { constants } = require("node:os")
const { readFileSync } = require("node:fs")

/** Milliseconds between two looks at whether npm is still there. */
const LOOK_EVERY = 250
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"]

/** The platform package of this machine, such as `@leaddb/linux-x64-musl`. */
function packageName() {
  const isMusl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime
  return `@leaddb/${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`
}

function executable() {
  const name = packageName()
  const file = `${name}/bin/leaddb${process.platform === "win32" ? ".exe" : ""}`
  try {
    return require.resolve(file)
  } catch {
    const known = Object.keys(require("../package.json").optionalDependencies)
    const why = known.includes(name)
      ? `${name} is not installed. It is an optional dependency of leaddb: install leaddb again, without --omit=optional and --no-optional.`
      : `there is no executable for ${process.platform} ${process.arch}; there are ${known.join(", ")}.`
    process.stderr.write(`leaddb: ${why}\n`)
    process.exit(1)
  }
}

/**
 * The processes between npm and this one: npm runs it in a shell, and ends without passing signals on. Empty where npm did
 * not start it: then a parent that goes away, such as the shell of `nohup leaddb &`, ends nothing.
 */
function startedBy() {
  if (process.env.npm_command !== "exec" && process.env.npm_lifecycle_event === undefined) return []
  const found = [process.ppid]
  try {
    // The number behind the name in parentheses and the state; Linux alone has this file.
    found.push(
      Number(
        readFileSync(`/proc/${process.ppid}/stat`, "utf8")
          .replace(/^.*\) \S /s, "")
          .split(" ")[0],
      ),
    )
  } catch {}
  return found.filter((id) => id > 1)
}

function isAlive(id) {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

const child = spawn(executable(), process.argv.slice(2), { stdio: "inherit", windowsHide: true })
for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
const parents = startedBy()
if (parents.length > 0) {
  const parent = process.ppid
  const isOrphan = () => process.ppid !== parent || !parents.every(isAlive)
  setInterval(() => isOrphan() && child.kill("SIGTERM"), LOOK_EVERY).unref()
}
child.on("error", (error) => {
  process.stderr.write(`leaddb: the executable could not be started: ${error.message}\n`)
  process.exit(1)
})
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
