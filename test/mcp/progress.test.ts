// A call with a progress token is told how far its job is, in every version of the protocol and on every transport.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../support/app.ts"
import { post, readCall, WITH_STDIO } from "./support.ts"

/** More than are changed within a request. */
const LEADS = 1_100

let service: TestApp
beforeAll(async () => {
  service = await startTestApp()
  for (const count of [LEADS - 1_000, 1_000]) {
    const leads = Array.from({ length: count }, (_, i) => ({ name: `Lead ${count} ${i}`, source: "web" }))
    await service.call("POST", "/leads/batch", { leads })
  }
})
afterAll(() => service.close())

interface Told {
  progress: number
  total?: number
  message?: string
}

const updateOf = (category: string) => ({
  name: "batch_update_leads",
  arguments: { filter: ["and.eq.source.web"], data: { category } },
})

function expectProgress(told: readonly Told[], { done, state }: { state: string; done: number }) {
  expect([done, state, told.length > 0]).toEqual([LEADS, "done", true])
  for (const [i, { progress, total, message }] of told.entries()) {
    expect([total, message]).toEqual([LEADS, expect.stringMatching(/^[\d,]+ of 1,100 done$/)])
    expect(progress).toBeGreaterThan(told[i - 1]?.progress ?? -1)
  }
}

test.each(Object.entries(WITH_STDIO))("%s", async (transport, connect) => {
  const client = await connect(service)
  const told: Told[] = []
  const options = { onprogress: (progress: Told) => void told.push(progress) }
  // Each SDK has its own place for the options of a call.
  const callTool = client.callTool.bind(client) as (...args: unknown[]) => Promise<never>
  const update = updateOf(transport)
  const answered = await (transport.includes("v1")
    ? callTool(update, undefined, options)
    : callTool(update, options))
  expectProgress(told, readCall(answered).data)
  await client.close()
})

test.each([undefined, "2025-03-26", "2025-06-18"])("protocol %p over HTTP", async (version) => {
  const headers = {
    Authorization: `Bearer ${service.key}`,
    ...(version && { "MCP-Protocol-Version": version }),
  }
  const call = (params: object) =>
    post(
      service.app.mcpUrl,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta: { progressToken: "t" } } },
      headers,
    )
  const { body } = await call(updateOf(`raw ${version}`))
  const messages = [...String(body).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!))
  const { id, result } = messages.pop()
  expect(id).toBe(1)
  for (const { method, params } of messages)
    expect([method, params.progressToken]).toEqual(["notifications/progress", "t"])
  expectProgress(
    messages.map(({ params }) => params),
    readCall(result).data,
  )
  // What needs no job is one message.
  expect((await call({ name: "get_stats", arguments: {} })).result.isError).toBeUndefined()
})
