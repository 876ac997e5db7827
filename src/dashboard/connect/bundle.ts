// A bundle for desktop clients (.mcpb): a ZIP of a manifest and of a program that passes messages on to this service.
import { t } from "../core/text.ts"
import { BRIDGE } from "./bridge.ts"
import { zipOf } from "./zip.ts"

/** The bundle, with the address and, where it is known, the key filled in. */
export function bundleOf({ mcp, key }: { mcp: string; key: string }): Blob {
  return zipOf([
    ["manifest.json", JSON.stringify(manifestOf(mcp, key), null, 2)],
    ["server/index.cjs", BRIDGE],
  ])
}

/** By version 0.3 of the format; clients put their own values into `user_config`. */
function manifestOf(mcp: string, key: string) {
  const filledIn = (name: string) => `\${${name}}`
  return {
    manifest_version: "0.3",
    name: "leaddb",
    display_name: "leaddb",
    version: "2.0.0",
    description: t("The leads of your leaddb service"),
    author: { name: "leaddb" },
    server: {
      type: "node",
      entry_point: "server/index.cjs",
      mcp_config: {
        command: "node",
        args: [`${filledIn("__dirname")}/server/index.cjs`],
        env: {
          LEADDB_MCP_URL: filledIn("user_config.url"),
          LEADDB_API_KEY: filledIn("user_config.api_key"),
        },
      },
    },
    user_config: {
      url: {
        type: "string",
        title: t("Address"),
        description: t("The MCP address of leaddb"),
        default: mcp,
        required: true,
      },
      api_key: {
        type: "string",
        title: t("API key"),
        description: t("Created in leaddb under Connect or Keys"),
        ...(key !== "" && { default: key }),
        required: true,
        sensitive: true,
      },
    },
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=18" } },
  }
}
