// Letting people and programs in.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { openDashboard } from "./support.ts"

browserTest("an invitation says when its link works on this machine only", async () => {
  await using dashboard = await openDashboard(async () => {}, { path: "/team" })
  const { page } = dashboard
  await dashboard.see("Only this machine reaches the service.")
  await page.getByRole("button", { name: "Invite" }).click()
  await page.getByLabel("Name").fill("Mia")
  await page.getByRole("button", { name: "Make the link" }).click()
  await page.getByRole("alert").getByText("leaddb serve --lan").waitFor()
})

browserTest("Connect makes a key and fills it into every snippet", async () => {
  await using dashboard = await openDashboard(async () => {}, { path: "/connect" })
  const { page, service } = dashboard
  await page.getByRole("button", { name: "Create a key and fill it in" }).click()
  await dashboard.see("The key is filled in below.")
  const snippets = await page.locator(".snippet").allInnerTexts()
  expect(snippets.length).toBeGreaterThan(5)
  const [key] = snippets[0]!.match(/ldb_\w{38}/) ?? []
  expect(snippets.filter((text) => !text.includes(key ?? "no key"))).toEqual([])
  expect((await service.as(key!)("GET", "/leads")).status).toBe(200)
})
