// Checks the OpenAPI document and makes the client, by packages of their own beside this file, which `npm run client`
// installs where they are missing.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const FOLDER = import.meta.dir
const STAMP = join(FOLDER, "node_modules/.leaddb-lock")

/** The path of a file of an installed package. */
export const tool = (path: string): string => join(FOLDER, "node_modules", path)

/** Runs a program of the tools or the machine. Returns what it wrote. Throws when it fails. */
export function run(program: string, args: string[], cwd = FOLDER): string {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    shell: process.platform === "win32",
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error ?? stdout}`)
  return stdout
}

export function installMissing(): void {
  const lock = readFileSync(join(FOLDER, "package-lock.json"), "utf8")
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === lock) return
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
  writeFileSync(STAMP, lock)
}

/** Holds a document against strict rules. Returns a line that says so. Throws when there is anything to find fault with. */
export function lint(document: string): string {
  return run("node", [join(FOLDER, "lint.js"), document])
}

/** The types of a document, as openapi-typescript writes them. */
export function typesOf(document: string): string {
  // A body may leave out what has a default.
  return run("node", [tool("openapi-typescript/bin/cli.js"), document, "--default-non-nullable=false"])
}
