// A firm with its people, and its domain on the do-not-contact list.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { openDashboard, openMenu } from "./support.ts"

browserTest("companies are listed, found, and shown with their people, next steps and notes", async () => {
  await using dashboard = await openDashboard(
    async ({ call }) => {
      const anna = { name: "Anna Berg", source: "fair", email: "anna@acme.example", company: "Acme GmbH" }
      const { id } = (await call("POST", "/leads", { ...anna, next_step: "Send offer", next_step_at: 4e9 }))
        .body
      await call("POST", "/leads", { name: "Ben Cole", source: "fair", website: "www.acme.example" })
      await call("POST", "/leads", { name: "Trattoria", source: "fair", website: "danino.example" })
      await call("POST", `/leads/${id}/notes`, { content: "Likes the blue one" })
    },
    { path: "/companies" },
  )
  const { page, service, complaints } = dashboard
  await dashboard.see("danino.example")
  await page.getByLabel("Search companies").fill("acme")
  await page.getByRole("link", { name: "Acme GmbH" }).click()
  const people = page.getByRole("region", { name: "People" })
  await people.getByRole("link", { name: "Ben Cole" }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  const anna = people.getByRole("listitem").filter({ hasText: "Anna Berg" })
  const mail = (await anna.getByText("anna@acme.example").boundingBox())!
  const button = (await anna.getByRole("button", { name: "Not of this company" }).boundingBox())!
  expect(button.y).toBeGreaterThanOrEqual(mail.y + mail.height)
  await page.setViewportSize({ width: 1280, height: 800 })
  await dashboard.see("Send offer")
  await dashboard.see("Likes the blue one")
  await page.getByRole("button", { name: "Do not contact acme.example" }).click()
  await dashboard.see("acme.example is on the do-not-contact list")
  await page.getByRole("button", { name: "Undo" }).click()
  await dashboard.see("Off the do-not-contact list again")
  const { suppressions } = (await service.call("GET", "/suppressions")).body
  expect(suppressions).toEqual([])
  await page.getByRole("button", { name: "Merge with…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Search companies").fill("danino")
  await dialog.getByRole("button", { name: /Trattoria/ }).click()
  await dashboard.see("Trattoria is part of Acme GmbH now")
  const trattoria = people.getByRole("listitem").filter({ hasText: "Trattoria" })
  await trattoria.waitFor()
  await page.getByRole("button", { name: "Undo" }).last().click()
  await dashboard.see("Put back 1 lead")
  await trattoria.waitFor({ state: "detached" })
  const ben = people.getByRole("listitem").filter({ hasText: "Ben Cole" })
  await ben.getByRole("button", { name: "Not of this company" }).click()
  await dashboard.see("Ben Cole is with no company now")
  await ben.waitFor({ state: "detached" })
  const [lead] = (await service.call("GET", "/leads?q=Ben")).body.leads
  await dashboard.go(`/leads/${lead.id}`)
  await openMenu(page, "Actions of this lead")
  await page.getByRole("button", { name: "Put into a company…" }).press("Enter")
  await dialog.getByLabel("Search companies").fill("acme")
  await dialog.getByRole("button", { name: /Acme GmbH/ }).click()
  await dashboard.see("Ben Cole is with Acme GmbH now")
  await page.getByRole("link", { name: "All of this company" }).click()
  await ben.waitFor()
  await people.getByRole("link", { name: "Anna Berg" }).click()
  await page.getByRole("link", { name: "All of this company" }).click()
  await people.getByRole("link", { name: "Ben Cole" }).waitFor()
  await dashboard.go("/leads?columns=name,company_id&group=company_id")
  const groups = page.getByRole("navigation", { name: /^Groups by/ })
  await groups.getByRole("link", { name: "Acme GmbH 2" }).click()
  await page.getByRole("button", { name: "Change filter: Company (grouped) is Acme GmbH" }).waitFor()
  await page.getByRole("gridcell", { name: "Acme GmbH" }).first().getByRole("link").click()
  await people.getByRole("link", { name: "Ben Cole" }).waitFor()
  expect(complaints).toEqual([])
})
