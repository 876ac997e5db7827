// biome-ignore-all lint/suspicious/noTemplateCurlyInString: clients fill these in
// One .mcpb per target: an executable is 100 MB, so that a bundle for all would be five times what anybody needs.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { operations } from "../../src/domain/operations/index.ts"
import { makeTools } from "../../src/surfaces/mcp/tools.ts"
import type { Target } from "./targets.ts"

// What a bundle for MCP clients (.mcpb) says of itself: clients read it to install leaddb with one click.
const { version, license } = packageJson
const REPOSITORY = `https://github.com/${process.env.GITHUB_REPOSITORY ?? "leaddb/leaddb"}`
/** Nothing leaves the machine: the page says so, as directories of bundles ask for one. */
const PRIVACY_POLICY = `${REPOSITORY}/blob/main/SECURITY.md#privacy`

/** The manifest of a bundle for one target, by version 0.3 of the format. */
export function bundleManifest({ system }: Pick<Target, "system">) {
  const executable = `server/leaddb${system === "win32" ? ".exe" : ""}`
  return {
    manifest_version: "0.3",
    name: "leaddb",
    display_name: "leaddb",
    version,
    description: "Your database of business leads, on your own machine",
    long_description:
      "Works with leads in a SQLite file on this machine: find, create, merge, tag, score and export them, " +
      "keep notes and custom attributes. Nothing leaves the machine but the webhooks that you set up. " +
      "A leaddb service may run on the same folder at the same time.",
    author: { name: "leaddb" },
    license,
    privacy_policies: [PRIVACY_POLICY],
    documentation: REPOSITORY,
    keywords: ["leads", "crm", "sales", "database", "sqlite"],
    icon: "icon.png",
    server: {
      type: "binary",
      entry_point: executable,
      mcp_config: {
        command: `\${__dirname}/${executable}`,
        args: ["mcp"],
        env: { LEADDB_DATA: "${user_config.data}", LEADDB_API_KEY: "${user_config.api_key}" },
      },
    },
    user_config: {
      data: {
        type: "directory",
        title: "Data folder",
        description: "Holds leads.db; made when it is not there",
        default: "${HOME}/leaddb",
        required: true,
      },
      api_key: {
        type: "string",
        title: "API key",
        description: "Whose leads, and with which role; leave it empty to be the owner of the only account",
        default: "",
        required: false,
        sensitive: true,
      },
    },
    tools: [...makeTools(operations).values()]
      .filter(({ toolset }) => toolset === undefined)
      .map(({ card: { name, description } }) => ({ name, description })),
    compatibility: { platforms: [system] },
  }
}

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
