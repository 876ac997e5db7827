import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { CHROMIUM, FLAGS, TESTED } from "../../../test/support/browser.ts"

import { allCompared } from "../duplicates/compared.ts"
import { FIRST_ROW, firstRows, pageOf, signedIn } from "../first-rows.ts"
import type { Group } from "../group.ts"
import { type Check, check, note, percentile, ROUNDS, ratios, skipped, spread } from "../harness.ts"
import { measureLive } from "../live.ts"
import { restingCopy, type Service, serve } from "../service.ts"

/** How long the table is scrolled for its frames. */
const SCROLL_MS = 4_000
/** Rows that are loaded before it is scrolled. */
const ROWS = 100_000
/** How long that may take. */
const LOADING_MS = 120_000
/** Pixels of a row. */
const ROW = 36

/** Rows 21 to 30: the leads page in a browser, as a person meets it. */
export const dashboard: Group = {
  name: "dashboard",
  about: "the leads page in Chromium: first rows, typing, scrolling, memory, changes as they happen",
  async run({ program, scratch }) {
    const small = "dashboard: first rows, 100 k leads"
    // People have the whole browser; where it is missing, the one of the tests shows the same pages.
    const executablePath = CHROMIUM ?? TESTED
    if (!executablePath) return [skipped(21, small, "there is no Chromium")]
    const data = await restingCopy(program, 100_000, join(scratch, "data"))
    const service = await serve(program, data, "unbound")
    // A database that was just filled has all its leads to compare, on the second core.
    await allCompared(service.call)
    const browser = await chromium.launch({
      executablePath,
      args: [...FLAGS, "--enable-precise-memory-info"],
    })
    try {
      const [ours, bare] = await firstRows(browser, service)
      const { typing, frames, keys, heap } = await atWork(browser, service)
      const live = await measureLive(browser, service)
      return [
        check(21, `${small}, cold`, spread(ours.cold), "<= 200", "ms"),
        check(21, `${small}, cold: ours / fetch and print`, ratios(ours.cold, bare.cold), "<= 1.6", "x"),
        note(`${small}, cold: fetch and print`, spread(bare.cold), "ms"),
        check(22, `${small}, warm`, spread(ours.warm), "<= 150", "ms"),
        check(22, `${small}, warm: ours / fetch and print`, ratios(ours.warm, bare.warm), "<= 1.6", "x"),
        note(`${small}, warm: fetch and print`, spread(bare.warm), "ms"),
        check(23, "typing in the search to rows, 150 ms of waiting in it", spread(typing), "<= 250", "ms"),
        check(24, "scrolling with 100 k rows loaded, frame at p95", frames, "<= 33", "ms"),
        check(25, "a key to its effect there", spread(keys), "<= 20", "ms"),
        check(26, "heap of the page there", heap, "<= 100", "MB"),
        check(28, "a pushed lead to 20 open pages, p99", percentile(live.latency, 99), "<= 1000", "ms"),
        note("the same, p50", percentile(live.latency, 50), "ms"),
        check(
          29,
          "100 pushes a second for a minute, frame at p95",
          percentile(live.frames, 95),
          "<= 33",
          "ms",
        ),
        check(29, "the same: frames in which the first row was another", live.jumps, "<= 0", "frames"),
        check(30, "a stream of changes beside them, of a core", live.streamPercent, "<= 1", "%"),
      ] satisfies Check[]
    } finally {
      await browser.close()
      await service.stop()
    }
  },
}

async function atWork(browser: Browser, service: Service) {
  const page = await signedIn(browser, service)
  await page.goto(pageOf(service, "/leads"))
  await page.locator(FIRST_ROW).waitFor()
  const search = page.getByPlaceholder("Search leads")
  const typing: number[] = []
  for (const word of ["hotel", "cafe", "auto", "bau", "studio"]) {
    await search.fill("")
    await page.waitForLoadState("networkidle")
    typing.push(await page.evaluate(typed, word))
  }
  await search.fill("")
  await loadAll(page)
  const frames = await page.evaluate(scrolled, SCROLL_MS)
  const keys = await page.evaluate(pressed, ROUNDS * 4)
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1e6,
  )
  return {
    typing,
    frames: percentile(frames, 95),
    keys,
    heap,
  }
}

/** In the page: milliseconds from a typed word to the frame with its rows. */
function typed(word: string): Promise<number> {
  const input = document.querySelector<HTMLInputElement>("input[type=search]")!
  const body = document.querySelector(".grid-body")!
  input.focus()
  return new Promise((resolve) => {
    const first = () => body.querySelector('[aria-rowindex="2"]')?.textContent
    const before = first()
    const watch = new MutationObserver(() => {
      if (first() === before) return
      watch.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - start))
    })
    watch.observe(body, { childList: true, characterData: true, subtree: true })
    const start = performance.now()
    input.value = word
    input.dispatchEvent(new InputEvent("input", { bubbles: true }))
  })
}

/** Goes to the end again and again until the rows are there. */
async function loadAll(page: Page): Promise<void> {
  const height = ROWS * ROW
  await page.locator(".grid-body").waitFor()
  await page.waitForFunction(
    (height) => {
      const grid = document.querySelector("[role=grid]")!
      grid.scrollTop = grid.scrollHeight
      return document.querySelector(".grid-body")!.clientHeight >= height
    },
    height,
    { timeout: LOADING_MS, polling: 50 },
  )
}

/** In the page: milliseconds of each frame while the table is scrolled. */
function scrolled(duration: number): Promise<number[]> {
  const scroller = document.querySelector("[role=grid]")!
  return new Promise((resolve) => {
    const frames: number[] = []
    const start = performance.now()
    let last = start
    scroller.scrollTop = 0
    requestAnimationFrame(function step(now) {
      frames.push(now - last)
      last = now
      scroller.scrollTop += 240
      if (now - start < duration) requestAnimationFrame(step)
      else resolve(frames.slice(2))
    })
  })
}

/** In the page: milliseconds from an arrow key to the row that it makes the active one. */
async function pressed(times: number): Promise<number[]> {
  const grid = document.querySelector<HTMLElement>("[role=grid]")!
  grid.focus()
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    const changed = new Promise<void>((resolve) => {
      const watch = new MutationObserver(() => {
        watch.disconnect()
        resolve()
      })
      watch.observe(grid, { subtree: true, attributes: true, childList: true })
    })
    grid.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }))
    await changed
    taken.push(performance.now() - start)
  }
  return taken
}
