// What a list shows to others, where values come from, and what is erased.
import { expect } from "bun:test"
import { browserTest, openPage } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { type DashboardService, openDashboard } from "./support.ts"

async function fill({ call }: DashboardService): Promise<void> {
  const lead = { name: "Trattoria Da Nino", source: "google_maps", city: "Ulm", email: "nino@example.com" }
  const { body } = await call("POST", "/leads", lead)
  await call("POST", "/leads", { name: "Elsewhere", source: "web", city: "Bonn" })
  const fields = { phone: "+49 731 1" }
  await call("POST", `/leads/${body.id}/enrichments`, { source: "clearbit", confidence: 0.9, fields })
  await call("POST", "/segments", { name: "In Ulm", filter: ["and.eq.city.ulm"] })
}

browserTest("a saved view is shared by a link that shows chosen fields, and revoked", async () => {
  await using dashboard = await openDashboard(fill, { path: "/leads" })
  const { page, service } = dashboard
  await page.getByRole("navigation", { name: "Saved views" }).getByRole("link", { name: "In Ulm" }).click()
  await page.getByRole("button", { name: "Share list In Ulm" }).click()
  const dialog = page.getByRole("dialog", { name: "Share In Ulm" })
  await dialog.getByLabel("Email", { exact: true }).check()
  await dialog.getByLabel("Company", { exact: true }).uncheck()
  await dialog.getByRole("button", { name: "Create link" }).click()
  const address = dialog.locator("code").first()
  await address.waitFor()
  const url = (await address.textContent())!
  expect(await dialog.getByText("=IMPORTDATA(").count()).toBe(1)

  await using stranger = await openPage({ javaScriptEnabled: false })
  await stranger.page.goto(url)
  await stranger.page.getByRole("heading", { name: "In Ulm" }).waitFor()
  const cells = await stranger.page.getByRole("cell").allTextContents()
  expect(cells.filter((text) => text !== "").toSorted()).toEqual([
    "Trattoria Da Nino",
    "Ulm",
    "nino@example.com",
  ])
  expect(stranger.complaints).toEqual([])

  await dialog.getByRole("button", { name: "Revoke" }).click()
  await dashboard.see("Link revoked")
  await stranger.page.reload()
  await stranger.page.getByText("This list is not shared here").waitFor()
  expect((await service.call("GET", "/links")).body).toEqual([])
})

browserTest("a list with a password is shown to who has it", async () => {
  const password = "open sesame please"
  await using dashboard = await openDashboard(fill)
  const { call } = dashboard.service
  const [{ id }] = (await call("GET", "/segments")).body
  const { body } = await call("POST", "/links", { segment: id, fields: ["name"], password })
  await using stranger = await openPage({ javaScriptEnabled: false })
  const { page } = stranger
  await page.goto(body.url)
  await page.getByLabel("Password").fill("something else")
  await page.keyboard.press("Enter")
  await page.getByText("That is not the password").waitFor()
  await page.getByLabel("Password").fill(password)
  await page.keyboard.press("Enter")
  await page.getByRole("cell", { name: "Trattoria Da Nino" }).waitFor()
})

browserTest("a lead says where its values come from, and is downloaded as a whole", async () => {
  await using dashboard = await openDashboard(fill, { path: "/leads" })
  const { page, service } = dashboard
  const { leads } = (await service.call("GET", "/leads?filter=and.eq.city.ulm")).body
  await dashboard.go(`/leads/${leads[0].id}`)
  await page.getByRole("button", { name: "Where do these values come from?" }).click()
  const origins = page.getByLabel("Where values come from")
  await origins.getByText(/Enrichment from clearbit, 90.% sure/).waitFor()
  expect(await origins.getByText(/^Push from google_maps/).count()).toBe(5)
  await page.getByRole("button", { name: "Actions of this lead" }).click()
  const downloading = page.waitForEvent("download")
  await page.getByRole("link", { name: "Download everything", exact: true }).click()
  const file = await (await downloading).path()
  const everything = await Bun.file(file).json()
  expect(everything.lead).toMatchObject({
    name: "Trattoria Da Nino",
    origins: { phone: { source: "clearbit" } },
  })
  await page.getByRole("button", { name: "Actions of this lead" }).click()
  const reading = page.waitForEvent("download")
  await page.getByRole("link", { name: "Download everything as a page" }).click()
  const html = await Bun.file(await (await reading).path()).text()
  expect(html).toContain("Data about Trattoria Da Nino")
})

browserTest("a retention rule says what it is about to erase; erasures are listed", async () => {
  await using dashboard = await openDashboard(fill, { path: "/privacy" })
  const { page, service } = dashboard
  await page.getByRole("button", { name: "New rule" }).click()
  const dialog = page.getByRole("dialog", { name: "New retention rule" })
  await dialog.getByLabel("Name").fill("Everything old")
  await dialog.getByLabel("Not touched for").fill("6")
  await dialog.getByRole("button", { name: "Save rule" }).click()
  await dashboard.see("Rule saved: it is about 0 leads now")
  await page.getByText("All leads, not touched for 6 months: erased after 14 days of notice").waitFor()
  const [rule] = (await service.call("GET", "/retention-rules")).body
  expect(rule).toMatchObject({ name: "Everything old", filter: [], months: 6, days: null, notice_days: 14 })
  const { leads } = (await service.call("GET", "/leads")).body
  await service.call("DELETE", `/leads/${leads[0].id}?erase=true`)
  await page.getByRole("button", { name: "Delete Everything old" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
  await dashboard.see("Everything old deleted")
  await page.getByRole("heading", { name: "Erased" }).waitFor()
  await page.getByRole("cell", { name: "On request" }).waitFor()
  await until(
    "the rule is gone",
    async () => (await service.call("GET", "/retention-rules")).body.length === 0,
  )
})
