import { freePorts } from "../../../scripts/free-ports.ts"
import type { RowOptions } from "../row.ts"
import { createService, type Service } from "../service.ts"

/** One more account without limits on the file of a service; answers with its owner key. */
export async function newAccount(service: Service, plan = "enterprise"): Promise<string> {
  const { code, out, err } = await service.run([
    "accounts",
    "create",
    "--name",
    "another",
    "--plan",
    plan,
    "--json",
  ])
  if (code !== 0) throw new Error(`accounts create: ${err}`)
  return JSON.parse(out).api_key
}

/** A running service of a row, on ports of its own; whoever gets it ends it. */
export async function startService({
  program,
  folder,
}: RowOptions): Promise<{ service: Service; mcpUrl: string }> {
  const [port, mcpPort] = freePorts()
  const env = { LEADDB_PORT: String(port), LEADDB_MCP_PORT: String(mcpPort) }
  const service = createService({ program, folder, env })
  await service.start()
  return { service, mcpUrl: `http://127.0.0.1:${mcpPort}/mcp` }
}
