// Pages that stay as the leads are while others change them.
import { expect } from "bun:test"
import { until } from "../support/until.ts"
import { dashboardTest, fillLeads } from "./support.ts"

const WIDE = "score,name,status,city,email"
const test = dashboardTest(fillLeads, { path: `/leads?columns=${WIDE}` })

test("a new lead is told of in every tab, over one stream, and moves no row", async (dashboard) => {
  const { page, service, complaints } = dashboard
  await dashboard.see("30 leads")
  const listening = () => page.evaluate(async () => (await navigator.locks.query()).held?.length)
  await until("the first tab reads the stream", async () => (await listening()) === 1)
  let streams = 0
  page.context().on("request", (request) => {
    if (request.resourceType() === "eventsource") streams++
  })
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByText("30 leads").first().waitFor()
  await other.setViewportSize({ width: 390, height: 844 })
  const first = page.getByRole("row").nth(1)
  const before = await first.innerText()
  const places = () => Promise.all([first, other.getByRole("row").nth(1)].map((row) => row.boundingBox()))
  const placed = await places()
  for (const name of ["Late one", "Late two"]) await service.call("POST", "/leads", { name, source: "live" })
  await dashboard.see("2 new leads")
  await other.getByText("2 new leads").waitFor()
  await dashboard.see("32 leads")
  expect(await first.innerText()).toBe(before)
  expect(await places()).toEqual(placed)
  expect(streams).toBe(0)
  await page.getByRole("button", { name: "2 new leads: show" }).click()
  await page.getByRole("gridcell", { name: "Late two", exact: true }).waitFor()
  expect(await page.getByText("2 new leads").count()).toBe(0)
  expect(complaints).toEqual([])
})

test("the next tab reads the stream when the first is closed", async ({ page, service, see }) => {
  await see("30 leads")
  const other = await page.context().newPage()
  const opened = other.waitForEvent("request", (request) => request.resourceType() === "eventsource")
  await other.goto(page.url())
  await other.getByText("30 leads").first().waitFor()
  await page.close()
  await opened
  await service.call("POST", "/leads", { name: "Late one", source: "live" })
  await other.getByText("1 new lead").waitFor()
})

test("a lead that is open shows what others change of it", async ({ page, service }) => {
  await page.getByRole("gridcell", { name: "Lead 05", exact: true }).click()
  const panel = page.getByRole("complementary", { name: "Lead 05" })
  await panel.getByText("lead5@example.com").waitFor()
  const { body } = await service.call("GET", "/leads?q=%22Lead%2005%22")
  const { id } = body.leads[0]
  await service.call("PUT", `/leads/${id}`, { city: "Oslo" })
  await panel.getByText("Oslo").first().waitFor()
  await page.getByRole("gridcell", { name: "Oslo", exact: true }).waitFor()
  await service.call("DELETE", `/leads/${id}`)
  await page.locator(".grid-row.gone").waitFor()
})

test("an edit of a field that somebody else has changed asks which value stays", async (dashboard) => {
  const { page, service } = dashboard
  await page.getByRole("gridcell", { name: "Lead 05", exact: true }).click()
  const panel = page.getByRole("complementary", { name: "Lead 05" })
  const { body } = await service.call("GET", "/leads?q=%22Lead%2005%22")
  const { id } = body.leads[0]
  const cityOf = async () => (await service.call("GET", `/leads/${id}`)).body.city
  for (const [theirs, mine, choice, stays] of [
    ["Oslo", "Bergen", "Keep theirs", "Oslo"],
    ["Lund", "Bergen", "Save mine", "Bergen"],
  ] as const) {
    await panel.getByRole("button", { name: "Edit City" }).click()
    await panel.getByRole("textbox", { name: "City" }).fill(mine)
    await service.call("PUT", `/leads/${id}`, { city: theirs })
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByText(theirs).waitFor()
    await dialog.getByRole("button", { name: choice }).click()
    await until(`the city is ${stays}`, async () => (await cityOf()) === stays)
  }
})

test("the question whose value stays comes over a dialog that somebody writes in", async ({
  page,
  service,
}) => {
  await page.getByRole("gridcell", { name: "Lead 06", exact: true }).click()
  const panel = page.getByRole("complementary", { name: "Lead 06" })
  const { body } = await service.call("GET", "/leads?q=%22Lead%2006%22")
  const path = `**/api/v1/leads/${body.leads[0].id}`
  await panel.getByRole("button", { name: "Edit City" }).click()
  await panel.getByRole("textbox", { name: "City" }).fill("Bergen")
  await service.call("PUT", `/leads/${body.leads[0].id}`, { city: "Oslo" })
  const { promise: written, resolve: isWritten } = Promise.withResolvers<void>()
  await page.route(path, (route) => written.then(() => route.continue()))
  await page.keyboard.press("Enter")
  await panel.getByRole("button", { name: "Add attribute" }).click()
  const dialog = page.getByRole("dialog", { name: "New attribute" })
  await dialog.getByLabel("Name").fill("seats")
  isWritten()
  await page.getByRole("button", { name: "Keep theirs" }).click()
  await page.getByRole("button", { name: "Keep theirs" }).waitFor({ state: "detached" })
  expect(await dialog.getByLabel("Name").inputValue()).toBe("seats")
})

test("Ctrl+Z undoes what this tab did, the newest first", async ({ page, service, see }) => {
  await page.getByRole("gridcell", { name: "Lead 05", exact: true }).click()
  const panel = page.getByRole("complementary", { name: "Lead 05" })
  const { body } = await service.call("GET", "/leads?q=%22Lead%2005%22")
  const lead = async () => (await service.call("GET", `/leads/${body.leads[0].id}`)).body
  await panel.getByLabel("Status").selectOption("qualified")
  await see("Status changed")
  await panel.getByRole("button", { name: "Edit City" }).click()
  await panel.getByRole("textbox", { name: "City" }).fill("Bergen")
  await page.keyboard.press("Enter")
  await see("City changed")
  await page.locator("body").press("Control+z")
  await until("the city is back", async () => (await lead()).city !== "Bergen")
  expect((await lead()).status).toBe("qualified")
  await page.locator("body").press("Control+z")
  await until("the status is back", async () => (await lead()).status === "new")
})
