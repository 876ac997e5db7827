// The leads page as people use it, without a mouse.
import { describe, expect } from "bun:test"
import type { Page } from "playwright-core"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import {
  type DashboardService,
  dashboardTest,
  fillLeads,
  focusTable,
  openDashboard,
  openMenu,
} from "./support.ts"

const test = dashboardTest(fillLeads)

browserTest("rows are read as they are reached, and the address keeps what is shown", async () => {
  await using dashboard = await openDashboard(async ({ call }) => {
    const lead = (i: number) => ({ name: `Lead ${String(i).padStart(4, "0")}`, source: "test" })
    for (let from = 0; from < 1500; from += 500) {
      await call("POST", "/leads/batch", { leads: Array.from({ length: 500 }, (_, i) => lead(from + i)) })
    }
  })
  const { page } = dashboard
  await dashboard.go("/leads?sort=name&order=asc")
  await dashboard.see("1,500 leads")
  expect(await page.getByRole("row").count()).toBeLessThan(60)
  await focusTable(page)
  await until("the last row is there", async () => {
    await page.keyboard.press("Control+End")
    return (await page.getByText("Lead 1499").count()) > 0
  })
  await page.keyboard.press("Control+Home")
  await dashboard.see("Lead 0000")
})

test("a search, a filter and a sort by keys; back takes them away again", async ({ page, goByKeys, see }) => {
  await goByKeys("l")
  await see("30 leads")
  await page.keyboard.press("/")
  await page.keyboard.type("Lead 07")
  await page.waitForURL(/q=Lead\+07/)
  await see("1 lead")
  await page.getByLabel("Search leads").fill("")
  await see("30 leads")

  await openMenu(page, "Add a filter")
  await page.getByLabel("Field").selectOption({ label: "City" })
  await page.getByRole("combobox", { name: "Value", exact: true }).fill("Berlin")
  await page.keyboard.press("Enter")
  await page.waitForURL(/filter=and\.eq\.city\.Berlin/)
  await see("10 leads")
  await page.goBack()
  await see("30 leads")
  await page.goForward()
  await page.getByRole("button", { name: "Remove filter: City is Berlin" }).press("Enter")
  await see("30 leads")
})

test("a cell is changed in place, refused in words, and taken back", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/leads?sort=name&order=asc&columns=name,city,rating")
  await dashboard.see("30 leads")
  await focusTable(page)
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("e")
  await page.keyboard.type("Oslo")
  await page.keyboard.press("Enter")
  await dashboard.see("City of Lead 00 changed")
  const city = async () => (await service.call("GET", "/leads?filter=and.eq.name.Lead 00")).body.leads[0].city
  expect(await city()).toBe("Oslo")
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter")
  await until("the city is back", async () => (await city()) === "Berlin")

  await focusTable(page)
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("e")
  await page.keyboard.type("many")
  await page.keyboard.press("Enter")
  await dashboard.see("Rating must be a number")
  await page.keyboard.press("Escape")
})

