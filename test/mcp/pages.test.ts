// Pages of tools in clients that show them (MCP Apps).
import { describe, expect, test } from "bun:test"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Page } from "playwright-core"
import { openTestAccount, type TestAccount } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { at, CLIENT, modernRpc, rpc } from "./support.ts"

const TYPE = "text/html;profile=mcp-app"
const PAGES = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [TYPE] } } }
const SETS = { "X-MCP-Toolsets": "duplicates,imports" }

interface Listed {
  name: string
  _meta?: { ui: { resourceUri: string } }
}
const shownIn = (tools: Listed[]) =>
  Object.fromEntries(tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta.ui.resourceUri]] : [])))
const SHOWN = { list_duplicates: "ui://leaddb/duplicates", import_leads: "ui://leaddb/import" }

describe("the pair of duplicates and the import have a page", () => {
  test("for clients that show pages, in either protocol, and for no others", async () => {
    const service = await openTestAccount()
    const all = at(service, "?toolsets=all")
    expect(shownIn((await modernRpc(all, "tools/list", {}, PAGES)).result.tools)).toEqual(SHOWN)
    expect(shownIn((await modernRpc(all, "tools/list", {})).result.tools)).toEqual({})
    expect(shownIn((await rpc(all, "tools/list")).result.tools)).toEqual({})
    const client = new OlderClient(CLIENT, { capabilities: PAGES as never })
    const requestInit = { headers: { Authorization: `Bearer ${all.key}` } }
    const transport = new StreamableHTTPClientTransport(new URL(all.app.mcpUrl), { requestInit })
    await client.connect(transport as Parameters<OlderClient["connect"]>[0])
    expect(shownIn((await client.listTools()).tools as unknown as Listed[])).toEqual(SHOWN)
    await client.close()
  })

  test.each(Object.values(SHOWN))("%s is a document that loads nothing", async (uri) => {
    const service = await openTestAccount()
    const [document] = (await rpc(service, "resources/read", { uri })).result.contents
    expect(document).toMatchObject({ uri, mimeType: TYPE })
    expect(document.text).toStartWith("<!doctype html>")
    expect(document.text).not.toMatch(/\b(src|href)=|https?:|innerHTML/)
    expect((await rpc(service, "resources/read", { uri: `${uri}x` })).body.error.code).toBe(-32602)
  })
})

/** The program around a page: frames it and passes its calls of tools on, as MCP Apps says. */
const HOST = `<!doctype html><iframe sandbox="allow-scripts"></iframe><script>
const frame = document.querySelector("iframe")
let shown
addEventListener("message", async ({ data }) => {
  const answer = (result) => frame.contentWindow.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*")
  const tell = (method, params) => frame.contentWindow.postMessage({ jsonrpc: "2.0", method, params }, "*")
  if (data.method === "ui/initialize") answer({ hostContext: { theme: "dark" } })
  if (data.method === "ui/notifications/initialized") {
    tell("ui/notifications/tool-input", { arguments: shown.args })
    tell("ui/notifications/tool-result", await callTool(shown.name, shown.args))
  }
  if (data.method === "tools/call") answer(await callTool(data.params.name, data.params.arguments))
})
function open(html, name, args) {
  shown = { name, args }
  frame.srcdoc = html
}
</script>`

async function openInHost(page: Page, service: TestAccount, name: keyof typeof SHOWN, args: object) {
  await page.exposeFunction("callTool", async (tool: string, input: object) => {
    return (await rpc(service, "tools/call", { name: tool, arguments: input }, SETS)).result
  })
  await page.setContent(HOST)
  const { text } = (await rpc(service, "resources/read", { uri: SHOWN[name] })).result.contents[0]
  await page.evaluate(
    `open(${JSON.stringify(text).replaceAll("</", "<\\/")}, ${JSON.stringify(name)}, ${JSON.stringify(args)})`,
  )
  return page.frameLocator("iframe")
}

browserTest("a pair is merged on its page, and taken apart again", async () => {
  const service = await openTestAccount()
  const name = "<b>Zwillinge</b> Optik GmbH"
  for (const source of ["fair", "web"])
    await service.call("POST", "/leads", { name, source, city: "Ulm", website: "optik.example" })
  const status = async () => (await service.call("GET", "/duplicates/status")).body
  await until("they were compared", async () => (await status()).open === 1)
  await using opened = await openPage()
  const { page, complaints } = opened
  const shown = await openInHost(page, service, "list_duplicates", {})
  await shown.getByRole("cell", { name }).first().waitFor()
  await shown.getByRole("button", { name: "Keep left" }).click()
  await shown.getByText(`Merge into ${name}?`).waitFor()
  await shown.getByRole("button", { name: "Yes" }).click()
  await shown.getByText("Merged").waitFor()
  expect((await service.call("GET", "/leads")).body.count).toBe(1)
  await shown.getByRole("button", { name: "Undo" }).click()
  await shown.getByRole("button", { name: "Yes" }).click()
  await shown.getByRole("button", { name: "Keep left" }).waitFor()
  expect((await service.call("GET", "/leads")).body.count).toBe(2)
  expect(complaints).toEqual([])
})

browserTest("an import is looked at on its page, done, and taken back", async () => {
  const service = await openTestAccount()
  await using opened = await openPage()
  const { page, complaints } = opened
  const args = {
    content: "Name,E-Mail\nAda,ada@example.com\nBob,bob@example.com\n",
    source: "list",
    dry_run: true,
  }
  const shown = await openInHost(page, service, "import_leads", args)
  await shown.getByText("2 to create").waitFor()
  await shown.getByRole("cell", { name: "E-Mail", exact: true }).waitFor()
  await shown.getByRole("button", { name: "Import ..." }).click()
  await shown.getByRole("button", { name: "Import", exact: true }).click()
  await shown.getByText("2 created").waitFor()
  expect((await service.call("GET", "/leads")).body.count).toBe(2)
  await shown.getByRole("button", { name: "Undo" }).click()
  await shown.getByRole("button", { name: "Take the import back" }).click()
  await shown.getByText("The import was taken back").waitFor()
  expect((await service.call("GET", "/leads")).body.count).toBe(0)
  expect(complaints).toEqual([])
})
