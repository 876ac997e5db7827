import type { Browser, Page } from "playwright-core"
import { allCompared } from "../bench/duplicates/compared.ts"
import { FIRST_ROW, pageOf, signedIn } from "../bench/first-rows.ts"
import type { Service } from "../bench/service.ts"
import type { Theme } from "./theme.ts"

/** What is waited for, so that nothing is still loading. */
const PAGES: readonly [name: string, path: string, isThere: (page: Page) => Promise<unknown>][] = [
  ["leads", "/leads?sort=score&order=desc", (page) => page.locator(FIRST_ROW).waitFor()],
  ["overview", "/overview", (page) => page.getByText("cities more").waitFor()],
  ["duplicates", "/duplicates", (page) => page.getByRole("heading", { name: /% the same/ }).waitFor()],
]

/** Takes a picture of each page in a theme: `dashboard-NAME-THEME.webp`. */
export async function takePages(
  browser: Browser,
  service: Service,
  theme: Theme,
  keep: (name: string, bytes: Uint8Array) => void,
): Promise<void> {
  await allCompared(service.call)
  const page = await signedIn(browser, service, { colorScheme: theme, locale: "en-US" })
  for (const [name, path, isThere] of PAGES) {
    await page.goto(pageOf(service, path))
    await isThere(page)
    await page.waitForFunction(() => document.fonts.status === "loaded")
    keep(`dashboard-${name}-${theme}.png`, await page.screenshot())
  }
  await page.context().close()
}
