import { dataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { check, note, skipped, spread, takeTurns } from "../harness.ts"
import { getRequests } from "../requests.ts"
import { type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, type Sent, wrk } from "../wrk.ts"

const WORK = "get_lead over MCP, above the same call over REST"
const VERSIONS = ["2025-06-18", "2026-07-28"] as const

/** Row 12: one connection that is kept open, one call after the other. */
export const mcp: Group = {
  name: "mcp",
  about: "a tool call over MCP against the same call over REST",
  async run({ program, scratch }) {
    if (!hasWrk) return [skipped(12, WORK, NO_WRK)]
    const data = await dataset(100_000)
    const service = await serve(program, data, "bound")
    try {
      const median = (origin: string, requests: Sent[]) => async () =>
        1e6 / (await wrk({ origin, requests, connections: 1, seconds: 2 }, scratch)).perSecond
      const works = {
        rest: median(service.origin, getRequests(service, data.ids)),
        [VERSIONS[0]]: median(service.mcpOrigin, callRequests(service, data.ids, VERSIONS[0])),
        [VERSIONS[1]]: median(service.mcpOrigin, callRequests(service, data.ids, VERSIONS[1])),
      }
      await refuseErrors(service, callRequests(service, data.ids, VERSIONS[0])[0]!)
      await refuseErrors(service, callRequests(service, data.ids, VERSIONS[1])[0]!)
      for (const work of Object.values(works)) await work()
      const times = await takeTurns(works)
      return [
        ...VERSIONS.map((version) => {
          const above = times[version].map((us, i) => us - times.rest[i]!)
          return check(12, `${WORK}, protocol ${version}`, spread(above), "<= 100", "us")
        }),
        note("get one by id over REST, one connection", spread(times.rest), "us"),
      ]
    } finally {
      await service.stop()
    }
  },
}

function callRequests({ headers }: Service, ids: readonly string[], version: string): Sent[] {
  const isModern = version === "2026-07-28"
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  return ids.map((id) => ({
    method: "POST",
    path: "/mcp",
    headers: {
      Authorization: `Bearer ${headers["X-API-Key"]}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": version,
      ...(isModern && { "Mcp-Method": "tools/call", "Mcp-Name": "get_lead" }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_lead", arguments: { id }, ...(isModern && { _meta }) },
    }),
  }))
}

/** A tool's error is a 200: without this its speed would be measured. */
async function refuseErrors(service: Service, { path, headers = {}, body = "" }: Sent): Promise<void> {
  const response = await fetch(`${service.mcpOrigin}${path}`, { method: "POST", headers, body })
  const text = await response.text()
  if (!response.ok || !text.includes("last_interaction_at")) {
    throw new Error(`get_lead over MCP answered ${response.status}: ${text.slice(0, 300)}`)
  }
}
