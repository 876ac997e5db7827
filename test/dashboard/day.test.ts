// What a sales person opens first, and the names of statuses.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { openDashboard } from "./support.ts"

browserTest("My day shows what is due and new; a step that is done goes", async () => {
  const now = Math.floor(Date.now() / 1000)
  await using dashboard = await openDashboard(
    async ({ call }) => {
      await call("POST", "/leads", {
        ...{ name: "Late one", source: "test", next_step: "Send offer", next_step_at: now - 3_600 },
      })
      await call("POST", "/leads", { name: "Fresh one", source: "test" })
    },
    { path: "/day" },
  )
  const { page, service, complaints } = dashboard
  await page.getByRole("link", { name: "Fresh one" }).waitFor()
  await dashboard.see("1 overdue")
  await dashboard.see(/Send offer · 1 hour ago/)
  await page.getByRole("button", { name: "Done" }).click()
  await dashboard.see("Done: Send offer")
  const { body } = await service.call("GET", "/leads?q=Late")
  await until("it is done", async () => {
    const { body: lead } = await service.call("GET", `/leads/${body.leads[0].id}`)
    return lead.next_step_at === null
  })
  expect(complaints).toEqual([])
})

browserTest("statuses carry the account's names on every page", async () => {
  await using dashboard = await openDashboard(
    async ({ call }) => void (await call("POST", "/leads", { name: "Only one", source: "test" })),
    { path: "/account" },
  )
  const { page, load } = dashboard
  await page.getByLabel("Name of new").fill("Inbox")
  await page.getByRole("button", { name: "Save statuses" }).click()
  await dashboard.see("Statuses saved")
  await load("/board")
  await page.getByRole("region", { name: "Inbox" }).waitFor()
  await load("/leads")
  await page.getByRole("gridcell", { name: "Inbox" }).waitFor()
})
