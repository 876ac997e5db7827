// Every page in both themes, wide and narrow: held against axe's rules, without a word in the console.
import { expect, test } from "bun:test"
import axe, { type RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { browserTest } from "../support/browser.ts"
import { fillLeads, openDashboard } from "./support.ts"

const PAGES = [
  "",
  "/leads",
  "/day",
  "/leads?filter=and.eq.city.Berlin&q=lead",
  "/leads?filter=and.eq.city.Nowhere",
  "/board",
  "/companies",
  "/activity",
  "/scoring",
  "/import",
  "/forms",
  "/do-not-contact",
  "/webhooks",
  "/connect",
  "/keys",
  "/team",
  "/sessions",
  "/account",
  "/attributes",
  "/admin-log",
  "/templates",
  "/privacy",
  "/duplicates",
  "/duplicates?view=groups",
  "/duplicates?view=learned",
  "/duplicates?state=merged",
]
const WIDTHS = [1280, 390]
const THEMES = ["light", "dark"] as const

const DOUBLE = {
  name: "Trattoria da Nino",
  source: "fair",
  city: "Berlin",
  address: "Torstraße 12",
  phone: "+49 30 1",
}
/** So that the page of their company has links in its texts. */
const NEXT = { job_title: "Chef", next_step: "Call about the offer", next_step_at: 1_798_070_400 }

const ALL: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
  resultTypes: ["violations"],
}
/** A theme changes nothing but colours. */
const COLOURS: RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast"] },
  resultTypes: ["violations"],
}

async function violations(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, options),
    options,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  )
}

/** In the page: buttons of its head that reach beyond the window, which no scroll bar shows. */
function cutActions(): string[] {
  const all = [...document.querySelectorAll(".head-actions > *")]
  return all.flatMap((one) =>
    one.getBoundingClientRect().right > innerWidth ? [`cut: ${one.textContent}`] : [],
  )
}

for (const width of WIDTHS) {
  browserTest(
    `pages are fine by axe in both themes at ${width} pixels, and fit`,
    async () => {
      await using dashboard = await openDashboard(
        async (service) => {
          await fillLeads(service)
          await service.call("POST", "/webhooks", { url: "http://127.0.0.1:9/hook" })
          await service.call("POST", "/forms", { name: "Contact" })
          await service.call("POST", "/members", { name: "Ada Lovelace" })
          for (const email of ["a@nino.example", "b@nino.example"]) {
            await service.call("POST", "/leads", { ...DOUBLE, email, ...NEXT })
          }
        },
        { viewport: { width, height: 844 }, reducedMotion: "reduce" },
      )
      const { page, complaints, service } = dashboard
      const [lead] = (await service.call("GET", "/leads?limit=1")).body.leads
      await page.evaluate(axe.source)
      const wrong: string[] = []
      const [company] = (await service.call("GET", "/companies?q=nino")).body.companies
      for (const path of [
        ...PAGES,
        `/leads/${lead.id}`,
        `/leads?lead=${lead.id}`,
        `/companies/${company.id}`,
      ]) {
        await dashboard.go(path)
        await page.getByRole("heading").first().waitFor()
        await dashboard.settled()
        const found: string[] = []
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme })
          found.push(...(await violations(page, colorScheme === "light" ? ALL : COLOURS)))
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        if (wide > width) found.push(`${wide} pixels wide`)
        found.push(...(await page.evaluate(cutActions)))
        wrong.push(...found.map((what) => `${path || "/"}: ${what}`))
      }
      expect(wrong).toEqual([])
      expect(complaints).toEqual([])
    },
    300_000,
  )
}

test("no two pages have one key", async () => {
  const source = await Bun.file(`${import.meta.dir}/../../src/dashboard/pages.ts`).text()
  const keys = [...source.matchAll(/^ {2}\[".*?\), "\w+", "(\w)", "/gm)].map(([, key]) => key)
  expect(keys.length).toBeGreaterThan(15)
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

test("the list of pages here is the dashboard's own", async () => {
  const source = await Bun.file(`${import.meta.dir}/../../src/dashboard/pages.ts`).text()
  const names = [...source.matchAll(/^ {2}\["([\w-]+)"/gm)].map(([, name]) => `/${name}`)
  const missing = names.filter((name) => !PAGES.includes(name) && name !== "/overview")
  expect(missing).toEqual([])
})
