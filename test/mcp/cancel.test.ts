// A call that is cancelled stops its work at the next slice, whatever the transport.
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { startTestApp, type TestApp } from "../support/app.ts"
import { canceller } from "./cancelled.ts"
import { at, CLIENTS, rpc, WITH_STDIO } from "./support.ts"

let service: TestApp
let cancelled: ReturnType<typeof canceller>
beforeAll(async () => {
  service = await startTestApp()
  cancelled = canceller(service)
})
afterAll(() => service.close())

for (const [transport, connect] of Object.entries(WITH_STDIO))
  test(`${transport}: an aborted call`, async () => {
    const client = await connect(service)
    await cancelled((update) => {
      const stop = new AbortController()
      // Each SDK has its own place for the options of a call.
      const callTool = client.callTool.bind(client) as (...args: unknown[]) => Promise<unknown>
      const options = { signal: stop.signal }
      const called = transport.includes("v1")
        ? callTool(update, undefined, options)
        : callTool(update, options)
      called.catch(() => undefined)
      return () => stop.abort()
    })
    await client.close()
  })

/** Cancels a call of a client that was asked before, by a notification or by going away. */
const STOPS: Record<string, (client: Client, stop: AbortController) => void> = {
  "notifications/cancelled": (_, stop) => stop.abort(),
  "a closed stream": (client) => void client.close(),
}

test.each(Object.entries(STOPS))("%s stops a call that its user has agreed to", async (_, end) => {
  const agreeing = () => ({ action: "accept", content: {} }) as const
  const client = await CLIENTS["streamable HTTP, SDK v1"](at(service, "?guard=plan"), agreeing)
  await cancelled((update) => {
    const stop = new AbortController()
    client.callTool(update, undefined, { signal: stop.signal }).catch(() => undefined)
    return () => end(client, stop)
  })
  await client.close()
})

test("notifications/cancelled of a protocol without sessions gets the call no answer", async () => {
  let answered: Promise<{ status: number; body: unknown }> | undefined
  await cancelled((update) => {
    answered = rpc(service, "tools/call", update)
    return () => void rpc(service, "notifications/cancelled", { requestId: 1 })
  })
  const { status, body } = await answered!
  expect([status, body]).toEqual([202, undefined])
})
