// What comes in and what must stay out, as people see it: lists that are checked, vCards, and what is known of emails
// and consent.
import { expect } from "bun:test"
import { until } from "../support/until.ts"
import { dashboardTest } from "./support.ts"

const test = dashboardTest(async ({ call }) => void (await call("POST", "/leads", NINO)))

const NINO = { name: "Trattoria Da Nino", source: "maps", email: "info@nino.example", city: "Ulm" }

test("a pasted list says which leads are there already, and keeps the new ones", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/import")
  await page.getByRole("button", { name: "Do we have these?" }).click()
  const dialog = page.getByRole("dialog")
  await dialog
    .getByLabel("Leads to look for")
    .fill("Name,Email\nNino,INFO@nino.example\n\nAda,ada@example.com\n")
  await dialog.getByRole("button", { name: "Check the list" }).click()
  await dialog.getByText("1 there already, 0 likely, 1 new.").waitFor()
  await dialog.getByText("same email").waitFor()
  const downloading = page.waitForEvent("download")
  await dialog.getByRole("button", { name: "Download the new ones (1 row)" }).click()
  const file = await (await downloading).path()
  expect(await Bun.file(file).text()).toBe("Name,Email\nAda,ada@example.com\n")
  await dialog.getByLabel("Leads to look for").fill("info@nino.example\nMüller, Söhne & Co")
  await dialog.getByRole("button", { name: "Check the list" }).click()
  await dialog.getByText("Müller, Söhne & Co").waitFor()
  await dialog.getByRole("link", { name: "There already" }).click()
  await page.getByRole("heading", { name: "Trattoria Da Nino" }).waitFor()
  expect((await service.call("GET", "/leads")).body.count).toBe(1)
})

test("leads are exported as vCards and imported again", async ({ page, service, go, see }) => {
  await go("/leads")
  await page.getByRole("button", { name: "Export" }).click()
  await page.getByRole("dialog").locator("select").first().selectOption("vcf")
  const downloading = page.waitForEvent("download")
  await page.getByRole("link", { name: /^Export 1 lead/ }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toEndWith(".vcf")
  const buffer = Buffer.from(await Bun.file(await download.path()).bytes())
  const [lead] = (await service.call("GET", "/leads")).body.leads
  await service.call("DELETE", `/leads/${lead.id}`)
  await go("/import")
  await page.getByLabel("Choose a file").setInputFiles({ name: "a.vcf", mimeType: "text/vcard", buffer })
  const run = page.getByRole("button", { name: /^Import 1 row/ })
  await run.waitFor()
  await until("it can be imported", () => run.isEnabled())
  await run.click()
  await see("The file is in")
  expect((await service.call("GET", "/leads")).body.leads).toMatchObject([
    { name: NINO.name, email: NINO.email, city: NINO.city },
  ])
})

test("a lead shows what its email is like, and takes a basis and a consent", async (dashboard) => {
  const { page, service } = dashboard
  const [{ id }] = (await service.call("GET", "/leads")).body.leads
  await dashboard.go(`/leads/${id}`)
  const fields = page.getByRole("region", { name: "Fields" })
  await fields.getByText("Email status").waitFor()
  await fields.getByText("shared mailbox", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Show all fields" }).click()
  await page.getByRole("button", { name: "Edit Lawful basis" }).click()
  await page.getByLabel("Lawful basis").fill("contract")
  await page.keyboard.press("Enter")
  await dashboard.see("Lawful basis changed")
  await service.call("POST", `/leads/${id}/email-status`, { status: "bounced" })
  await dashboard.load(`/leads?filter=and.eq.email_status.bounced`)
  await page.getByRole("row", { name: /Trattoria/ }).waitFor()
  expect((await service.call("GET", `/leads/${id}`)).body).toMatchObject({
    ...{ lawful_basis: "contract", email_status: "bounced" },
  })
})