test("several are selected and changed together", async ({ page, service, ...dashboard }) => {
  await dashboard.go("/leads?sort=name&order=asc")
  await dashboard.see("30 leads")
  await focusTable(page)
  for (const key of ["x", "Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key)
  await dashboard.see("3 selected")
  // Escape closes what is open, and nothing behind it.
  await page.keyboard.press("?")
  await page.getByRole("dialog").waitFor()
  await page.keyboard.press("Escape")
  await until("the help is closed", async () => (await page.getByRole("dialog").count()) === 0)
  await openMenu(page, "Set status")
  await page.getByRole("button", { name: "Qualified", exact: true }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Qualified", exact: true }).waitFor({ state: "hidden" })
  await dashboard.see("3 selected")
  await openMenu(page, "Set status")
  await page.getByRole("button", { name: "Qualified", exact: true }).press("Enter")
  await page.getByRole("button", { name: /^Set status Qualified for/ }).press("Enter")
  await dashboard.see("Changed 3 leads")
  const { body } = await service.call("GET", "/leads?filter=and.eq.status.qualified&sort_by=name")
  expect(body.leads.map(({ name }: { name: string }) => name)).toEqual(["Lead 00", "Lead 01", "Lead 02"])
})

/** Holds back the dry runs of bulk actions; resolves to what lets them go, as they are or with another count. */
async function holdCounts(page: Page): Promise<{ asked: Promise<void>; answer(matched?: number): void }> {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<number | undefined>()
  await page.route("**/leads/bulk", async (route) => {
    if (!route.request().postDataJSON().dry_run) return route.continue()
    asked.resolve()
    const matched = await go.promise
    if (matched === undefined) await route.continue()
    else await route.fulfill({ json: { matched, dry_run: true, sample: [] } })
  })
  return { asked: asked.promise, answer: go.resolve }
}

describe("what is confirmed before the leads are counted", () => {
  async function confirmEarly(page: Page): Promise<void> {
    await focusTable(page)
    for (const key of ["x", "Shift+ArrowDown"]) await page.keyboard.press(key)
    await openMenu(page, "Set status")
    await page.getByRole("button", { name: "Qualified", exact: true }).press("Enter")
    await page.getByRole("button", { name: "Set status Qualified for 2 leads" }).waitFor()
    await page.keyboard.press("Enter")
  }

  test("is done when the count is the one that was shown", async ({ page, ...dashboard }) => {
    const held = await holdCounts(page)
    await dashboard.go("/leads?sort=name&order=asc")
    await dashboard.see("30 leads")
    await confirmEarly(page)
    await held.asked
    await page.getByRole("button", { name: "Working…" }).waitFor()
    held.answer()
    await dashboard.see("Changed 2 leads")
  })

  test("is asked again when the count is another", async ({ page, service, ...dashboard }) => {
    const held = await holdCounts(page)
    await dashboard.go("/leads?sort=name&order=asc")
    await dashboard.see("30 leads")
    await confirmEarly(page)
    await held.asked
    held.answer(1)
    await page.getByRole("button", { name: "Set status Qualified for 1 lead" }).waitFor()
    expect((await service.call("GET", "/leads?filter=and.eq.status.qualified")).body.count).toBe(0)
  })
})

test("a lead is opened, noted on, explained and shows its history", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/leads?sort=rating&order=desc")
  await focusTable(page)
  await page.keyboard.press("Enter")
  const panel = page.getByRole("complementary")
  await panel.getByText("Why this score").waitFor()
  await panel.getByText("Well rated").waitFor()
  await panel.getByLabel("New note").fill("Wants an offer")
  await page.keyboard.press("Control+Enter")
  await panel.getByText("Wants an offer").waitFor()
  await panel.getByText("Notes (1)").waitFor()
  await panel.getByLabel("Status").selectOption("converted")
  await dashboard.see("Status changed")
  await panel.getByRole("deletion").getByText("new").waitFor()
  await panel.getByText("Put back").first().press("Enter")
  await dashboard.see("Put back")
  const isBack = async () =>
    (await service.call("GET", "/leads?filter=and.eq.status.converted")).body.count === 0
  await until("the status is back", isBack)
  await page.keyboard.press("Escape")
  await until("the lead is closed", async () => (await panel.count()) === 0)
})

browserTest("a new lead, one that is there already, and an empty account that says what to do", async () => {
  await using dashboard = await openDashboard()
  const { page } = dashboard
  await dashboard.see("Nothing to look at yet")
  await dashboard.go("/leads")
  await dashboard.see("No leads yet")
  for (const said of ["Ada created", "Ada was there already"]) {
    await page.getByRole("button", { name: "New lead" }).first().press("Enter")
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Ada")
    await page.getByRole("dialog").getByLabel("Email").fill("ada@example.com")
    await page.keyboard.press("Enter")
    await dashboard.see(said)
  }
})

browserTest("a viewer sees no control that writes, and gets 403 when forced", async () => {
  await using dashboard = await openDashboard(fillLeads, { role: "viewer" })
  const { page, service } = dashboard
  const [lead] = (await service.call("GET", "/leads?limit=1")).body.leads
  for (const path of [
    "/leads",
    `/leads?lead=${lead.id}`,
    "/board",
    "/scoring",
    "/webhooks",
    "/team",
    "/import",
  ]) {
    await dashboard.go(path)
    await page.getByRole("heading").first().waitFor()
    await dashboard.settled()
    const words =
      /new lead|delete|save|edit|change|add attribute|put back|invite|score all|new rule|new webhook|choose a file|set status/i
    const buttons = await page.getByRole("button").allInnerTexts()
    expect([path, buttons.filter((text) => words.test(text))]).toEqual([path, []])
    expect([path, await page.getByRole("checkbox").count()]).toEqual([path, 0])
  }
  expect(await page.getByRole("link", { name: "Keys" }).count()).toBe(0)
  const forced = await page.evaluate(async () => {
    const body = JSON.stringify({ name: "a", source: "b" })
    const headers = { "Content-Type": "application/json" }
    return (await fetch("/api/v1/leads", { method: "POST", headers, body })).status
  })
  expect(forced).toBe(403)
})

test("commands find pages and leads, and help tells the keys", async ({ page, see, goByKeys }) => {
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox").fill("Lead 13")
  await page.getByRole("option", { name: /Lead 13.*@/ }).waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Lead 13" }).waitFor()
  await page.keyboard.press("?")
  await see("In a table of leads")
  await page.keyboard.press("Escape")
  await goByKeys("s")
  await page.getByRole("heading", { name: "Scoring" }).waitFor()
})

test("all that match are changed together, seen or not, and put back", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/leads?filter=and.eq.city.Berlin")
  await dashboard.see("10 leads")
  await focusTable(page)
  await page.keyboard.press("x")
  await page.getByRole("button", { name: "Select all 10" }).press("Enter")
  await dashboard.see("10 selected")
  await openMenu(page, "More actions")
  await page.getByRole("button", { name: "Add tags" }).press("Enter")
  await page.getByRole("dialog").getByLabel("Tags").fill("fair, autumn")
  await page.keyboard.press("Enter")
  await dashboard.see("This touches 10 leads")
  await page.getByRole("button", { name: "Tag 10 leads" }).press("Enter")
  await dashboard.see("Tagged 10 leads")
  const tagged = async () =>
    (await service.call("GET", "/leads?filter=and.array_contains.tags.autumn&total=true")).body.total
  expect(await tagged()).toBe(10)
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter")
  await dashboard.see("Put back 10 leads")
  expect(await tagged()).toBe(0)
})

/** Pastes as a spreadsheet gives it, where the focus is. */
function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData("text/plain", text)
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(event)
  }, text)
}

