import { describe, expect } from "bun:test"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { openTestAccount } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { openCallback } from "./callback.ts"
import { memoryProvider } from "./memory-provider.ts"
import { authorizeUrl, originOf, register } from "./support.ts"

describe("in Chromium, without scripts", () => {
  browserTest("the v1 SDK client signs in and calls a tool", async () => {
    const service = await openTestAccount()
    await using callback = openCallback()
    const provider = memoryProvider(callback.url)
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(service.app.mcpUrl), { authProvider: provider })
    const first = transport()
    const connecting = new Client({ name: "test", version: "1" }).connect(first)
    expect(await connecting.catch((error) => error)).toBeInstanceOf(UnauthorizedError)

    await using browser = await openPage({ javaScriptEnabled: false })
    const { page, complaints } = browser
    await page.goto(provider.asked!.href)
    expect(await page.title()).toBe("Connect SDK Client · leaddb")
    await page.getByLabel("API key or one-time code").fill("ldb_wrong")
    await page.getByRole("button", { name: "Connect" }).click()
    await page.getByText("This is not a leaddb API key").waitFor()
    await page.getByLabel("API key or one-time code").fill(service.key)
    await page.getByLabel("Editor").check()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Done" }).waitFor()
    expect(complaints.filter((text) => !text.includes("403 (Forbidden)"))).toEqual([])

    const answer = await callback.answer
    expect([answer.get("iss"), answer.get("state")]).toEqual([originOf(service), "sdk-state"])
    await first.finishAuth(answer.get("code")!)
    const client = new Client({ name: "test", version: "1" })
    await client.connect(transport())
    const lead = { name: "Ada", source: "browser" }
    expect(await client.callTool({ name: "create_lead", arguments: lead })).toMatchObject({
      structuredContent: { data: lead },
    })
    expect((await service.call("GET", "/api-keys")).body[1]).toMatchObject({
      name: "SDK Client",
      role: "editor",
    })
  })

  browserTest("cancelling needs no key, and leads back too", async () => {
    const service = await openTestAccount()
    const origin = originOf(service)
    await using callback = openCallback()
    const client = await register(origin, { redirect_uris: [callback.url] })
    await using browser = await openPage({ javaScriptEnabled: false })
    const { page, complaints } = browser
    await page.goto(authorizeUrl(origin, client, { redirect_uri: callback.url }))
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("heading", { name: "Done" }).waitFor()
    expect((await callback.answer).get("error")).toBe("access_denied")
    expect(complaints).toEqual([])
  })

  browserTest("no other page can put it into a frame, or send its form", async () => {
    const service = await openTestAccount()
    const origin = originOf(service)
    const url = authorizeUrl(origin, await register(origin))
    await using browser = await openPage({ javaScriptEnabled: true })
    const { page } = browser
    await page.goto(url)
    const fields = await page
      .locator("form")
      .evaluate((form) => new URLSearchParams(new FormData(form as HTMLFormElement) as never).toString())
    const inputs = [...new URLSearchParams(`${fields}&decision=allow&role=owner&key=${service.key}`)]
    const hidden = inputs
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      .join("")
    const html = `<iframe src="${url.replaceAll("&", "&amp;")}"></iframe><form method="post" action="${origin}/authorize">${hidden}<button>Win</button></form>`
    await using evil = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(html, { headers: { "Content-Type": "text/html" } }),
    })
    await page.goto(`http://localhost:${evil.port}/`)
    await page.waitForLoadState("networkidle")
    const framed = page.frames().find((frame) => frame !== page.mainFrame())
    expect(framed?.url()).toBe("chrome-error://chromewebdata/")
    await page.getByRole("button", { name: "Win" }).click()
    await page.getByText("This form did not come from our own page").waitFor()
    expect((await service.call("GET", "/api-keys")).body).toHaveLength(1)
  })
})
