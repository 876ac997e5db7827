import { describe, expect, test } from "bun:test"
import { version } from "../../package.json"
import { operations } from "../../src/domain/operations/index.ts"
import { openApiDocument } from "../../src/surfaces/openapi/openapi.ts"
import { openTestAccountForReading } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"

const service = openTestAccountForReading(async ({ call }) => {
  await call("POST", "/leads", { name: "Ada", source: "test", city: "Berlin" })
})
const origin = () => new URL(service().app.url).origin
const HTML = { Accept: "text/html,application/xhtml+xml,*/*" }

/** A page, its headers, and the texts of its style and script. */
async function load(path: string) {
  const response = await fetch(origin() + path, { headers: HTML })
  const html = await response.text()
  const between = (tag: string) => html.match(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`))?.[1]
  return {
    status: response.status,
    headers: response.headers,
    html,
    style: between("style"),
    script: between("script"),
  }
}
const hash = (text: string) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`

describe.each(["/docs"])("%s", (path) => {
  test("is a page of its own: no request leads away from it", async () => {
    const { status, headers, html } = await load(path)
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(html).toStartWith("<!doctype html>")
    expect(html).not.toMatch(/(src|srcset)=|url\(|@import|\sstyle=|\son\w+=/)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!)
    expect(links.filter((link) => /^\w+:/.test(link) && !link.startsWith("data:image/svg+xml,"))).toEqual([])
    for (const link of links) {
      if (link.startsWith("#")) expect(html).toContain(`id="${link.slice(1)}"`)
      else if (!link.startsWith("data:"))
        expect([link, (await fetch(new URL(link, origin() + path))).status]).toEqual([link, 200])
    }
  })

  test("allows its own style and script and nothing else", async () => {
    const { headers, style, script } = await load(path)
    const policy = headers.get("content-security-policy")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src ${hash(style!)};`)
    if (script) expect(policy).toContain(`script-src ${hash(script)}; connect-src 'self'`)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("referrer-policy")).toBe("no-referrer")
  })
})

describe("/", () => {
  test("leads a browser to the dashboard", async () => {
    const response = await fetch(origin(), { headers: HTML, redirect: "manual" })
    expect([response.status, response.headers.get("location")]).toEqual([302, "/app"])
  })

  test("tells a program where things are", async () => {
    const { url, mcpUrl } = service().app
    expect(await (await fetch(origin())).json()).toEqual({
      ...{ name: "leaddb", version, api: url, mcp: mcpUrl },
      ...{ docs: "/docs", openapi: "/api/v1/openapi.json" },
    })
  })
})

/** What an operation may take on the wire, with its share of the page. */
const BYTES_OF_OPERATION = 750

describe("/docs", () => {
  const document = openApiDocument(operations, { version })

  test("has every operation, event, object and error of the OpenAPI document", async () => {
    const { html } = await load("/docs")
    for (const [path, item] of Object.entries(document.paths)) {
      expect(html).toContain(`<code>${path}</code>`)
      for (const method of ["get", "post", "put", "delete"] as const) {
        if (item[method]) expect(html).toContain(`id="${item[method].operationId}"`)
      }
    }
    for (const event of Object.keys(document.webhooks)) expect(html).toContain(`<code>${event}</code>`)
    for (const name of Object.keys(document.components.schemas)) expect(html).toContain(`id="schema-${name}"`)
    for (const name of Object.keys(document.components.responses))
      expect(html).toContain(`id="error-${name}"`)
  })

  test("is small on the wire, and not sent twice", async () => {
    const headers = { "Accept-Encoding": "gzip" }
    const first = await fetch(`${origin()}/docs`, { headers, decompress: false })
    const routes = operations.filter(({ http }) => http !== undefined).length
    expect((await first.bytes()).length).toBeLessThan(routes * BYTES_OF_OPERATION)
    const etag = first.headers.get("etag")!
    const again = await fetch(`${origin()}/docs`, { headers: { ...headers, "If-None-Match": etag } })
    expect(again.status).toBe(304)
  })

  test("is found with a slash at the end, too", async () => {
    const response = await fetch(`${origin()}/docs/`)
    expect([response.url, response.status]).toEqual([`${origin()}/docs`, 200])
  })
})

describe("/docs in Chromium", () => {
  browserTest("tries requests with a pasted key, which stays in the tab", async () => {
    await using browser = await openPage()
    const { page, complaints } = browser
    await page.goto(`${origin()}/docs`)
    await page.click("#list_leads .try summary")
    await page.click("#list_leads .send")
    expect(await page.textContent("#list_leads .outcome")).toBe("Paste an API key at the top first.")
    await page.fill("#key", service().key)
    await page.fill("#list_leads [name=filter]", "and.eq.city.berlin\nand.eq.name.ada")
    await page.click("#list_leads .send")
    await page.waitForSelector("#list_leads .answer:not([hidden])")
    expect(await page.textContent("#list_leads .outcome")).toMatch(/^200 OK in \d+ ms, request \S+$/)
    expect(JSON.parse((await page.textContent("#list_leads .answer"))!)).toMatchObject({
      leads: [{ name: "Ada" }],
    })
    const kept = await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")
    expect(kept).toEqual([1, 0, ""])
    expect(complaints).toEqual([])

    await page.click("#get_lead .try summary")
    await page.fill("#get_lead [name=id]", "a/b?c")
    await page.click("#get_lead .send")
    await page.waitForSelector("#get_lead .answer:not([hidden])")
    expect(await page.textContent("#get_lead .outcome.bad b")).toBe("404 Not Found")
    expect(JSON.parse((await page.textContent("#get_lead .answer"))!).message).toBe("Lead not found")
    expect(complaints).toEqual([expect.stringContaining("404")])
  })

  browserTest("fits a phone: nothing is wider than it, the contents fold away", async () => {
    await using browser = await openPage({ viewport: { width: 360, height: 740 }, colorScheme: "dark" })
    const { page, complaints } = browser
    await page.goto(`${origin()}/docs`)
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360)
    expect(await page.isVisible("#find")).toBe(false)
    await page.click("#contents summary")
    await page.fill("#find", "add note")
    expect(await page.locator("#contents li:visible").allTextContents()).toEqual([
      "Start",
      "POST /leads/{lead_id}/notes",
    ])
    await page.click('#contents a[href="#create_note"]')
    expect(await page.isVisible("#find")).toBe(false)
    expect(complaints).toEqual([])
  })

  browserTest("can be read without scripts", async () => {
    await using browser = await openPage({ javaScriptEnabled: false })
    const { page } = browser
    await page.goto(`${origin()}/docs`)
    expect(await page.isVisible("#create_lead h3")).toBe(true)
    expect(await page.isVisible("#create_lead .try")).toBe(false)
    expect(await page.isVisible("#key")).toBe(false)
  })
})
