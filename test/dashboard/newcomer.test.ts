// The way of a newcomer, by the mouse alone: from the link that the first start prints to leads that are imported,
// merged, scored and exported. docs/dashboard.md tells it with its times.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { browserTest, openPage } from "../support/browser.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

const FILE = [
  "Firma;E-Mail;Telefon;Adresse;Ort;Webseite;Bewertung",
  "Trattoria da Nino GmbH;office@nino.example;+49 30 1234567;Torstraße 12;Berlin;https://nino.example;4,6",
  "Trattoria da Nino;nino@nino.example;+49 30 1234599;Torstraße 12;Berlin;https://nino.example;",
  ...Array.from({ length: 40 }, (_, i) => `Firm ${i};hello@firm${i}.example;;Weg ${i};Ulm;;${i % 5},5`),
]

browserTest("a newcomer imports, merges, scores and exports by clicks alone", async () => {
  await using place = openPlace()
  const service = await place.serve()
  const printed = service.out().match(/http:\/\/leaddb\.localhost:\d+\/app#\w+/)![0]
  await using browser = await openPage({ viewport: { width: 1280, height: 800 } })
  const { page, complaints } = browser
  const click = (role: "button" | "link", name: string | RegExp) =>
    page.getByRole(role, { name }).first().click()
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor()

  await page.goto(printed.replace(/:\d+/, `:${new URL(service.url).port}`))
  await click("link", "Import a file")
  const chooser = page.waitForEvent("filechooser")
  await page.getByText("Choose a file").click()
  const file = { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(FILE.join("\n")) }
  await (await chooser).setFiles(file)
  await click("button", "Import 42 rows")
  await see("The file is in")

  await until("both are found to be the same", async () => {
    await click("link", "Overview")
    await page.getByRole("link", { name: "Duplicates", exact: true }).click()
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
  await page.getByLabel("Formula").fill("rating * 20")
  await see("The formula is fine")
  await click("button", "Save rule")
  await click("button", "Score all leads")
  await see(/leads? scored/)

  await page.getByRole("link", { name: "Leads", exact: true }).click()
  await see("41 leads")
  await page.getByRole("gridcell", { name: "92", exact: true }).waitFor()
  await click("button", "Export")
  const download = page.waitForEvent("download")
  await page.getByRole("dialog").getByRole("link").click()
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split(/\r?\n/)
  expect(lines).toHaveLength(42)
  expect(lines[1]).toContain("Trattoria da Nino GmbH")
  expect(complaints).toEqual([])
})
