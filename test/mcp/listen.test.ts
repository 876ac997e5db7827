// Clients of protocol 2026-07-28 listen to segments and tasks.
import { expect } from "bun:test"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { appTest, openTestAccount, openTestApp, type TestAccount, test } from "../support/app.ts"
import { environmentOf } from "../support/database.ts"
import { LEAST } from "../support/lead.ts"
import { PROGRAM } from "../support/service.ts"
import { until } from "../support/until.ts"
import { CLIENT, modernRpc } from "./support.ts"

async function openListener({ app, key }: Pick<TestAccount, "app" | "key">) {
  const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  const updated: string[] = []
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    updated.push(params.uri)
  })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(app.mcpUrl), { requestInit }))
  return { client, updated, [Symbol.asyncDispose]: () => client.close() }
}

async function makeSegment(service: TestAccount, city: string): Promise<string> {
  const body = { name: city, filter: [`and.eq.city.${city}`] }
  return `segments://${(await service.call("POST", "/segments", body)).body.id}`
}

test("a client that listens to a segment is told when its leads change, and of nothing else", async () => {
  const service = await openTestApp()
  const [bonn, ulm] = [await makeSegment(service, "Bonn"), await makeSegment(service, "Ulm")]
  await using listener = await openListener(service)
  const { client, updated } = listener
  const subscription = await client.listen({
    resourceSubscriptions: [bonn, ulm, "segments://seg_none", "guide://filters"],
  })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [bonn, ulm] })
  await service.call("POST", "/leads", { ...LEAST, city: "Kiel" })
  await service.call("POST", "/leads", { ...LEAST, name: "Other", city: "Bonn" })
  await until("it was told", () => updated.length > 0)
  expect(updated).toEqual([bonn])
  const { contents } = await client.readResource({ uri: bonn })
  const { segment, page } = JSON.parse((contents[0] as { text: string }).text)
  expect(segment).toMatchObject({ name: "Bonn", count: 1 })
  expect(page.leads).toMatchObject([{ name: "Other", city: "Bonn" }])
  await subscription.close()
})

test("a subscription ends with its key, and another account's segment is none to listen to", async () => {
  const service = await openTestAccount()
  const uri = await makeSegment(service, "Bonn")
  const { key: foreign } = await service.addAccount({ plan: "pro" })
  await using stranger = await openListener({ app: service.app, key: foreign })
  const refused = await stranger.client.listen({ resourceSubscriptions: [uri] })
  expect(refused.honoredFilter).toEqual({})
  const made = (await service.call("POST", "/api-keys", { name: "agent" })).body
  await using listener = await openListener({ app: service.app, key: made.key })
  const { closed } = await listener.client.listen({ resourceSubscriptions: [uri] })
  await service.call("DELETE", `/api-keys/${made.id}`)
  await service.call("POST", "/leads", { ...LEAST, city: "Bonn" })
  await closed
  expect(listener.updated).toEqual([])
})

appTest("leaddb mcp tells its client of changes that the service makes on the same data", async (service) => {
  const uri = await makeSegment(service, "Bonn")
  const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  const { promise: told, resolve } = Promise.withResolvers<string>()
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri))
  const args = [...PROGRAM.slice(1), "mcp", "--data", service.config.data]
  const env = { ...(await environmentOf(service.config.data)), LEADDB_API_KEY: service.key }
  await client.connect(new StdioClientTransport({ command: PROGRAM[0]!, args, env, stderr: "ignore" }))
  const subscription = await client.listen({ resourceSubscriptions: [uri] })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] })
  await service.call("POST", "/leads", { ...LEAST, city: "Bonn" })
  expect(await told).toBe(uri)
  await subscription.close()
  await client.close()
})

test("tasks are listened to by clients that follow them alone", async (service) => {
  const params = { notifications: { taskIds: ["job_01a2177c-e245-7000-95f6-19c1c81faaba"] } }
  const { status, body } = await modernRpc(service, "subscriptions/listen", params)
  expect([status, body.error.code]).toEqual([400, -32021])
  const follows = { extensions: { "io.modelcontextprotocol/tasks": {} } }
  // Nothing to tell of: it is acknowledged as such and ends.
  const ended = await modernRpc(service, "subscriptions/listen", params, follows)
  expect(ended.body).toContain('"method":"notifications/subscriptions/acknowledged"')
  expect(ended.body).toContain('"notifications":{}')
  expect(ended.body).toContain('"resultType":"complete"')
})
