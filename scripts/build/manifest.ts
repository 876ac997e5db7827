// biome-ignore-all lint/suspicious/noTemplateCurlyInString: clients fill these in
// What a bundle for MCP clients (.mcpb) says of itself: clients read it to install leaddb with one click.
import packageJson from "../../package.json" with { type: "json" }
import { operations } from "../../src/domain/operations/index.ts"
import { makeTools } from "../../src/surfaces/mcp/tools.ts"
import type { Target } from "./targets.ts"

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
