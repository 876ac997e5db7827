// The table by keyboard alone, and what it shows before anything is set up.
import { expect } from "bun:test"
import type { Page } from "playwright-core"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { dashboardTest, fillLeads, focusTable, openDashboard, openMenu } from "./support.ts"

const test = dashboardTest(fillLeads, { path: "/leads" })

browserTest("the table has the focus when its page opens, and again after a dialog", async () => {
  await using dashboard = await openDashboard(fillLeads)
  const { page } = dashboard
  await dashboard.goByKeys("l")
  await dashboard.see("30 leads")
  const isFocused = (selector: string) =>
    until(`${selector} has the focus`, () =>
      page.evaluate((selector) => document.activeElement?.matches(selector) === true, selector),
    )
  await isFocused(".grid")
  await page.keyboard.press("j")
  await page.keyboard.press("x")
  await dashboard.see("1 selected")
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).press("Enter")
  await page.getByRole("dialog").getByText("This touches").waitFor()
  await isFocused(".dialog-foot .does")
  await page.keyboard.press("Escape")
  await until("the dialog is closed", async () => (await page.getByRole("dialog").count()) === 0)
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
})

test("the table has the focus again when the bar of a selection, or a lead, is gone", async (dashboard) => {
  const { page } = dashboard
  const isInTable = () =>
    until("the table has the focus", () =>
      page.evaluate(() => document.activeElement?.matches(".grid") === true),
    )
  await focusTable(page)
  for (const change of ["Changed 2 leads", "Nothing changed for 2 leads"]) {
    for (const key of ["x", "j", "x"]) await page.keyboard.press(key)
    await openMenu(page, "Set status")
    await page.getByRole("button", { name: "Qualified", exact: true }).press("Enter")
    await page.getByRole("button", { name: "Set status Qualified for 2 leads" }).press("Enter")
    await dashboard.see(change)
    await isInTable()
    await page.keyboard.press("k")
  }
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Log a contact" }).focus()
  await page.keyboard.press("Escape")
  await isInTable()
})

