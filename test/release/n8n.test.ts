// The built n8n nodes against the running service, through a stub of the helpers that n8n gives to nodes.
import { beforeAll, describe, expect } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { factsOf } from "../../scripts/release/facts.ts"
import { writeN8nPackage } from "../../scripts/release/n8n.ts"
import { EVENTS } from "../../src/domain/events.ts"
import { type TestAccount, test } from "../support/app.ts"
import { temporaryFolder } from "../support/folder.ts"
import { openHook } from "../support/hook.ts"

interface Send {
  type: "body" | "query"
  property: string
  value?: string
}
interface Property {
  name: string
  default: unknown
  displayOptions?: { show: Record<string, string[]> }
  options?: {
    value: string
    routing: {
      request: { method: string; url: string }
      output?: { postReceive: [{ properties: { property: string } }] }
    }
  }[]
  routing?: { send: Send }
}
type Parameters = Record<string, unknown>

const FACTS = factsOf({ GITHUB_REPOSITORY: "acme/leaddb" })
let folder: string
let built: (path: string) => Record<string, new () => Record<string, unknown>>

beforeAll(async () => {
  folder = await writeN8nPackage(temporaryFolder(), FACTS)
  const n8n = join(folder, "node_modules/n8n-workflow")
  mkdirSync(n8n, { recursive: true })
  writeFileSync(join(n8n, "index.js"), 'exports.NodeConnectionTypes = { Main: "main" }\n')
  built = (path) => createRequire(join(folder, "x.js"))(join(folder, "dist", path))
})

