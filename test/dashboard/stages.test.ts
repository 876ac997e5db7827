// The board by stages of one's own, and why a lead is lost.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { fillLeads, focusTable, openDashboard } from "./support.ts"

browserTest("stages are made on the board, leads go through them, and a lost one says why", async () => {
  await using dashboard = await openDashboard(
    async ({ call }) => {
      await call("POST", "/leads", { name: "Anna Berg", source: "fair", value: 1_200, status: "contacted" })
      await call("POST", "/leads", { name: "Ben Cole", source: "fair", value: 300, status: "contacted" })
    },
    { path: "/board" },
  )
  const { page, service, complaints } = dashboard
  const lane = (name: string) => page.getByRole("region", { name, exact: true })
  await lane("Contacted").getByText("1,500").waitFor()

  await page.getByRole("button", { name: "Stages" }).click()
  const dialog = page.getByRole("dialog", { name: "Stages" })
  for (const [name, status] of [
    ["Demo", "contacted"],
    ["Lost deal", "disqualified"],
  ] as const) {
    await dialog.getByLabel("Name of the new stage").fill(name)
    await dialog.getByLabel("Status of the new stage").selectOption(status)
    await dialog.getByRole("button", { name: "Add" }).click()
    await dialog.getByLabel(`Name of ${name}`).waitFor()
  }
  await dialog.getByLabel("Color of Demo").selectOption("teal")
  await dialog.getByRole("button", { name: "Close" }).click()

  await lane("No stage").getByRole("link", { name: "Anna Berg" }).focus()
  await page.keyboard.press("]")
  await dashboard.see("Anna Berg is Demo")
  await lane("Demo").getByText("1,200").first().waitFor()
  await page.keyboard.press("]")
  const why = page.getByRole("dialog", { name: "Why is Anna Berg lost?" })
  await why.getByLabel("Lost reason").fill("Too dear")
  await page.keyboard.press("Enter")
  await lane("Lost deal").getByRole("link", { name: "Anna Berg" }).waitFor()
  const lead = async () => (await service.call("GET", "/leads?q=Anna")).body.leads[0]
  const stages = (await service.call("GET", "/stages")).body
  await until("it is saved", async () => (await lead()).lost_reason === "Too dear")
  expect(await lead()).toMatchObject({ stage: stages[1].id, status: "disqualified" })
  expect(stages[0].color).toBe("teal")

  await page.getByRole("button", { name: "Card fields" }).click()
  await page.getByRole("checkbox", { name: "Next step", exact: true }).check()
  await page.getByRole("checkbox", { name: "Score" }).uncheck()
  await page.keyboard.press("Escape")
  await service.call("PUT", `/leads/${(await lead()).id}`, { next_step: "Call again" })
  await lane("Lost deal").getByText("Call again").waitFor()
  await page.getByRole("button", { name: "Add a filter" }).click()
  await page.getByRole("combobox", { name: "Field", exact: true }).selectOption("stage")
  await page.getByRole("combobox", { name: "Value", exact: true }).selectOption({ label: "Demo" })
  await page.getByRole("button", { name: "Add filter" }).click()
  await page.getByRole("button", { name: "Change filter: Stage is Demo" }).waitFor()
  await lane("Lost deal").getByText("No leads").waitFor()
  await page.getByRole("button", { name: "Remove filter: Stage is Demo" }).click()
  await page.reload()
  await lane("Lost deal").getByText("Call again").waitFor()

  await lane("Lost deal").getByRole("link", { name: "Anna Berg" }).click()
  const stage = page.getByRole("combobox", { name: "Stage", exact: true })
  await stage.selectOption("Demo")
  await until("the stage sets the status", async () => (await lead()).status === "contacted")
  await stage.selectOption("Lost deal")
  await dashboard.see("Too dear")
  await dashboard.go("/board")

  await page.getByRole("button", { name: "Stages" }).click()
  await dialog.getByRole("button", { name: "Delete Lost deal" }).click()
  await dashboard.see(/Lost deal deleted; 1 lead/)
  await dialog.getByRole("button", { name: "Close" }).click()
  await lane("No stage").getByRole("link", { name: "Anna Berg" }).waitFor()
  expect(complaints).toEqual([])
})

browserTest("a board whose service is busy for a moment asks again", async () => {
  await using dashboard = await openDashboard(fillLeads)
  const { page } = dashboard
  const body = JSON.stringify({ error: "Service Unavailable", code: "unavailable", message: "busy" })
  const headers = { "Retry-After": "1", "Content-Type": "application/json" }
  await page.route("**/leads/aggregate**", (route) => route.fulfill({ status: 503, headers, body }), {
    times: 2,
  })
  await dashboard.load("/board")
  await page.getByRole("link", { name: "Lead 03" }).waitFor()
})

browserTest("a stage that is chosen in the table is undone with the status that it set", async () => {
  await using dashboard = await openDashboard(fillLeads)
  const { page, service } = dashboard
  const { id } = (await service.call("POST", "/stages", { name: "Demo", status: "contacted" })).body
  const lead = async () => (await service.call("GET", "/leads?filter=and.eq.name.Lead 05")).body.leads[0]
  await dashboard.load("/leads?columns=name,stage&filter=and.eq.name.Lead 05")
  await focusTable(page)
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("F2")
  await page.getByRole("combobox", { name: "Stage", exact: true }).selectOption("Demo")
  await until("it is in the stage", async () => (await lead()).stage === id)
  await page.getByRole("button", { name: "Undo" }).click()
  await until("it is in none", async () => (await lead()).stage === null)
  expect((await lead()).status).toBe("new")
})
