// How long a browser takes to the first row: the dashboard's page of leads, and a page that does nothing but fetch the
// same rows and print them, in turns.
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { ROUNDS, takeTurns } from "./harness.ts"
import { BASE_PATH, type Service } from "./service.ts"

export const FIRST_ROW = '[role="grid"] [role="row"][aria-rowindex="2"]'
const BARE_ROW = "tr"
const BARE_PATH = "/bare"

const ROWS = `${BASE_PATH}/leads?sort_by=score&sort_order=DESC&limit=100&fields=name,status,tags,score,city,category,email,rating,created_at`
const BARE_PAGE = `<!doctype html><meta charset="utf-8"><title>Leads</title><table></table><script type="module">
const { leads } = await (await fetch(${JSON.stringify(ROWS)})).json()
for (const lead of leads) {
  const row = document.querySelector("table").insertRow()
  for (const value of Object.values(lead)) row.insertCell().textContent = String(value)
}
</script>`

/** Milliseconds of each round: without anything kept, and with all of it. */
interface FirstRows {
  cold: number[]
  warm: number[]
}

export const pageOf = ({ origin }: Service, path: string) =>
  `http://leaddb.localhost:${new URL(origin).port}/app${path}`

/** A signed-in page that has seen nothing of the dashboard but its sign-in. */
export async function signedIn(
  browser: Browser,
  service: Service,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const response = await fetch(`${service.origin}${BASE_PATH}/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: service.origin },
    body: JSON.stringify({ key: service.headers["X-API-Key"] }),
  })
  if (!response.ok) throw new Error(`signing in answered ${response.status}: ${await response.text()}`)
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? "") ?? []
  await context.addCookies([{ name, value, url: pageOf(service, "") }])
  // What the dashboard keeps to know that a session may be there.
  await context.addInitScript(() => localStorage.setItem("leaddb-session", "owner"))
  return context.newPage()
}

export async function firstRows(
  browser: Browser,
  service: Service,
): Promise<[ours: FirstRows, bare: FirstRows]> {
  const ours: FirstRows = { cold: [], warm: [] }
  const bare: FirstRows = { cold: [], warm: [] }
  const round = async (into: FirstRows, path: string, row: string) => {
    const page = await signedIn(browser, service)
    if (path === BARE_PATH) await serveBare(page)
    const show = await shower(page, row)
    const address = new URL(path, pageOf(service, "")).href
    into.cold.push(await show(address))
    into.warm.push(await show(address))
    await page.context().close()
    return 0
  }
  await takeTurns(
    {
      ours: () => round(ours, "/app/leads", FIRST_ROW),
      bare: () => round(bare, BARE_PATH, BARE_ROW),
    },
    ROUNDS + 1,
  )
  // The first answers of a service and of a browser are not those of the page.
  for (const taken of [ours.cold, ours.warm, bare.cold, bare.warm]) taken.shift()
  return [ours, bare]
}

/**
 * What opens an address in a page and gives the milliseconds from there to the end of the first frame with such an
 * element, by the page's own clock: whoever asks from outside asks now and then, and sees it up to 500 ms late.
 */
export async function shower(page: Page, selector: string): Promise<(address: string) => Promise<number>> {
  let seen = (_: number) => {}
  await page.exposeFunction("seenAfter", (ms: number) => seen(ms))
  await page.addInitScript((selector) => {
    requestAnimationFrame(function look() {
      if (!document.querySelector(selector)) requestAnimationFrame(look)
      // Behind the layout and the painting of this frame.
      else setTimeout(() => (globalThis as unknown as Seeing).seenAfter(performance.now()))
    })
  }, selector)
  return async (address) => {
    const taken = new Promise<number>((resolve) => {
      seen = resolve
    })
    await page.goto(address, { waitUntil: "commit" })
    return taken
  }
}

interface Seeing {
  seenAfter(ms: number): void
}

/** The page comes from the browser's own tools; what it fetches comes from the service. */
async function serveBare(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page)
  await tools.send("Fetch.enable", { patterns: [{ urlPattern: `*${BARE_PATH}` }] })
  tools.on("Fetch.requestPaused", ({ requestId }) => {
    void tools.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "Content-Type", value: "text/html" }],
      body: Buffer.from(BARE_PAGE).toString("base64"),
    })
  })
}
