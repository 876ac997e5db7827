// Definitions of attributes, and a lead's emails and phones, as people work with them in the dashboard.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { type DashboardService, focusTable, openDashboard, openMenu } from "./support.ts"

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

browserTest(
  "attributes of many leads are set at once, with numbers and days as they are written in German",
  async () => {
    await using dashboard = await openDashboard(
      async ({ call }) => {
        const attributes = [
          { name: "Umsatz", type: "number", value: 4.5 },
          { name: "Vertrag bis", type: "date", value: "2026-12-24" },
        ]
        for (const name of ["Anna", "Ben"]) await call("POST", "/leads", { name, source: "fair", attributes })
      },
      { locale: "de-DE", path: "/leads?columns=name,attr:Umsatz,attr:Vertrag bis" },
    )
    const { page, service, complaints } = dashboard
    await page.getByRole("gridcell", { name: "24. Dez. 2026" }).first().waitFor()
    const change = async (field: string, value: string, seen: string) => {
      await focusTable(page)
      await page.keyboard.press("Control+a")
      await openMenu(page, "Weitere Aktionen")
      await page.getByRole("button", { name: /^Feld bearbeiten/ }).press("Enter")
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Feld").selectOption(field)
      await dialog.locator("[name=value]").fill(value)
      await dialog.getByRole("button", { name: "Weiter" }).press("Enter")
      await dialog.getByText(seen).first().waitFor()
      await dialog.getByRole("button", { name: /2 Leads/ }).press("Enter")
      await dialog.waitFor({ state: "detached" })
    }
    await change("Umsatz", "1.234,5", "4,5 → 1234,5")
    await change("Vertrag bis", "2027-01-31", "24. Dez. 2026 → 31. Jan. 2027")
    const [anna] = (await service.call("GET", "/leads?q=Anna")).body.leads
    const values = async () => {
      const { body } = await service.call("GET", `/leads/${anna.id}/attributes`)
      return body.map(({ value }: { value: unknown }) => value)
    }
    expect(await values()).toEqual([1234.5, "2027-01-31"])
    await dashboard.go(`/leads/${anna.id}`)
    await page.getByRole("button", { name: "Umsatz bearbeiten" }).press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect(await values()).toEqual([1234.5, "2027-01-31"])
    expect(complaints).toEqual([])
  },
)

browserTest("an attribute that is false, or one of its options, is so when it is edited", async () => {
  let id = ""
  await using dashboard = await openDashboard(async ({ call }) => {
    await call("PUT", "/attributes/Size", { type: "text", options: ["Small", "Large"] })
    const attributes = [
      { name: "Called", type: "bool", value: false },
      { name: "Size", type: "text", value: "Large" },
    ]
    id = (await call("POST", "/leads", { ...LEAD, attributes })).body.id
  })
  const { page, service } = dashboard
  await dashboard.go(`/leads/${id}`)
  for (const name of ["Called", "Size"]) {
    await page.getByRole("button", { name: `Edit ${name}` }).press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("combobox", { name: "Value" }).waitFor()
    await dialog.getByRole("button", { name: "Save" }).press("Enter")
    await dialog.waitFor({ state: "detached" })
  }
  const { body } = await service.call("GET", `/leads/${id}/attributes`)
  expect(body.map(({ value }: { value: unknown }) => value)).toEqual([false, "Large"])
})

browserTest("fields of emails and phones are called so in German as well", async () => {
  let id = ""
  await using dashboard = await openDashboard(
    async ({ call }) => {
      id = (await call("POST", "/leads", { ...LEAD, email: "a@example.com" })).body.id
    },
    { locale: "de-DE" },
  )
  const { page } = dashboard
  await dashboard.go(`/leads/${id}`)
  await page.getByRole("button", { name: "E-Mails" }).press("Enter")
  const field = page.getByRole("dialog").getByLabel("E-Mail 2")
  expect(await field.getAttribute("inputmode")).toBe("email")
})

browserTest("what became of the leads that have an attribute is said in German as well", async () => {
  const fill = async ({ call }: DashboardService) =>
    void (await call("POST", "/leads", {
      ...LEAD,
      attributes: [{ name: "Sz", type: "text", value: "small" }],
    }))
  await using dashboard = await openDashboard(fill, { locale: "de-DE", path: "/attributes" })
  const { page } = dashboard
  await page.getByRole("button", { name: /Sz/ }).press("Enter")
  await page.getByLabel("Name").fill("Size")
  await page.getByRole("button", { name: "Speichern", exact: true }).press("Enter")
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /1 Lead/ })
    .press("Enter")
  await dashboard.see("Attribut gespeichert bei 1 Lead")
})
