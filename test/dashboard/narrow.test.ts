// A phone's width, and people who want nothing to move.
import { expect } from "bun:test"
import { networkOrigins } from "../../src/runtime/network.ts"
import { openTestApp } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { fillLeads, openDashboard } from "./support.ts"

browserTest("on a phone a lead is searched for, opened, changed, and left again", async () => {
  await using dashboard = await openDashboard(fillLeads, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page, service, complaints } = dashboard
  await page.getByRole("button", { name: "Menu" }).tap()
  await page.getByRole("link", { name: "Leads", exact: true }).tap()
  await dashboard.see("30 leads")
  expect(await page.getByRole("link", { name: "Board" }).isVisible()).toBe(false)
  await dashboard.go("/board")
  await page.getByRole("heading", { name: "Board" }).waitFor()
  expect(
    await page.locator("kbd:visible").or(page.getByText("[ and ]")).and(page.locator(":visible")).count(),
  ).toBe(0)
  await dashboard.go("/leads")
  await page.getByLabel("Search leads").tap()
  await page.keyboard.type("Lead 07")
  await dashboard.see("1 lead")
  await page.getByRole("gridcell", { name: "Lead 07", exact: true }).tap()
  const panel = page.getByRole("complementary")
  const box = (await panel.boundingBox())!
  expect([box.x, box.width]).toEqual([0, 390])
  await panel.getByLabel("Status").selectOption("qualified")
  await dashboard.see("Status changed")
  await page.goBack()
  await until("the lead is closed", async () => (await panel.count()) === 0)
  const { body } = await service.call("GET", "/leads?filter=and.eq.status.qualified")
  expect(body.leads.map(({ name }: { name: string }) => name)).toEqual(["Lead 07"])
  expect(complaints).toEqual([])
})

browserTest(
  "on a phone in the network a member joins, signs in, calls, writes a note and sets a status",
  async () => {
    const { app, call } = await openTestApp({ host: "0.0.0.0" })
    const [origin] = networkOrigins("0.0.0.0", Number(new URL(app.url).port))
    // A machine without a network has no address to open.
    if (origin === undefined) return
    await call("POST", "/leads", { name: "Bakery Anna", source: "fair", phone: "+49 30 1234567" })
    const { body: invited } = await call("POST", "/members", { name: "Mia", role: "editor" })
    expect(new URL(invited.invite_url).origin).toBe(origin)
    await using browser = await openPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = browser
    const menu = page.getByRole("button", { name: "Menu", exact: true })
    await page.goto(invited.invite_url)
    await page.getByLabel("Password").fill("a long enough sentence")
    await page.getByRole("button", { name: "Join with a password" }).tap()
    await menu.tap()
    await page.getByRole("button", { name: "Account menu" }).tap()
    await page.getByRole("button", { name: "Sign out" }).tap()
    await page.getByLabel("Name").fill("Mia")
    await page.getByLabel("Password").fill("a long enough sentence")
    await page.getByRole("button", { name: "Sign in with password" }).tap()
    await menu.tap()
    await page.getByRole("link", { name: "Leads", exact: true }).tap()
    await page.getByRole("gridcell", { name: "Bakery Anna", exact: true }).tap()
    const panel = page.getByRole("complementary")
    const phone = panel.getByRole("link", { name: "Call", exact: true })
    expect(await phone.getAttribute("href")).toBe("tel:+49301234567")
    await panel.getByRole("button", { name: "Add a note" }).tap()
    await page.keyboard.type("Wants an offer")
    await panel.getByRole("button", { name: "Save note" }).tap()
    await panel.getByText("Wants an offer").waitFor()
    await panel.getByLabel("Status").selectOption("contacted")
    await page.getByText("Status changed").waitFor()
    const [lead] = (await call("GET", "/leads")).body.leads
    expect(lead).toMatchObject({ status: "contacted", note_count: 1 })
    expect((await call("GET", "/changes?limit=1")).body.changes[0].actor_id).toBe("Mia")
  },
)

browserTest("nothing moves for those who want no motion", async () => {
  await using dashboard = await openDashboard(fillLeads, { reducedMotion: "reduce" })
  const { page } = dashboard
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("*")].flatMap((element) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
        const seconds = (text: string) => Math.max(...text.split(",").map(Number.parseFloat))
        const isMoving =
          (animationName !== "none" && seconds(animationDuration) > 0.01) ||
          seconds(transitionDuration) > 0.01
        return isMoving ? [`${element.tagName} ${element.className}`] : []
      }),
    )
  for (const path of ["", "/leads", "/duplicates", "/scoring"]) {
    await dashboard.go(path)
    await page.getByRole("heading").first().waitFor()
    expect([path, await moving()]).toEqual([path, []])
  }
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox").waitFor()
  expect(await moving()).toEqual([])
})

browserTest("on a phone the table shows cards of what people need, without scrolling aside", async () => {
  await using dashboard = await openDashboard(fillLeads, {
    viewport: { width: 390, height: 844 },
    path: "/leads",
  })
  const { page } = dashboard
  await dashboard.see("30 leads")
  const row = page.locator(".grid-body .grid-row").first()
  const { height } = (await row.boundingBox())!
  expect(height).toBeGreaterThan(60)
  expect(await row.locator(".col-email").isVisible()).toBe(false)
  expect(await row.locator(".col-name").isVisible()).toBe(true)
  expect(await page.locator(".grid").evaluate((grid) => grid.scrollWidth - grid.clientWidth)).toBe(0)
})

browserTest(
  "in a window of 650 pixels of height each menu, with all that unfolds in it, is reachable",
  async () => {
    await using dashboard = await openDashboard(fillLeads, { viewport: { width: 1280, height: 650 } })
    const { page, service } = dashboard
    const [lead] = (await service.call("GET", "/leads?limit=1")).body.leads
    const outside: string[] = []
    for (const path of ["/leads", `/leads?lead=${lead.id}`, `/leads/${lead.id}`, "/board", "/scoring"]) {
      await dashboard.go(path)
      await page.getByRole("heading").first().waitFor()
      await dashboard.settled()
      if (path === "/leads") await page.getByLabel("Select all 30 shown").click()
      const buttons = page.locator("button[popovertarget]:visible")
      for (let i = 0; i < (await buttons.count()); i++) {
        await buttons.nth(i).click()
        const menu = page.locator(":popover-open")
        await menu.waitFor()
        // It is put into its place after it is shown.
        await page.locator("button[popovertarget][aria-expanded=true]").waitFor()
        for (const summary of await menu.locator("summary").all()) await summary.click()
        const label = `${path}: ${await menu.getAttribute("aria-label")}`
        const { y, height } = (await menu.boundingBox())!
        if (y < 0 || y + height > 650) outside.push(`${label} from ${y} to ${y + height}`)
        for (const item of (await menu.locator("button, a, input, select").all()).slice(-3)) {
          if (!(await item.isVisible())) continue
          await item.scrollIntoViewIfNeeded()
          const box = (await item.boundingBox())!
          if (box.y + box.height > y + height + 1) outside.push(`${label}: ${await item.innerText()}`)
        }
        await page.keyboard.press("Escape")
        await menu.waitFor({ state: "hidden" })
      }
    }
    expect(outside).toEqual([])
    for (const group of await page.locator("#nav summary").all()) await group.click()
    for (const item of [
      page.locator("#nav a:visible").last(),
      page.getByRole("button", { name: "Account menu" }),
    ]) {
      await item.scrollIntoViewIfNeeded()
      const { y, height } = (await item.boundingBox())!
      expect(y + height).toBeLessThanOrEqual(650)
    }
  },
)
