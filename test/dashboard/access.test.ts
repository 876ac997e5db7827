// Signing in with a provider of OpenID Connect, and keys for a segment, in a browser.
import { expect } from "bun:test"
import { addAccount } from "../support/account.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { openWithProvider } from "../support/oidc-provider.ts"
import { fillLeads, openDashboard } from "./support.ts"

browserTest("the sign-in page leads to the provider and back to the page that was asked for", async () => {
  const service = await openWithProvider({
    ada: { name: "Ada Lovelace", email: "ada@example.com", email_verified: true, role: "editor" },
  })
  await using browser = await openPage()
  const { page } = browser
  await page.goto(`${service.origin}/app/leads`)
  await page.getByRole("link", { name: `Sign in with ${new URL(service.issuer).host}` }).click()
  await page.locator("input[name=login]").fill("ada")
  await page.locator("input[name=password]").fill("any")
  await page.locator("button[type=submit]").click()
  await page.locator("button[type=submit]", { hasText: "Continue" }).click()
  await page.getByText("No leads yet").waitFor()
  expect(new URL(page.url()).pathname).toBe("/app/leads")
  await page.getByText("Ada Lovelace").first().waitFor()
  expect((await service.call("GET", "/members")).body).toMatchObject([
    { name: "Ada Lovelace", role: "editor" },
  ])
})

browserTest("the page of an invitation leads to the provider and back as its member", async () => {
  const service = await openWithProvider({
    ada: { name: "Ada Lovelace", email: "ada@example.com", email_verified: true },
  })
  await addAccount(service.config.file)
  const { invite } = (await service.call("POST", "/members", { name: "Ada of Acme" })).body
  await using browser = await openPage()
  const { page } = browser
  await page.goto(`${service.origin}/app/join#${invite}`)
  await page.getByRole("button", { name: `Sign in with ${new URL(service.issuer).host}` }).click()
  await page.locator("input[name=login]").fill("ada")
  await page.locator("input[name=password]").fill("any")
  await page.locator("button[type=submit]").click()
  await page.locator("button[type=submit]", { hasText: "Continue" }).click()
  await page.getByText("Ada of Acme").first().waitFor()
  expect((await service.call("GET", "/members")).body).toMatchObject([{ has_provider: true }])
})

browserTest("a key is made for a segment, whose name stands beside it", async () => {
  await using dashboard = await openDashboard(
    async (service) => {
      await fillLeads(service)
      const berlin = { name: "Leads in Berlin", filter: ["and.eq.city.Berlin"] }
      await service.call("POST", "/segments", berlin)
    },
    { path: "/keys" },
  )
  const { page, service } = dashboard
  await page.getByRole("button", { name: "New key" }).click()
  const dialog = page.getByRole("dialog", { name: "New key" })
  await dialog.getByLabel("Name").fill("Partner")
  await dialog.locator("select[name=segment]").selectOption({ label: "Leads in Berlin" })
  await dialog.getByRole("button", { name: "Create key" }).click()
  const key = (await page.getByRole("dialog", { name: "Your new key" }).locator("code").innerText()).trim()
  const { body } = await service.as(key)("GET", "/leads?total=true")
  expect(body.total).toBe(10)
  await page.keyboard.press("Escape")
  await page.getByRole("listitem").filter({ hasText: "Partner" }).getByText("Leads in Berlin").waitFor()
})
