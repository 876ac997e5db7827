import { expect, test } from "bun:test"
import * as v2 from "@modelcontextprotocol/client"
import * as auth from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { openTestAccount } from "../support/app.ts"
import { memoryProvider } from "./memory-provider.ts"
import { answerOf, originOf, REDIRECT, show, submit } from "./support.ts"

test("the v2 SDK client signs in, and checks who answers", async () => {
  const service = await openTestAccount()
  const authProvider = memoryProvider(REDIRECT)
  const transport = () => new v2.StreamableHTTPClientTransport(new URL(service.app.mcpUrl), { authProvider })
  const first = transport()
  const connecting = new v2.Client({ name: "test", version: "1" }).connect(first)
  expect(await connecting.catch((error) => error)).toBeInstanceOf(v2.UnauthorizedError)
  const answer = answerOf(
    await submit(originOf(service), await show(authProvider.asked!.href), { key: service.key }),
  )
  const forged = new URLSearchParams(answer)
  forged.set("iss", "https://evil.example")
  await expect(first.finishAuth(forged)).rejects.toThrow()
  await first.finishAuth(answer)
  const client = new v2.Client({ name: "test", version: "1" })
  await client.connect(transport())
  expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(30)
  await client.close()
})

test("the v1 SDK client signs in for the older SSE transport, from whose address it started", async () => {
  const service = await openTestAccount()
  const origin = originOf(service)
  const provider = memoryProvider(REDIRECT)
  const serverUrl = `${origin}/sse`
  expect(await auth.auth(provider, { serverUrl })).toBe("REDIRECT")
  expect(provider.asked!.searchParams.get("resource")).toBe(serverUrl)
  const answer = answerOf(await submit(origin, await show(provider.asked!.href), { key: service.key }))
  expect(await auth.auth(provider, { serverUrl, authorizationCode: answer.get("code")! })).toBe("AUTHORIZED")
  const client = new Client({ name: "test", version: "1" })
  await client.connect(new SSEClientTransport(new URL(serverUrl), { authProvider: provider }) as never)
  expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(30)
  await client.close()
})
