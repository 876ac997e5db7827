// The entry for the MCP registry: where the bundles are, and what they hash to.
import { basename } from "node:path"
import { sha256 } from "./checksums.ts"

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
/** Stands for what only the publisher knows; .example belongs to nobody. */
const PLACEHOLDER = { name: "example.leaddb/leaddb", url: "https://leaddb.example/releases" }

export const UNPUBLISHED =
  "server.json is not ready to publish: give --release-url and --registry-name, which stand as leaddb.example now"

interface Publication {
  version: string
  releaseUrl: string | undefined
  registryName: string | undefined
}

/** Writes server.json for bundles; answers with its path. */
export async function writeServerJson(
  path: string,
  bundles: readonly string[],
  publication: Publication,
): Promise<string> {
  const hashed: [name: string, hash: string][] = []
  for (const bundle of bundles) hashed.push([basename(bundle), await sha256(bundle)])
  await Bun.write(path, `${JSON.stringify(serverJson(hashed, publication), null, 2)}\n`)
  return path
}

/** The document. The repository is left out: the publisher adds it when there is a public one. */
export function serverJson(
  bundles: readonly (readonly [name: string, hash: string])[],
  { version, releaseUrl = `${PLACEHOLDER.url}/${version}`, registryName = PLACEHOLDER.name }: Publication,
) {
  return {
    $schema: SCHEMA,
    name: registryName,
    title: "leaddb",
    description: "A database of business leads on your own machine: find, merge, tag, score, export",
    version,
    packages: [
      {
        registryType: "npm",
        identifier: "leaddb",
        version,
        runtimeHint: "npx",
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: [
          { name: "LEADDB_DATA", description: "Folder that holds leads.db", default: "./data" },
        ],
        transport: { type: "stdio" },
      },
      ...bundles.map(([name, fileSha256]) => ({
        registryType: "mcpb",
        identifier: `${releaseUrl}/${name}`,
        fileSha256,
        transport: { type: "stdio" },
      })),
    ],
    remotes: [
      {
        type: "streamable-http",
        url: "https://{host}/mcp",
        variables: {
          host: {
            description: "Where your own leaddb's MCP server is (the host of LEADDB_MCP_PUBLIC_URL)",
            isRequired: true,
            placeholder: "mcp.example.com",
          },
        },
        headers: [
          {
            name: "Authorization",
            description: "Bearer and an API key; not needed by clients that sign in through the browser",
            value: "Bearer {api_key}",
            isSecret: true,
            variables: { api_key: { description: "API key of leaddb", isSecret: true } },
          },
        ],
      },
    ],
  }
}
