// What comes in and what must stay out, as people see it: lists that are checked, vCards, keys of a segment, sign-in by
// a provider, and what is known of emails and consent.
import { expect } from "bun:test"
import { browserTest, openPage } from "../support/browser.ts"
import { openWithProvider } from "../support/oidc-provider.ts"
import { until } from "../support/until.ts"
import { dashboardTest, openDashboard } from "./support.ts"

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

browserTest("a key is bound to a saved view, and says so", async () => {
  await using dashboard = await openDashboard(async ({ call }) => {
    await call("POST", "/leads", NINO)
    await call("POST", "/leads", { name: "Elsewhere", source: "maps", city: "Bonn" })
    await call("POST", "/segments", { name: "In Ulm", filter: ["and.eq.city.ulm"] })
  })
  const { page, service } = dashboard
  await dashboard.go("/keys")
  await page.getByRole("button", { name: "New key" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("textbox", { name: "Name" }).fill("Partner")
  await dialog.locator("select[name=segment]").selectOption("In Ulm")
  await dialog.getByRole("button", { name: "Create key" }).click()
  const key = await dialog.getByText(/^ldb_/).innerText()
  const { leads } = (await service.as(key)("GET", "/leads")).body
  expect(leads.map(({ name }: { name: string }) => name)).toEqual([NINO.name])
  await page.keyboard.press("Escape")
  await page.getByRole("listitem").filter({ hasText: "Partner" }).getByText("In Ulm").waitFor()
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

browserTest("a person signs in with the provider", async () => {
  const service = await openWithProvider({ ada: { name: "Ada Lovelace", role: "editor" } })
  await using browser = await openPage()
  const { page } = browser
  await page.goto(`${service.origin}/app/leads`)
  await page.getByRole("link", { name: /^Sign in with / }).click()
  await page.locator("input[name=login]").fill("ada")
  await page.locator("input[name=password]").fill("any")
  await page.locator("button[type=submit]").click()
  await page.locator("input[name=prompt][value=consent]").waitFor({ state: "attached" })
  await page.locator("button[type=submit]").click()
  await page.waitForURL(`${service.origin}/app/leads**`)
  await page.getByRole("heading", { name: "Leads", exact: true }).waitFor()
  expect((await service.call("GET", "/members")).body).toMatchObject([
    { name: "Ada Lovelace", role: "editor" },
  ])
})
