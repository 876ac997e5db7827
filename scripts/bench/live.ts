// How soon pages show what others push, what a burst of pushes does to a page that is open, and what a stream costs.
import type { Browser, Page } from "playwright-core"
import { busyOf } from "../torture/abuse/gauge.ts"
import { FIRST_ROW, pageOf, signedIn } from "./first-rows.ts"
import { BASE_PATH, type Service } from "./service.ts"

const TABS = 20
/** Leads that are pushed one by one, and how long after one another. */
const SINGLE = 60
const SINGLE_EVERY_MS = 250
const BURST_PER_SECOND = 100
const BURST_MS = 60_000
/** How long the service's work is counted, with streams and without. */
const COST_MS = 10_000
const PUSHED = "live"

interface Live {
  /** Milliseconds from each push to its count on each page. */
  latency: number[]
  /** Milliseconds of the frames of an open table while 100 leads a second are pushed. */
  frames: number[]
  /** Times that the first row was another meanwhile. */
  jumps: number
  /** Percent of a core that each stream takes while 100 leads a second are pushed. */
  streamPercent: number
}

export async function measureLive(browser: Browser, service: Service): Promise<Live> {
  const pages = await openTabs(browser, service)
  const latency = await latencies(pages, service)
  await Promise.all(pages.slice(1).map((page) => page.close()))
  const { frames, jumps } = await underBurst(pages[0]!, service)
  await pages[0]!.context().close()
  return { latency, frames, jumps, streamPercent: await streamCost(service) }
}

async function openTabs(browser: Browser, service: Service): Promise<Page[]> {
  const first = await signedIn(browser, service)
  const pages = [first]
  while (pages.length < TABS) pages.push(await first.context().newPage())
  for (const page of pages) {
    await page.goto(pageOf(service, "/leads"))
    await page.locator(FIRST_ROW).waitFor()
    await page.evaluate(watchFresh)
  }
  // The first of them reads the stream for all.
  await push(service)
  await Promise.all(pages.map((page) => page.locator(".fresh").waitFor()))
  return pages
}

/** In the page: keeps when each count of new leads was in a frame first. */
function watchFresh(): void {
  const seen: number[] = []
  Object.assign(globalThis, { seen })
  new MutationObserver(() => {
    const count = Number.parseInt(document.querySelector(".fresh")?.textContent ?? "", 10) || 0
    const at = Date.now()
    for (let i = seen.length; i < count; i++) seen.push(at)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}

async function latencies(pages: readonly Page[], service: Service): Promise<number[]> {
  const sent: number[] = []
  for (let i = 0; i < SINGLE; i++) {
    sent.push(Date.now())
    await push(service)
    await Bun.sleep(SINGLE_EVERY_MS)
  }
  const all: number[] = []
  for (const page of pages) {
    // Pages behind others get no frames to look in.
    await page.waitForFunction(
      (count) => (globalThis as unknown as { seen: number[] }).seen.length > count,
      SINGLE,
      { polling: 100 },
    )
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen)
    // The first count was there before.
    all.push(...sent.map((at, i) => seen[i + 1]! - at))
  }
  return all
}

async function underBurst(page: Page, service: Service): Promise<Pick<Live, "frames" | "jumps">> {
  await page.bringToFront()
  const watching = page.evaluate(watchFrames, BURST_MS)
  await burst(service, BURST_MS)
  return watching
}

/** In the page: the length of each frame, and in how many the first row was another, or elsewhere. */
function watchFrames(duration: number): Promise<{ frames: number[]; jumps: number }> {
  // By name and place: how long ago it was made is another text every minute.
  const row = () => {
    const name = document.querySelector('[role="grid"] [aria-rowindex="2"] .col-name')
    return `${name?.textContent} ${name?.getBoundingClientRect().top}`
  }
  return new Promise((resolve) => {
    const frames: number[] = []
    const first = row()
    const start = performance.now()
    let [last, jumps] = [start, 0]
    requestAnimationFrame(function step(now) {
      frames.push(now - last)
      last = now
      if (row() !== first) jumps++
      if (now - start < duration) requestAnimationFrame(step)
      else resolve({ frames: frames.slice(2), jumps })
    })
  })
}

async function streamCost(service: Service): Promise<number> {
  const without = await workOf(service)
  const stop = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: TABS }, () =>
      fetch(`${service.origin}${BASE_PATH}/changes?view=diff&cursor=now`, {
        headers: { ...service.headers, Accept: "text/event-stream" },
        signal: stop.signal,
      }),
    ),
  )
  for (const { body } of streams) void drain(body!)
  const beside = await workOf(service)
  stop.abort()
  return Math.max(0, (beside - without) / TABS)
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch {
    // It was ended.
  }
}

/** Percent of a core that the service takes while 100 leads a second are pushed. */
async function workOf(service: Service): Promise<number> {
  const from = busyOf(service.pid)
  const start = performance.now()
  await burst(service, COST_MS)
  return ((busyOf(service.pid) - from) * 100_000) / (performance.now() - start)
}

async function burst(service: Service, duration: number): Promise<void> {
  const sending: Promise<unknown>[] = []
  const start = performance.now()
  for (let i = 0; performance.now() - start < duration; i++) {
    sending.push(push(service))
    await Bun.sleep(Math.max(0, start + ((i + 1) * 1_000) / BURST_PER_SECOND - performance.now()))
  }
  await Promise.all(sending)
}

let count = 0

function push(service: Service): Promise<unknown> {
  count++
  return service.call("POST", "/leads", {
    ...{ name: `Pushed ${count}`, source: PUSHED, email: `pushed${count}@live.example` },
  })
}