/** Runs a declarative node as n8n does: the request of its operation, with the fields that are shown. */
async function run({ app, key }: TestAccount, parameters: Parameters): Promise<unknown> {
  const { description } = new (built("nodes/Leaddb/Leaddb.node.js").Leaddb!)() as {
    description: { properties: Property[] }
  }
  const shown = description.properties.filter(({ displayOptions }) =>
    Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
      values.includes(String(parameters[name])),
    ),
  )
  const filled = (text: string, value?: unknown) =>
    text
      .replace(/^=/, "")
      .replaceAll(/\{\{\$parameter\["(\w+)"\]\}\}/g, (_, name: string) => String(parameters[name]))
      .replace("{{$value || undefined}}", String(value))
  const operation = shown.find(({ name }) => name === "operation")!
  const { request, output } = operation.options!.find(({ value }) => value === parameters.operation)!.routing
  const body: Parameters = {}
  const query = new URLSearchParams()
  for (const { name, routing, default: usual } of shown) {
    const value = parameters[name] ?? usual
    if (!routing?.send || value === "" || value === undefined) continue
    if (routing.send.type === "body") body[routing.send.property] = value
    else query.set(routing.send.property, String(value))
  }
  const hasBody = Object.keys(body).length > 0
  const answer = await fetch(`${app.url}${filled(request.url)}?${query}`, {
    method: request.method,
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    ...(hasBody && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${request.method} ${request.url}: ${await answer.text()}`)
  const text = await answer.text()
  const data = text === "" ? {} : JSON.parse(text)
  return output ? data[output.postReceive[0].properties.property] : data
}

describe("the package", () => {
  test("has no dependencies, and files for all that it names", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    expect([manifest.dependencies, manifest.scripts]).toEqual([undefined, undefined])
    expect(manifest.keywords).toContain("n8n-community-node-package")
    expect([manifest.version, manifest.repository.url]).toEqual([
      FACTS.version,
      "git+https://github.com/acme/leaddb.git",
    ])
    for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
      expect(readFileSync(join(folder, file), "utf8")).not.toContain("process.env")
  })

  test("templates use nodes and events that there are", () => {
    for (const name of ["sheets", "slack", "mail"]) {
      const { nodes } = JSON.parse(readFileSync(join(folder, `templates/${name}.json`), "utf8"))
      expect(nodes[0].type).toBe("n8n-nodes-leaddb.leaddbTrigger")
      for (const event of nodes[0].parameters.events) expect(EVENTS).toContain(event)
    }
  })
})

test("the node works with leads, notes, searches, segments and webhooks", async (service) => {
  const act = (resource: string, operation: string, more: Parameters = {}) =>
    run(service, { resource, operation, ...more })
  const lead = (await act("lead", "create", { name: "Ada", email: "ada@example.com", city: "Bern" })) as {
    id: string
  }
  expect(lead).toMatchObject({ source: "n8n", city: "Bern" })
  expect(await act("lead", "update", { leadId: lead.id, company: "Engines" })).toMatchObject({
    company: "Engines",
    city: "Bern",
  })
  expect(await act("lead", "get", { leadId: lead.id })).toMatchObject({ id: lead.id })
  expect(await act("note", "create", { leadId: lead.id, content: "Met" })).toMatchObject({ content: "Met" })
  expect(await act("note", "getAll", { leadId: lead.id })).toMatchObject([{ content: "Met" }])
  expect(await act("search", "leads", { q: "ada", filter: "and.eq.city.bern" })).toMatchObject([
    { id: lead.id },
  ])
  const { body: segment } = await service.call("POST", "/segments", {
    name: "Bern",
    filter: ["and.eq.city.Bern"],
  })
  expect(await act("segment", "leads", { segment: segment.id })).toMatchObject([{ id: lead.id }])
  expect(JSON.stringify(await act("segment", "getAll"))).toContain(segment.id)
  const webhook = (await act("webhook", "create", { url: "http://127.0.0.1:9/hook" })) as { id: string }
  expect(await act("webhook", "getAll")).toMatchObject([{ id: webhook.id }])
  expect(await act("webhook", "delete", { webhookId: webhook.id })).toEqual({})
  expect(await act("lead", "delete", { leadId: lead.id })).toEqual({})
})

interface Trigger {
  webhookMethods: {
    default: Record<"checkExists" | "create" | "delete", (this: unknown) => Promise<boolean>>
  }
  webhook(this: unknown): Promise<unknown>
}

test("the trigger makes its webhook, checks signatures, and deletes it", async ({ app, key, call }) => {
  const trigger = new (built("nodes/LeaddbTrigger/LeaddbTrigger.node.js")
    .LeaddbTrigger!)() as unknown as Trigger
  await using hook = openHook()
  const data: Parameters = {}
  const context = {
    getWorkflowStaticData: () => data,
    getNodeWebhookUrl: () => hook.url,
    getNodeParameter: () => ["lead.created"],
    getCredentials: async () => ({ url: new URL(app.url).origin }),
    helpers: {
      async httpRequestWithAuthentication(
        _: string,
        { method, url, body }: { method: string; url: string; body?: object },
      ) {
        const headers = { "X-API-Key": key, "Content-Type": "application/json" }
        const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        if (!answer.ok) throw new Error(await answer.text())
        return answer.status === 204 ? {} : answer.json()
      },
    },
  }
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default
  expect(await checkExists.call(context)).toBe(false)
  expect(await create.call(context)).toBe(true)
  expect(await checkExists.call(context)).toBe(true)
  await call("POST", "/leads", { name: "Ada", source: "test" })
  const [request] = await hook.arrived(1)
  const answerTo = async (body: string) => {
    let status = 200
    const told = (code: number) => {
      status = code
      return { json: () => undefined }
    }
    const outcome = await trigger.webhook.call({
      ...context,
      getRequestObject: () => ({ rawBody: new TextEncoder().encode(body) }),
      getHeaderData: () => Object.fromEntries(request!.headers),
      getBodyData: () => JSON.parse(body),
      getResponseObject: () => ({ status: told }),
      helpers: { returnJsonArray: (one: unknown) => [{ json: one }] },
    })
    return { status, outcome }
  }
  expect(await answerTo(request!.text)).toMatchObject({
    status: 200,
    outcome: { workflowData: [[{ json: { event: "lead.created", data: { name: "Ada" } } }]] },
  })
  expect(await answerTo(request!.text.replace("Ada", "Eve"))).toEqual({
    status: 401,
    outcome: { noWebhookResponse: true },
  })
  expect(await remove.call(context)).toBe(true)
  expect((await call("GET", "/webhooks")).body).toEqual([])
})
