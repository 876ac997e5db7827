// The dashboard in German, in a browser.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { TABLES } from "../../src/dashboard/texts/german/tables.ts"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { SOURCE } from "./source-texts.ts"
import { fillAccount, fillLeads, openDashboard, openMenu } from "./support.ts"

/** The dashboard's pages: their names and titles in English. */
const PAGES = [
  ...readFileSync(join(SOURCE, "pages.ts"), "utf8").matchAll(/name: "([\w-]+)",\s+title: t\("([^"]+)"\)/g),
].map(([, name, title]) => ({ name: name!, title: title! }))

const GERMAN: Record<string, string> = Object.assign({}, ...TABLES)
/** What stands in the data of the filled account, too. */
const DATA = new Set(["fair", "Form", "Name", "text", "Full", "form", "lead", "Position"])
const ENGLISH = Object.entries(GERMAN).flatMap(([english, german]) =>
  english === german || DATA.has(english) ? [] : english,
)
/** Texts that are long enough not to be a part of another one, and those with values in them. */
const LONG = ENGLISH.filter((text) => text.length > 10 && !text.includes("{"))
const WITH_VALUES = ENGLISH.filter((text) =>
  /[a-z]{3,} [a-z]{2,}/i.test(text.replaceAll(/\{\w+\}/g, "-")),
).flatMap((text) =>
  text.includes("{")
    ? new RegExp(
        `^${text
          .split(/\{\w+\}/)
          .map(RegExp.escape)
          .join(".*")}$`,
      )
    : [],
)

/** English texts among all that a page shows or says to those who hear it. */
async function englishOn(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts: string[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) texts.push(walk.currentNode.textContent ?? "")
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name) ?? "")
    return [...new Set(texts.map((text) => text.trim()))]
  })
  const exact = new Set(ENGLISH)
  return shown.filter(
    (text) =>
      exact.has(text) ||
      LONG.some((english) => text.includes(english)) ||
      WITH_VALUES.some((english) => english.test(text)),
  )
}

browserTest("a browser that asks for German gets it, and keeps the language that is chosen", async () => {
  await using dashboard = await openDashboard(fillLeads, { locale: "de-DE" })
  const { page } = dashboard
  const language = () => page.evaluate(() => document.documentElement.lang)
  await dashboard.see("Neue Leads pro Tag, nach Quelle")
  expect(await language()).toBe("de")
  await openMenu(page, "Kontomenü")
  await page.getByRole("button", { name: "English" }).click()
  await dashboard.see("New leads per day, by source")
  expect(await language()).toBe("en")
  await dashboard.load("/keys")
  await dashboard.see("A key lets a program, a form or an AI client in, with the rights of its role.")
  await openMenu(page, "Account menu")
  await page.getByRole("button", { name: "Deutsch" }).click()
  await dashboard.see("Neuer Schlüssel")
})

browserTest("each page and dialog is in German, with its dates and numbers", async () => {
  expect(PAGES.length).toBeGreaterThan(15)
  await using dashboard = await openDashboard(fillAccount, { locale: "de-DE" })
  const { page, complaints, service } = dashboard
  const wrong: string[] = []
  const look = async (where: string) => {
    await dashboard.settled()
    for (const text of await englishOn(page)) wrong.push(`${where}: ${text}`)
  }
  /** Opens what the head's buttons open, and the row's or the panel's. */
  const openAll = async (where: string, buttons: Locator) => {
    for (let i = 0; i < (await buttons.count()); i++) {
      const name = (await buttons.nth(i).innerText()).trim()
      await buttons.nth(i).press("Enter")
      await look(`${where}, ${name}`)
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
  }
  for (const { name, title } of PAGES) {
    await dashboard.load(`/${name}`)
    await until(`${name} has its title`, async () => (await page.title()).startsWith(GERMAN[title]!))
    await page.getByRole("main").getByRole("heading").first().waitFor()
    await look(name)
    await openAll(name, page.locator(".head-actions button[type=button]:enabled"))
  }
  for (const path of ["duplicates?view=groups", "duplicates?view=learned", "leads?group=status"]) {
    await dashboard.go(`/${path}`)
    await look(path)
  }
  const [lead] = (await service.call("GET", "/leads?q=Full")).body.leads
  await dashboard.go(`/leads/${lead.id}`)
  await page.getByRole("heading", { name: "Full" }).waitFor()
  await look("lead")
  await page.keyboard.press("?")
  await look("keys")
  expect(wrong).toEqual([])
  await dashboard.load("/leads?columns=name,created_at")
  await page.getByRole("columnheader", { name: "Angelegt" }).waitFor()
  expect(complaints).toEqual([])
})

browserTest("a lead is made, changed and deleted in German", async () => {
  await using dashboard = await openDashboard(async () => {}, { locale: "de-AT", path: "/leads" })
  const { page } = dashboard
  await page.getByRole("button", { name: "Neuer Lead" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Neuer Lead" })
  await dialog.getByLabel("Name").fill("Gasthof Post")
  await dialog.getByLabel("Quelle").fill("Messe")
  await dialog.getByRole("button", { name: "Lead anlegen" }).click()
  await dashboard.see("Gasthof Post angelegt")
  await dashboard.see("1 Lead")
})
