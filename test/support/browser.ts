import { test } from "bun:test"
import { existsSync } from "node:fs"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core"
import { isMissing } from "./missing.ts"
import { until } from "./until.ts"

/** The path of Chromium; undefined where it is not installed. */
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
)
/** Tests prefer the headless shell: it takes a third of the CPU time. */
export const TESTED = ["/usr/bin/chromium-headless-shell", CHROMIUM].find((path) => path && existsSync(path))
export const FLAGS: readonly string[] = (
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync"
).split(" ")

/** A test that is skipped where there is no browser. */
export const browserTest = test.skipIf(
  isMissing("pages in a browser", TESTED, "there is no Chromium: apt-get install -y chromium"),
)

/** The browser of this process: it is launched by the first test that needs it, and Playwright ends it at exit. */
let browser: Promise<Browser> | undefined

/**
 * Contexts that no test uses at the moment, cleared, by their options as JSON. Each keeps a blank page: without one the next
 * page gets a new window, whose tabs and buttons take Chromium as much CPU time to draw as the dashboard.
 */
const idle = new Map<string, BrowserContext[]>()

/** What the scripts of tests say in a frame that may run none. */
const OF_TESTS = /The document is sandboxed|does not match the recipient window's origin \('null'\)/

interface OpenPage extends AsyncDisposable {
  page: Page
  /** What the page has written to its console, and its uncaught errors. */
  complaints: string[]
  /** Resolves when the page has received all that it asked for and asks for nothing more. */
  settled(): Promise<void>
}

/** Opens a page without cookies or storage; when it goes out of scope, so does all that it and its popups have stored. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  browser ??= chromium.launch({ executablePath: TESTED!, args: [...FLAGS] })
  const key = JSON.stringify(options)
  const pool = idle.get(key) ?? []
  idle.set(key, pool)
  const context = pool.pop() ?? (await newContext(await browser, options))
  const page = await context.newPage()
  const complaints: string[] = []
  const complain = (text: string) => void (OF_TESTS.test(text) || complaints.push(text))
  page.on("console", (message) => complain(message.text()))
  page.on("pageerror", (error) => complain(error.message))
  page.setDefaultTimeout(60_000)
  const settled = watchRequests(page)
  async function dispose(): Promise<void> {
    await clear(context)
    pool.push(context)
  }
  return { page, complaints, settled, [Symbol.asyncDispose]: dispose }
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  await context.newPage()
  return context
}

/** Closes the pages of a context except its blank one, the first, and forgets all that was stored in it. */
async function clear(context: BrowserContext): Promise<void> {
  const [blank, ...used] = context.pages()
  const devtools = await context.newCDPSession(blank!)
  for (const page of used) {
    const { origin } = new URL(page.url())
    await close(page)
    if (origin !== "null") {
      await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" })
    }
  }
  await devtools.detach()
  await context.clearCookies()
  await context.clearPermissions()
  await context.setOffline(false)
}

/** Closes a page once nothing in it can load another: Chromium never closes one that is being replaced at that moment. */
async function close(page: Page): Promise<void> {
  await until("a page that is no longer needed goes blank", () =>
    page.goto("about:blank").then(
      () => true,
      () => page.isClosed(),
    ),
  )
  await page.close()
}

/** Frames without a request after which nothing more is to come: what is shown may ask for something once it is seen. */
const CALM = 3

/** Milliseconds that a frame may take where nothing is shown: pages behind others get none. */
const UNSEEN_MS = 500

/** Returns a function that resolves when a page has all that it asked for, and asks for nothing more. */
function watchRequests(page: Page): () => Promise<void> {
  const waiting = new Set<Request>()
  page.on("request", (request) => {
    // The stream of changes never ends.
    if (request.resourceType() !== "eventsource") waiting.add(request)
  })
  page.on("requestfinished", (request) => waiting.delete(request))
  page.on("requestfailed", (request) => waiting.delete(request))
  return async () => {
    let calm = 0
    const asked = () => [...waiting].map((request) => request.url()).join(" ") || "nothing"
    await until(
      () => `the page asks for nothing more, it waits for ${asked()}`,
      async () => {
        await page.evaluate(nextFrame, UNSEEN_MS)
        calm = waiting.size === 0 ? calm + 1 : 0
        return calm >= CALM
      },
    )
  }
}

/** Runs in the page. */
function nextFrame(unseenMs: number): Promise<void> {
  return new Promise((seen) => {
    requestAnimationFrame(() => setTimeout(seen))
    setTimeout(seen, unseenMs)
  })
}
