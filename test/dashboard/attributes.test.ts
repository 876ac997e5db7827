// Definitions of attributes, and a lead's emails and phones, as people work with them in the dashboard.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { openDashboard } from "./support.ts"

const LEAD = { name: "Trattoria Da Nino", source: "fair" }

browserTest(
  "an attribute is defined, renamed on its leads, and its options are offered on a lead",
  async () => {
    await using dashboard = await openDashboard(async ({ call }) => {
      for (const [name, value] of [
        ["Nino", "small"],
        ["Ada", "huge"],
      ])
        await call("POST", "/leads", { ...LEAD, name, attributes: [{ name: "Sz", type: "text", value }] })
    })
    const { page, service } = dashboard
    await dashboard.go("/attributes")
    await page.getByRole("button", { name: "Edit Sz" }).press("Enter")
    await page.getByLabel("Name").fill("Size")
    await page.getByLabel("Options").fill("Small\nLarge")
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter")
    await dashboard.see("1 values do not fit")
    await page.getByRole("button", { name: "Change 2 leads" }).press("Enter")
    await dashboard.see("Attribute saved on 2 leads")
    const { body } = await service.call("GET", "/attributes")
    expect(body[0]).toMatchObject({ name: "Size", options: ["Small", "Large"], defined: true })
    const { leads } = (await service.call("GET", "/leads?filter=and.eq.name.Nino")).body
    expect(leads[0].attributes[0]).toMatchObject({ name: "Size", value: "Small" })
    // The options come late: until then there is no field that would take another value.
    const options = Promise.withResolvers<void>()
    await page.route("**/api/v1/attributes", async (route) => {
      await options.promise
      await route.continue()
    })
    await dashboard.go(`/leads/${leads[0].id}`)
    await page.getByRole("button", { name: "Edit Size" }).press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Looking…").waitFor()
    expect(await dialog.getByLabel("Value").count()).toBe(0)
    expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
    options.resolve()
    await dialog.getByRole("combobox", { name: "Value" }).selectOption("Large")
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter")
    await dashboard.see("Attribute saved")
  },
)

browserTest("two names of one attribute are merged", async () => {
  await using dashboard = await openDashboard(async ({ call }) => {
    for (const name of ["Umsatz", "Revenue"])
      await call("POST", "/leads", { ...LEAD, name, attributes: [{ name, type: "number", value: 5 }] })
  })
  const { page, service } = dashboard
  await dashboard.go("/attributes")
  await page.getByRole("button", { name: "Edit Umsatz" }).press("Enter")
  await page.getByLabel("Merge into").selectOption("Revenue")
  await page.getByRole("button", { name: "Merge Umsatz into Revenue" }).press("Enter")
  await dashboard.see("Merged into Revenue on 1 lead")
  const { body } = await service.call("GET", "/attributes")
  expect(body).toMatchObject([{ name: "Revenue", leads: 2 }])
})

browserTest("a second email with its label is added to a lead and shown", async () => {
  let id = ""
  await using dashboard = await openDashboard(async ({ call }) => {
    id = (await call("POST", "/leads", { ...LEAD, email: "a@example.com" })).body.id
  })
  const { page, service } = dashboard
  await dashboard.go(`/leads/${id}`)
  await page.getByRole("button", { name: "Emails" }).press("Enter")
  await page.getByLabel("Email 2").fill("b@example.com")
  await page.getByLabel("Label 2").fill("home")
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter")
  await dashboard.see("Emails saved")
  await page.getByRole("link", { name: "b@example.com" }).waitFor()
  const { body } = await service.call("GET", `/leads/${id}`)
  expect(body.emails).toEqual([
    { value: "a@example.com", label: null },
    { value: "b@example.com", label: "home" },
  ])
})
