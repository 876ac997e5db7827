// One .mcpb per target: an executable is 100 MB, so that a bundle for all would be five times what anybody needs.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleManifest } from "./manifest.ts"
import type { Target } from "./targets.ts"

const TOOL = join(import.meta.dir, "../mcpb")
const CLI = join(TOOL, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js")

/** Puts an executable into a bundle, which is validated. Throws an Error with what the tool said. */
export async function packBundle(executable: string, target: Target, bundle: string): Promise<void> {
  installTool()
  const folder = mkdtempSync(join(tmpdir(), "leaddb-mcpb-"))
  try {
    const manifest = bundleManifest(target)
    const inside = join(folder, manifest.server.entry_point)
    mkdirSync(join(folder, "server"))
    cpSync(executable, inside)
    cpSync(join(TOOL, "icon.png"), join(folder, "icon.png"))
    await Bun.write(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`)
    mcpb("validate", join(folder, "manifest.json"))
    rmSync(bundle, { force: true })
    mcpb("pack", folder, bundle)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The bundler has a lock of its own, so that those who only run leaddb do not install it. */
function installTool(): void {
  const { version } = JSON.parse(readFileSync(join(TOOL, "package-lock.json"), "utf8")).packages[
    "node_modules/@anthropic-ai/mcpb"
  ]
  const installed = join(TOOL, "node_modules/@anthropic-ai/mcpb/package.json")
  if (existsSync(installed) && JSON.parse(readFileSync(installed, "utf8")).version === version) return
  console.error(`Installing @anthropic-ai/mcpb ${version}...`)
  const npm = process.platform === "win32" ? ["cmd", "/c", "npm"] : ["npm"]
  run([...npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], TOOL)
}

function mcpb(...args: string[]): void {
  run(["node", CLI, ...args], TOOL)
}

function run(cmd: string[], cwd: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync({ cmd, cwd })
  if (exitCode !== 0) throw new Error(`${cmd.join(" ")} failed:\n${stdout}${stderr}`)
}
