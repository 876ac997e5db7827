// Activity: what was done together is one entry, and goes back after a look.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { openDashboard } from "./support.ts"

const many = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ name: `Firm ${i}`, source: "web", city: "Ulm" }))

browserTest(
  "a batch has its exact number of leads, is put back after a look, and that is undone",
  async () => {
    await using dashboard = await openDashboard()
    const { page, service } = dashboard
    const { call } = service
    await call("POST", "/leads/batch", { leads: many(320) })
    const { body: kept } = await call("GET", "/leads?limit=1")
    const filter = ["and.eq.city.Ulm"]
    const { body: started } = await call("POST", "/leads/bulk", { filter, action: "delete", expect: 320 })
    if (started.job)
      await until(
        "they are deleted",
        async () => (await call("GET", `/jobs/${started.job}`)).body.state === "done",
      )
    await dashboard.go("/activity")
    const entry = page.getByRole("listitem").filter({ hasText: "Deleted" })
    await entry.getByText("320 leads").waitFor()
    await entry.getByText("and 312 more leads").waitFor()
    const older = page.getByRole("listitem").filter({ hasText: "Created" })
    await older.getByText("and 312 more leads").waitFor()
    await entry.getByRole("button", { name: "Put back" }).press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Restore 320 leads" }).waitFor()
    expect(await dialog.getByText("comes back").count()).toBe(10)
    await dialog.getByText("and 310 more leads").waitFor()
    expect((await call("GET", "/leads?limit=1")).body.count).toBe(0)
    await dialog.getByRole("button", { name: "Restore 320 leads" }).press("Enter")
    await dashboard.see("Put back 320 leads")
    await until("they are back", async () => (await call("GET", "/stats")).body.total_leads === 320)
    expect((await call("GET", `/leads/${kept.leads[0].id}`)).status).toBe(200)
    await entry.getByText("put back", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Undo", exact: true }).press("Enter")
    await until("they are gone again", async () => (await call("GET", "/stats")).body.total_leads === 0)
  },
)

browserTest("what was changed since is named before, and stays as it is", async () => {
  await using dashboard = await openDashboard()
  const { page, service } = dashboard
  const { call } = service
  const { body: made } = await call("POST", "/leads/batch", { leads: many(3) })
  await call("POST", "/leads/bulk", { filter: ["and.eq.city.Ulm"], action: "update", data: { city: "Bonn" } })
  await call("PUT", `/leads/${made.created[0].id}`, { city: "Kiel" })
  await dashboard.go("/activity")
  const entry = page.getByRole("listitem").filter({ hasText: "Updated" }).filter({ hasText: "3 leads" })
  await entry.getByRole("button", { name: "Put back" }).press("Enter")
  await dashboard.see("Unchanged: 1 lead")
  const { name } = (await call("GET", `/leads/${made.created[0].id}`)).body
  await dashboard.see(`${name} changed since, by you`)
  await page.getByRole("button", { name: "Put back 2 leads" }).press("Enter")
  await dashboard.see(/Put back 2 leads/)
  const { body } = await call("GET", "/leads?sort_by=city")
  expect(body.leads.map(({ city }: { city: string }) => city)).toEqual(["Kiel", "Ulm", "Ulm"])
})
