// Installs the dependencies that package-lock.json names when they are missing or out of date.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const stamp = join(root, "node_modules", ".leaddb-lock")

/** The path of the Bun executable that the project depends on. */
export const bun = join(root, "node_modules", "bun", "bin", "bun.exe")

/** Runs `npm ci` unless node_modules already answers to the present package-lock.json. Output goes to stderr. */
export function installMissing() {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8")
  if (existsSync(bun) && existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return
  process.stderr.write("Installing dependencies (first run only)...\n")
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  const { status } = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  })
  if (status !== 0) {
    process.stderr.write(
      "npm ci failed: see above. Check the connection to the npm registry and try again.\n",
    )
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}
