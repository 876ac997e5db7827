// The moving picture: a file from a scraper with one firm under several names is imported, what is sure is merged, what is
// not waits with its reasons, and a merge is undone.
import type { Browser, Locator, Page } from "playwright-core"
import { allCompared } from "../bench/duplicates/compared.ts"
import { pageOf, signedIn } from "../bench/first-rows.ts"
import type { Service } from "../bench/service.ts"
import { openStudio, SCREEN } from "./studio.ts"
import type { Theme } from "./theme.ts"

const FILE = "maps-scrape-berlin.csv"
const ROWS = `
Title|Full_Address|Phone |WEB|e-mail|Stars|Reviews
Trattoria Da Nino|Torstraße 12, 10119 Berlin|+49 30 1234567|https://www.danino.example|ciao@danino.example|4,6|312
TRATTORIA DA NINO GMBH|Torstr. 12, Berlin|030/123 45 67|||4.6|1.204
Da Nino Trattoria|Torstr. 12, 10119 Berlin||danino.example/menu?utm=maps|Ciao@DaNino.example|4,5|
Café Łódź|Kastanienallee 7, 10435 Berlin|0049 30 7654321|cafe-lodz.example|hello@cafe-lodz.example|4,8|95
cafe lodz  |Kastanienallee 7, 10435 Berlin||http://cafe-lodz.example/||n/a|95 Bewertungen
Zahnarztpraxis Dr. Yıldız|Sonnenallee 101, 12045 Berlin|+49 30 555 01 20|praxis-yildiz.example|info@praxis-yildiz.example|4.9|201
Praxis Dr. Yildiz|Sonnenallee 101, 12045 Berlin||www.praxis-yildiz.example||4,9|
Elektro Baumgartner|Müllerstr. 3, 13353 Berlin|030 5550144||auftrag@elektro-baumgartner.example||
Fahrrad Kiez|Oranienstr. 25, 10999 Berlin|+49 (0)30 555 01 77|fahrradkiez.example|hallo@fahrradkiez.example|4,4|1,1k
FAHRRAD-KIEZ|Oranienstraße 25|||Hallo@Fahrradkiez.example|4.4|
Elektro Baumgartner e.K.|Muellerstr. 3, Berlin|+49 30 555 01 44|elektro-baumgartner.example|auftrag@elektro-baumgartner.example|4,1|18`
  .trim()
  .split("\n")
  .map((row) => row.split("|"))

export async function playImport(browser: Browser, service: Service, theme: Theme): Promise<Uint8Array> {
  await allCompared(service.call)
  const studio = await openStudio(browser, theme)
  const page = await signedIn(browser, service, { viewport: SCREEN, colorScheme: theme, locale: "en-US" })
  const show = async (caption: string, ms: number) =>
    studio.show(await page.screenshot({ animations: "disabled" }), caption, ms)
  const press = async (button: Locator) => {
    const box = (await button.boundingBox())!
    await studio.press({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
    await button.click()
  }

  await studio.show(
    await sheet(browser, theme),
    "A scraper's file: odd headers, one firm under many names",
    2_200,
  )

  await page.goto(pageOf(service, "/import"))
  await page.getByLabel("Choose a file").setInputFiles({
    name: FILE,
    mimeType: "text/csv",
    buffer: Buffer.from(ROWS.map((cells) => cells.map(quoted).join(",")).join("\n")),
  })
  const begin = page.getByRole("button", { name: /^Import \d+ rows/ })
  await begin.waitFor()
  await page.waitForLoadState("networkidle")
  await show("Columns are recognised; nothing is kept yet", 1_600)
  const merges = page.getByRole("region", { name: "Merges" })
  await merges.evaluate((section) => section.scrollIntoView({ block: "end" }))
  await show("What would be merged is shown first, with the reason", 2_200)
  await begin.scrollIntoViewIfNeeded()
  await show("What would be merged is shown first, with the reason", 300)
  await press(begin)
  await page.getByRole("heading", { name: "The file is in" }).waitFor()
  await show("Imported: rows with the same email are one lead", 1_300)

  await allCompared(service.call)
  await goTo(page, "/duplicates")
  await page.getByRole("row", { name: /^Status/ }).waitFor()
  await page.waitForLoadState("networkidle")
  await show("What is less certain waits, with its reasons", 2_200)
  const open = await page.getByText(/^\d+ open$/).innerText()
  await press(page.getByRole("button", { name: /^Merge m$/ }))
  const undo = page.getByRole("button", { name: "Undo" })
  await undo.waitFor()
  await page.waitForLoadState("networkidle")
  await show("Merged with one click …", 1_000)
  await press(undo)
  await page.getByText("Merge undone").first().waitFor()
  await page.getByText(open, { exact: true }).waitFor()
  await page.waitForLoadState("networkidle")
  await show("… and undone with another", 2_000)

  await page.context().close()
  return studio.finish()
}

/** Goes to a page of the dashboard without loading anything again. */
function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((path) => {
    history.pushState(null, "", path)
    dispatchEvent(new PopStateEvent("popstate"))
  }, `/app${path}`)
}

const quoted = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The file as a spreadsheet shows it. */
async function sheet(browser: Browser, theme: Theme): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: SCREEN, colorScheme: theme })
  const cells = (row: readonly string[]) => row.map((cell) => `<td>${Bun.escapeHTML(cell)}</td>`).join("")
  const rows = ROWS.map(
    (row, i) => `<tr class="${i === 0 ? "head" : ""}"><th>${i + 1}</th>${cells(row)}</tr>`,
  )
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>
    :root { color-scheme: ${theme}; font: 13px system-ui, sans-serif; background: light-dark(#fff, #161a21) }
    body { margin: 0; color: light-dark(#161a22, #e8ebf1) }
    h1 { margin: 0; padding: 22px 24px; font-size: 17px }
    table { border-collapse: collapse; width: 100% }
    td, th { max-width: 158px; padding: 10px 8px; border: 1px solid light-dark(#d5dae3, #343c4a); overflow: hidden;
      text-overflow: ellipsis; white-space: nowrap; text-align: left }
    th { color: light-dark(#586173, #a3acbb); background: light-dark(#eef0f4, #1e232c); font-weight: 400 }
    .head td { font-weight: 600 }
  </style><h1>${FILE}</h1><table>${rows.join("")}</table>`)
  const picture = await page.screenshot()
  await page.close()
  return picture
}
