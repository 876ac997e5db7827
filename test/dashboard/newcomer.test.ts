// The way of a newcomer, by the mouse alone and by the keyboard alone: from the link that the first start prints to leads that
// are imported, merged, scored and exported. docs/dashboard.md tells it with its times.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import { browserTest, openPage } from "../support/browser.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

const FILE = [
  "Firma;E-Mail;Telefon;Adresse;Ort;Webseite;Bewertung",
  "Trattoria da Nino GmbH;office@nino.example;+49 30 1234567;Torstraße 12;Berlin;https://nino.example;4,6",
  "Trattoria da Nino;nino@nino.example;+49 30 1234599;Torstraße 12;Berlin;https://nino.example;",
  ...Array.from({ length: 40 }, (_, i) => `Firm ${i};hello@firm${i}.example;;Weg ${i};Ulm;;${i % 5},5`),
]

/** More Tabs than a page has places that take the focus. */
const TABS_MAX = 150

/** Goes to a control by Tab, as who has no mouse, and presses Enter there. */
async function pressByTab(page: Page, control: Locator): Promise<void> {
  await control.waitFor({ state: "attached" })
  const isFocused = () => control.evaluate((element) => element === document.activeElement)
  for (let i = 0; i < TABS_MAX && !(await isFocused()); i++) await page.keyboard.press("Tab")
  expect([await control.textContent(), await isFocused()]).toEqual([await control.textContent(), true])
  await page.keyboard.press("Enter")
}

for (const hands of ["clicks", "keys"] as const)
  browserTest(`a newcomer imports, merges, scores and exports by ${hands} alone`, async () => {
    await using place = openPlace()
    const service = await place.serve()
    const printed = service.out().match(/http:\/\/leaddb\.localhost:\d+\/app#\w+/)![0]
    await using browser = await openPage({ viewport: { width: 1280, height: 800 } })
    const { page, complaints } = browser
    const use = (control: Locator) => (hands === "clicks" ? control.click() : pressByTab(page, control))
    const click = (role: "button" | "link", name: string | RegExp) =>
      use(page.getByRole(role, { name }).first())
    const see = (text: string | RegExp) => page.getByText(text).first().waitFor()

    await page.goto(printed.replace(/:\d+/, `:${new URL(service.url).port}`))
    await click("link", "Import a file")
    const chooser = page.waitForEvent("filechooser")
    await (hands === "clicks"
      ? page.getByText("Choose a file").click()
      : pressByTab(page, page.getByLabel("Choose a file")))
    const file = { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(FILE.join("\n")) }
    await (await chooser).setFiles(file)
    await click("button", "Import 42 rows")
    await see("The file is in")

    await until("both are found to be the same", async () => {
      await click("link", "Overview")
      await use(page.getByRole("link", { name: "Duplicates", exact: true }))
      await page.getByRole("tab", { name: "Pairs" }).or(page.getByText("Pairs")).first().waitFor()
      await browser.settled()
      return (await page.getByRole("button", { name: /^Merge m$/ }).count()) > 0
    })
    await click("button", /^Merge m$/)
    await see(/is merged into/)

    await click("link", "Scoring")
    await click("button", "New rule")
    // What is asked for first has the focus.
    await until("the name can be typed", () =>
      page.evaluate(() => document.activeElement?.matches("dialog input") === true),
    )
    await page.keyboard.type("Well rated")
    if (hands === "clicks") await page.getByLabel("Formula").focus()
    else {
      const formula = page.getByLabel("Formula")
      for (
        let i = 0;
        i < TABS_MAX && !(await formula.evaluate((field) => field === document.activeElement));
        i++
      )
        await page.keyboard.press("Tab")
    }
    await page.keyboard.type("rating * 20")
    await see("The formula is fine")
    await click("button", "Save rule")
    await see(/leads? scored/)

    await use(page.getByRole("link", { name: "Leads", exact: true }))
    await see("41 leads")
    await page.getByRole("gridcell", { name: "92", exact: true }).waitFor()
    await click("button", "Export")
    const download = page.waitForEvent("download")
    await use(page.getByRole("dialog").getByRole("link"))
    const lines = readFileSync(await (await download).path(), "utf8")
      .trim()
      .split(/\r?\n/)
    expect(lines).toHaveLength(42)
    expect(lines[1]).toContain("Trattoria da Nino GmbH")
    expect(complaints).toEqual([])
  })