/** The text that copying gives, where the focus is. */
function copied(page: Page): Promise<string> {
  return page.evaluate(() => {
    const clipboardData = new DataTransfer()
    const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(event)
    return clipboardData.getData("text/plain")
  })
}

test("the table is grouped: sorted by a field, with counts that lead to each group", async (dashboard) => {
  const { page } = dashboard
  await dashboard.go("/leads")
  await dashboard.see("30 leads")
  await page.getByLabel("Group by").selectOption("city")
  await page.waitForURL(/sort=city&order=asc/)
  const groups = page.getByRole("navigation", { name: "Groups by City" })
  await groups.getByRole("link", { name: "Paris 10" }).press("Enter")
  await page.waitForURL(/filter=and\.eq\.city\.Paris/)
  await dashboard.see("10 leads")
  await page.goBack()
  await page.getByLabel("Group by").selectOption("")
  await groups.waitFor({ state: "hidden" })
  await dashboard.see("30 leads")
})

describe("cells of a spreadsheet", () => {
  const SHOWN = "/leads?sort=name&order=asc&columns=name,city,rating,status"
  const cities = async (service: DashboardService, count: number) =>
    (await service.call("GET", `/leads?sort_by=name&limit=${count}`)).body.leads.map(
      ({ city, rating, status }: Record<string, unknown>) => [city, rating, status],
    )

  test("are pasted from the active cell on, shown before, and taken back", async (dashboard) => {
    const { page, service } = dashboard
    await dashboard.go(SHOWN)
    await dashboard.see("30 leads")
    const before = await cities(service, 3)
    await focusTable(page)
    await page.keyboard.press("ArrowRight")
    await paste(page, 'Oslo\t4,5\tQualified\r\n"Bergen\n""West"""\t3\tconverted\r\n')
    await page.getByRole("dialog").getByText("Oslo").waitFor()
    await page.getByRole("button", { name: "Paste into 2 leads" }).press("Enter")
    await dashboard.see("Pasted into 2 leads")
    expect(await cities(service, 3)).toEqual([
      ["Oslo", 4.5, "qualified"],
      ['Bergen\n"West"', 3, "converted"],
      before[2],
    ])
    await page.getByRole("button", { name: "Undo" }).press("Enter")
    await until(
      "they are back",
      async () => JSON.stringify(await cities(service, 3)) === JSON.stringify(before),
    )
  })

  test("of one value fill the selected leads, and wrong ones are named", async (dashboard) => {
    const { page, service } = dashboard
    await dashboard.go(SHOWN)
    await dashboard.see("30 leads")
    await focusTable(page)
    for (const key of ["x", "Shift+ArrowDown", "Shift+ArrowDown", "ArrowRight"])
      await page.keyboard.press(key)
    await paste(page, "Oslo\tmany")
    await page.getByRole("dialog").getByText("Rating must be a number").waitFor()
    await page.getByRole("button", { name: "Paste into 3 leads" }).press("Enter")
    await dashboard.see("Pasted into 3 leads")
    const found = await cities(service, 4)
    expect(found.map(([city]: string[]) => city)).toEqual(["Oslo", "Oslo", "Oslo", "Berlin"])
  })

  test("are copied with the names of their columns, which lead them back", async (dashboard) => {
    const { page, service } = dashboard
    await dashboard.go(SHOWN)
    await dashboard.see("30 leads")
    await focusTable(page)
    expect(await copied(page)).toBe("Lead 00")
    for (const key of ["x", "Shift+ArrowDown"]) await page.keyboard.press(key)
    const text = await copied(page)
    expect(text.split("\n").slice(0, 2)).toEqual([
      "Name\tCity\tRating\tStatus",
      "Lead 00\tBerlin\t0\tContacted",
    ])
    await paste(
      page,
      text.replace("City\tRating", "Rating\tCity").replaceAll(/(Berlin|Paris)\t(\d)/g, "$2\tRom"),
    )
    await page.getByRole("button", { name: "Paste into 2 leads" }).press("Enter")
    await dashboard.see("Pasted into 2 leads")
    await paste(page, "City\tPhone\nUlm\t+49 731 1")
    await page.getByRole("dialog").getByText("Phone: show its column first").waitFor()
    await page.keyboard.press("Escape")
    const found = await cities(service, 2)
    expect(found.map(([city]: string[]) => city)).toEqual(["Rom", "Rom"])
  })
})
