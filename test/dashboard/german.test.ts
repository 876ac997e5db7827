// The dashboard in German, in a browser.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { TABLES } from "../../src/dashboard/texts/german/tables.ts"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { SOURCE } from "./source-texts.ts"
import { fillLeads, openDashboard, openMenu } from "./support.ts"

/** The dashboard's pages: their names and titles in English. */
const PAGES = [
  ...readFileSync(join(SOURCE, "pages.ts"), "utf8").matchAll(/name: "([\w-]+)",\s+title: t\("([^"]+)"\)/g),
].map(([, name, title]) => ({ name: name!, title: title! }))

/** English texts that no German page shows: long enough not to be a part of another text. */
const ENGLISH = TABLES.flatMap((table) => Object.entries(table) as [string, string][])
  .filter(([english, german]) => english !== german && english.length > 10 && !english.includes("{"))
  .map(([english]) => english)

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

browserTest("each page is in German, with its dates and numbers", async () => {
  expect(PAGES.length).toBeGreaterThan(15)
  const german: Record<string, string> = Object.assign({}, ...TABLES)
  await using dashboard = await openDashboard(fillLeads, { locale: "de-DE" })
  const { page, complaints } = dashboard
  for (const { name, title } of PAGES) {
    await dashboard.load(`/${name}`)
    await until(`${name} has its title`, async () => (await page.title()).startsWith(german[title]!))
    await page.getByRole("main").getByRole("heading").first().waitFor()
    const text = await page.evaluate(() => document.body.innerText)
    expect([name, ENGLISH.filter((english) => text.includes(english))]).toEqual([name, []])
  }
  await dashboard.load("/leads?columns=name,created_at")
  await dashboard.see("30 Leads")
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
