// Calls of tools without a client library: one message, one answer.
import { type Inside, MCP } from "./in-process.ts"

interface Called {
  data?: unknown
  error?: { code: string; message: string; status: number }
}

/** The request of a tool call. */
export function toolRequest(key: string, name: string, args: unknown): Request {
  return new Request(MCP, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Host: "127.0.0.1",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  })
}

/** What a tool answers. Throws when that is no result of a tool. */
export async function callTool(service: Inside, key: string, name: string, args: unknown): Promise<Called> {
  const response = await service.fetch(toolRequest(key, name, args))
  const answer = JSON.parse(await response.text())
  const structured = answer.result?.structuredContent
  if (response.status !== 200 || !structured)
    throw new Error(`${response.status} ${JSON.stringify(answer).slice(0, 500)}`)
  return structured
}
