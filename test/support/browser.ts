import { afterAll, beforeAll, test } from "bun:test"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core"
import { isMissing } from "./missing.ts"

/** Where Chromium is; undefined where there is none. */
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
)
export const FLAGS: readonly string[] = (
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync"
).split(" ")

/** A test that is skipped where there is no browser. */
export const browserTest = test.skipIf(
  isMissing("pages in a browser", CHROMIUM, "there is no Chromium: apt-get install -y chromium"),
)

/** A browser for the tests of one file. Returns what opens a page that knows nothing, with all it complains of. */
export function openBrowser() {
  let chrome: Browser | undefined
  beforeAll(async () => {
    if (CHROMIUM) chrome = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] })
  }, 120_000)
  afterAll(() => chrome?.close())

  return async (options: BrowserContextOptions = {}) => {
    const context = await chrome!.newContext(options)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on("console", (message) => complaints.push(message.text()))
    page.on("pageerror", (error) => complaints.push(error.message))
    page.setDefaultTimeout(60_000)
    const settled = watchRequests(page)
    return { page, complaints, settled, [Symbol.asyncDispose]: () => context.close() }
  }
}

/** Frames without a request after which nothing more is to come: what is shown may ask for something once it is seen. */
const CALM = 3

/** What resolves when a page has all that it asked for, and asks for nothing more. */
function watchRequests(page: Page): () => Promise<void> {
  const waiting = new Set<Request>()
  page.on("request", (request) => waiting.add(request))
  page.on("requestfinished", (request) => waiting.delete(request))
  page.on("requestfailed", (request) => waiting.delete(request))
  return async () => {
    for (let calm = 0; calm < CALM; ) {
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))))
      calm = waiting.size === 0 ? calm + 1 : 0
    }
  }
}
