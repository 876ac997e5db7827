// From nothing to leads and rules without a formula.
import { expect } from "bun:test"
import { TEMPLATES } from "../../src/dashboard/core/rule-templates.ts"
import { openTestAccount } from "../support/app.ts"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { fillLeads, openDashboard } from "./support.ts"

browserTest("an empty account is filled with sample leads by one click, and emptied by another", async () => {
  await using dashboard = await openDashboard()
  const { page, service, complaints } = dashboard
  const total = async () => (await service.call("GET", "/stats")).body.total_leads
  await page.getByRole("button", { name: "Try 500 sample leads" }).click()
  await dashboard.see("Sample leads added")
  expect(await total()).toBe(500)
  const { body: stats } = await service.call("GET", "/stats")
  expect(stats.score.max).toBeGreaterThan(50)
  await page.getByRole("button", { name: "Remove them" }).click()
  await dashboard.see("Sample leads removed")
  expect(await total()).toBe(0)
  expect((await service.call("GET", "/scoring-rules")).body).toEqual([])
  expect((await service.call("GET", "/segments")).body).toEqual([])
  expect(complaints).toEqual([])
})

browserTest("a rule is made from a template, and from a field, a comparison and points", async () => {
  await using dashboard = await openDashboard(fillLeads, { path: "/scoring" })
  const { page, service } = dashboard
  const rules = async () =>
    (await service.call("GET", "/scoring-rules")).body.map((rule: { expression: string }) => rule.expression)
  await page.getByRole("button", { name: "New rule" }).click()
  await page.getByLabel("Template").selectOption({ label: "Has an email: +10" })
  await page.getByRole("button", { name: "Save rule" }).click()
  await until("the rule is there", async () => (await rules()).includes("email ? 10 : 0"))
  await page.getByRole("button", { name: "New rule" }).click()
  await page
    .getByRole("dialog")
    .getByLabel(/^Field/)
    .selectOption({ label: "Rating" })
  await page.getByLabel("Compared with").fill("4")
  await page.getByLabel("Points").fill("15")
  await page.getByRole("button", { name: "Use it" }).click()
  await page.getByRole("button", { name: "Save rule" }).click()
  await until("the built rule is there", async () => (await rules()).includes("rating >= 4 ? 15 : 0"))
})

browserTest("a rule is previewed over all leads, with the scores before and after", async () => {
  await using dashboard = await openDashboard(fillLeads, { path: "/scoring" })
  const { page, service } = dashboard
  await page.getByRole("button", { name: "Change Well rated" }).click()
  const preview = page.getByRole("region", { name: "Preview over all leads" })
  await preview.getByText("0 of 30 leads get another score.").waitFor()
  await page.getByText("Advanced").click()
  await page.getByLabel("Weight").fill("0.5")
  await preview.getByText("25 of 30 leads get another score. Average 50 before, 25 after").waitFor()
  await preview
    .getByRole("row", { name: /^Lead \d+ 100 50$/ })
    .first()
    .waitFor()
  expect((await service.call("GET", "/scoring-rules")).body[0].weight).toBe(1)
})

browserTest("every template is a rule that the service takes", async () => {
  const { call } = await openTestAccount()
  expect(TEMPLATES.length).toBe(12)
  for (const { name, expression } of TEMPLATES)
    expect([name, (await call("POST", "/scoring-rules", { name, expression })).status]).toEqual([name, 201])
})