/** Presses Tab until a control of this name has the focus, which each on the way shows. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab")
    const { named, isSeen } = await page.evaluate(() => {
      const one = document.activeElement!
      const shown = [one, one.closest("label"), one.closest("label")?.querySelector(".button")]
      const hasRing = (element: Element | null | undefined) =>
        element ? getComputedStyle(element).outlineStyle !== "none" : false
      const text = one.getAttribute("aria-label") ?? (one.closest("label") ?? one).textContent ?? ""
      return {
        named: text.trim(),
        isSeen: one === document.body || one.matches(".grid") || shown.some(hasRing),
      }
    })
    expect({ named, isSeen }).toEqual({ named, isSeen: true })
    if (named.startsWith(name)) return
  }
  throw new Error(`Tab does not come to ${name}`)
}

browserTest("leads get owners, companies and stages, and files come in, by keys alone", async () => {
  await using dashboard = await openDashboard(
    async (service) => {
      await fillLeads(service)
      await service.call("POST", "/members", { name: "Eva Klein" })
      await service.call("POST", "/stages", { name: "Offer", status: "qualified" })
      for (const company of ["Abel", "Busch"])
        await service.call("POST", "/leads", { name: `Of ${company}`, source: "fair", company, city: "Ulm" })
    },
    { path: "/leads" },
  )
  const { page } = dashboard
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const choose = async (control: string) => {
    await tabTo(page, control)
    await press("Enter")
  }
  const dialog = page.getByRole("dialog")
  await focusTable(page)
  await press("x", "j", "x")
  await tabTo(page, "More actions")
  await openMenu(page, "More actions")
  await press("Enter")
  await dialog.getByLabel("Field").waitFor()
  await page.keyboard.type("Owner")
  await tabTo(page, "Eva Klein")
  await press("Space")
  await choose("Continue")
  await dialog.getByRole("list", { name: "Preview" }).waitFor()
  await press("Enter")
  await dashboard.see("Changed 2 leads")

  await dashboard.goByKeys("m")
  await dashboard.see("Abel")
  await tabTo(page, "Search companies")
  await page.keyboard.type("abel")
  await page.getByText("Busch").waitFor({ state: "detached" })
  await choose("Abel")
  await choose("Merge with…")
  await dialog.getByLabel("Search companies").waitFor()
  await page.keyboard.type("busch")
  await dialog.getByText("example.com").waitFor({ state: "detached" })
  await choose("Busch")
  await dashboard.see("Busch is part of Abel now")

  await dashboard.goByKeys("b")
  await dashboard.see("Lead 29")
  await tabTo(page, "Lead 29")
  await press("]")
  await dashboard.see("Lead 29 is Offer")

  await dashboard.goByKeys("i")
  await dashboard.see("Choose a file")
  await tabTo(page, "Choose a file")
  const choosing = page.waitForEvent("filechooser")
  await press("Space")
  const file = { name: "f.csv", mimeType: "text/csv", buffer: Buffer.from("Name,Email\nNew,new@x.example") }
  await (await choosing).setFiles(file)
  await page.getByRole("button", { name: "Import 1 row" }).waitFor()
  await choose("Import 1 row")
  await dashboard.see("The file is in")
  await choose("Look at the leads")
  await dashboard.see("new@x.example")
})

browserTest("a status that is chosen by keys is one change", async () => {
  await using dashboard = await openDashboard(fillLeads, { path: "/leads?columns=status,name" })
  const { page, service } = dashboard
  await dashboard.see("30 leads")
  const changes = async () => (await service.call("GET", "/changes?action=updated&view=diff")).body.changes
  const before = (await changes()).length
  await page.locator(".grid").press("e")
  const select = page.locator("select.cell-editor")
  await select.press("ArrowDown")
  await select.press("ArrowDown")
  await select.press("Enter")
  await dashboard.see(/^Status of .* changed$/)
  expect((await changes()).length).toBe(before + 1)
  expect((await changes())[0].diff.status).toEqual([expect.any(String), expect.any(String)])
})

test("the box in the head selects all leads, with their count", async ({ page, see }) => {
  await see("30 leads")
  await page.getByLabel("Select all 30 shown").click()
  await see("30 selected")
  await page.getByLabel("Select all 30 shown").click()
  expect(await page.getByText("30 selected").count()).toBe(0)
})

test("a filter suggests the commonest values with their counts", async ({ page, see }) => {
  await see("30 leads")
  await page.getByRole("button", { name: "Add a filter" }).click()
  await page.getByLabel("Field").selectOption({ label: "City" })
  const labels = () =>
    page.locator("datalist option").evaluateAll((options) => options.map((one) => one.getAttribute("label")))
  await until("cities are suggested", async () => (await labels()).includes("Berlin (10)"))
})

browserTest("scores are shown once there is a rule", async () => {
  await using dashboard = await openDashboard(
    async ({ call }) => void (await call("POST", "/leads", { name: "Only one", source: "test" })),
  )
  const { page, service, load } = dashboard
  await dashboard.see("No rule scores your leads yet.")
  // As at a first visit, which does not know yet.
  await page.evaluate(() => localStorage.removeItem("leaddb-scored"))
  const reads: string[] = []
  page.on(
    "request",
    (request) => void (/\/leads\?.*limit=100/.test(request.url()) && reads.push(request.url())),
  )
  await load("/leads")
  await dashboard.see("1 lead")
  await until("there is no column for scores", async () => {
    return (await page.getByRole("columnheader", { name: "Score" }).count()) === 0
  })
  await dashboard.settled()
  expect(reads).toHaveLength(1)
  await service.call("POST", "/scoring-rules", { name: "All", expression: "50" })
  await load("/scoring")
  await dashboard.see("All")
  await load("/leads")
  await page.getByRole("columnheader", { name: "Score" }).waitFor()
})

test("a toast lies over nothing that can be clicked", async ({ page, see }) => {
  await see("30 leads")
  await page.locator(".grid").press("x")
  await page.locator(".grid").press("Control+z")
  await see("There is nothing to undo")
  const toast = (await page.locator(".toasts").boundingBox())!
  const bar = (await page.getByRole("toolbar").boundingBox())!
  expect(toast.y + toast.height).toBeLessThanOrEqual(bar.y)
})
