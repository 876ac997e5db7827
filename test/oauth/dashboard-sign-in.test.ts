// Apps that a person lets in who is signed in to the dashboard.
import { describe, expect, test } from "bun:test"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { addAuthenticator, dashboardUrl } from "../dashboard/support.ts"
import { openTestApp, type TestApp } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { heldClock } from "../support/clock.ts"
import { addMember, browser } from "../support/member.ts"
import { openCallback } from "./callback.ts"
import { memoryProvider } from "./memory-provider.ts"
import { answerOf, authorizeUrl, exchange, originOf, register, type Shown, show, submit } from "./support.ts"

/** Goes from the page that asks to the dashboard. Returns its answer. */
function approve(service: TestApp, { html }: Shown, cookie: string) {
  const request = /connect-app#([\w.-]+)/.exec(html)![1]!
  return browser(service, cookie)("POST", "/sessions/app", { request })
}

async function opened(role: string) {
  const clock = heldClock()
  const service = await openTestApp({}, clock)
  const origin = originOf(service)
  const client = await register(origin)
  const member = await addMember(service, `Grace ${role}`, role)
  const first = await show(authorizeUrl(origin, client))
  const { status, body } = await approve(service, first, member.cookie)
  expect([status, body.app]).toEqual([200, "Test App"])
  /** Comes back from the dashboard in a browser. */
  const back = (cookie = first.cookie) => show(body.location, { Cookie: cookie })
  return { clock, service, origin, client, member, first, back }
}

describe("a member's session", () => {
  test("lets an app in without a key, which ends with the member", async () => {
    const { service, origin, client, member, first, back } = await opened("editor")
    const page = await back()
    expect(page.html).toContain("Grace editor")
    expect(page.html).not.toContain('name="key"')
    expect(page.html).not.toContain('value="owner"')
    const code = answerOf(await submit(origin, { ...page, cookie: first.cookie }, {})).get("code")!
    const { status } = await exchange(origin, client, code)
    expect(status).toBe(200)
    const [, key] = (await service.call("GET", "/api-keys")).body
    expect(key).toMatchObject({ name: "Test App", role: "editor", kind: "sign_in", issued_by: member.id })
    await service.call("DELETE", `/members/${member.id}`)
    expect((await service.call("GET", "/api-keys")).body).toHaveLength(1)
  })

  test("lets no app do more than the member may", async () => {
    const { origin, first, back } = await opened("viewer")
    const page = await back()
    const refused = await submit(origin, { ...page, cookie: first.cookie }, { role: "editor" })
    expect(refused.status).toBe(403)
    expect(refused.html).toContain("You signed in as viewer")
  })

  test("counts in the browser that asked, and nowhere else", async () => {
    const { origin, client, back } = await opened("owner")
    const other = await show(authorizeUrl(origin, client))
    const page = await back(other.cookie)
    expect(page.html).toContain('name="key"')
    expect(page.html).not.toContain("Grace owner")
  })

  test("counts for five minutes", async () => {
    const { clock, back } = await opened("owner")
    clock.advance(299_000)
    expect((await back()).html).toContain("Grace owner")
    clock.advance(2_000)
    expect((await back()).html).toContain('name="key"')
  })

  test("gives no key to a member who is removed before the app fetches it", async () => {
    const { service, origin, client, member, first, back } = await opened("owner")
    const page = await back()
    const code = answerOf(await submit(origin, { ...page, cookie: first.cookie }, {})).get("code")!
    await service.call("DELETE", `/members/${member.id}`)
    expect((await exchange(origin, client, code)).body).toMatchObject({ error: "invalid_grant" })
  })

  test("is asked for with a request of this service alone", async () => {
    const { service, first, member } = await opened("owner")
    const forged = { ...first, html: first.html.replace(/connect-app#(\d+)/, "connect-app#9$1") }
    expect(await approve(service, forged, member.cookie)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("connect the app once more") },
    })
  })
})

browserTest("a member connects an MCP client with a passkey alone", async () => {
  const service = await openTestApp()
  await using callback = openCallback()
  const { body: invited } = await service.call("POST", "/members", { name: "Grace", role: "editor" })
  await using browser = await openPage()
  const { page } = browser
  await addAuthenticator(page)
  const app = { ...service, url: service.app.url, file: service.config.file }
  await page.goto(invited.invite_url.replace(/^http:\/\/[^/]+\/app/, dashboardUrl(app)))
  await page.getByRole("button", { name: "Create a passkey" }).press("Enter")
  await page.getByText("Nothing to look at yet").waitFor()
  await page.context().clearCookies()

  const provider = memoryProvider(callback.url)
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(service.app.mcpUrl), { authProvider: provider })
  const first = transport()
  const connecting = new Client({ name: "test", version: "1" }).connect(first)
  expect(await connecting.catch((error) => error)).toBeInstanceOf(UnauthorizedError)
  await page.goto(provider.asked!.href)
  await page.getByRole("link", { name: "Sign in to the dashboard" }).click()
  await page.getByRole("button", { name: "Use a passkey" }).press("Enter")
  await page.getByText("Signed in to").waitFor()
  await page.getByRole("button", { name: "Connect" }).click()
  await page.getByRole("heading", { name: "Done" }).waitFor()

  await first.finishAuth((await callback.answer).get("code")!)
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain("create_lead")
  await client.close()
})
