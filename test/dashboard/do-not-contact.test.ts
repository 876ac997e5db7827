// The do-not-contact list as people keep it, and its mark on a lead.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { fillLeads, focusTable, openDashboard, openMenu } from "./support.ts"

browserTest("entries are added, looked up, removed, exported and imported", async () => {
  await using dashboard = await openDashboard(fillLeads, { path: "/do-not-contact" })
  const { page, service } = dashboard
  await dashboard.see("Nothing on the list")
  await page.getByRole("button", { name: "Add", exact: true }).click()
  await page.getByLabel("Emails, domains or phones").fill("lead1@example.com\n\nacme.example")
  await page.getByLabel("Reason").fill("asked by phone")
  await page.getByRole("button", { name: "Add to the list" }).click()
  await dashboard.see("2 entries added")
  await dashboard.see("lead1@example.com")

  await page.getByLabel("Is it on the list?").fill("x@acme.example")
  await page.keyboard.press("Enter")
  await until("the domain alone is shown", async () => (await page.locator(".rows li").count()) === 1)
  await page.getByLabel("Is it on the list?").fill("")
  await until("all are shown again", async () => (await page.locator(".rows li").count()) === 2)

  await page.getByRole("button", { name: "Remove acme.example" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await dashboard.see("acme.example removed from the list")
  const buffer = Buffer.from("email\nother@example.com\nlead1@example.com\nnothing\n")
  await page.getByLabel("Import").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer })
  await dashboard.see("1 added, 1 on the list already, 1 not understood")
  const download = page.waitForEvent("download")
  await page.getByRole("link", { name: "Export" }).click()
  expect((await download).suggestedFilename()).toMatch(/^do-not-contact-.*\.csv$/)
  expect((await service.call("GET", "/suppressions")).body.total).toBe(2)
})

browserTest("a lead on the list is marked with the reason, and nothing calls or writes to it", async () => {
  await using dashboard = await openDashboard(fillLeads)
  const { service } = dashboard
  const [lead] = (await service.call("GET", "/leads?filter=and.eq.email.lead3@example.com")).body.leads
  await service.call("POST", "/suppressions", { value: lead.email, reason: "asked by phone" })
  await service.call("PUT", `/leads/${lead.id}`, { phones: [{ value: "+49 30 1" }, { value: "+49 30 2" }] })
  const { page } = dashboard
  const links = page.locator("a[href^='tel:'], a[href^='mailto:']")
  await dashboard.load("/board")
  await page.getByRole("link", { name: lead.name }).press("Enter")
  await dashboard.see("lead3@example.com: asked by phone")
  await page.getByRole("link", { name: "Do not contact" }).first().waitFor()
  await page.getByText("+49 30 2").first().waitFor()
  expect(await links.count()).toBe(0)
  const [other] = (await service.call("GET", "/leads?filter=and.eq.email.lead4@example.com")).body.leads
  await dashboard.load(`/leads/${other.id}`)
  await until("others can be written to", async () => (await links.count()) > 1)
})

browserTest(
  "many leads go on the list after a question, and an undo leaves what was on it before",
  async () => {
    await using dashboard = await openDashboard(
      async ({ call }) => {
        for (const name of ["anna", "ben", "cem"])
          await call("POST", "/leads", { name, source: "fair", email: `${name}@acme.example` })
        await call("POST", "/suppressions", { value: "ben@acme.example" })
      },
      { path: "/leads" },
    )
    const { page, service, complaints } = dashboard
    const listed = async () => {
      const { suppressions } = (await service.call("GET", "/suppressions")).body
      return suppressions.map(({ value }: { value: string }) => value).toSorted()
    }
    await focusTable(page)
    await page.keyboard.press("Control+a")
    await openMenu(page, "More actions")
    await page.getByRole("button", { name: "Put on the do-not-contact list" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "Contact 3 leads no more?" })
    await dialog.getByText("3 emails and phones go on the do-not-contact list.").waitFor()
    expect(await listed()).toEqual(["ben@acme.example"])
    await dialog.getByRole("button", { name: "Put on the do-not-contact list" }).press("Enter")
    await dashboard.see("3 leads on the do-not-contact list")
    expect(await listed()).toHaveLength(3)
    await page.getByRole("button", { name: "Undo" }).click()
    await dashboard.see("Off the do-not-contact list again")
    expect(await listed()).toEqual(["ben@acme.example"])
    expect(complaints).toEqual([])
  },
)
