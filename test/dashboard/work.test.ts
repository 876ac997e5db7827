// Rules, imports, webhooks and keys as people work with them in the dashboard.
import { expect } from "bun:test"
import axe from "axe-core"
import { browserTest, openPage } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { dashboardTest, fillLeads, openDashboard, openService } from "./support.ts"

const test = dashboardTest()

browserTest(
  "a rule with a mistake shows its place, is put right with an offered name, and scores all leads",
  async () => {
    await using dashboard = await openDashboard(fillLeads)
    const { page, service } = dashboard
    await dashboard.go("/scoring")
    await page.getByRole("button", { name: "New rule" }).press("Enter")
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Seats")
    const formula = page.getByLabel("Formula")
    await formula.fill("attr_seats * ")
    await page.locator(".mistake mark").waitFor()
    await formula.fill("")
    await formula.pressSequentially("attr_se")
    await page.getByRole("option", { name: "attr_seats" }).waitFor()
    await page.keyboard.press("Enter")
    await page.keyboard.type(" * 3")
    await page.getByText("The formula is fine").waitFor()
    await page.getByRole("row", { name: /Lead/ }).first().waitFor()
    await page.getByRole("button", { name: "Save rule" }).press("Enter")
    await dashboard.see("Rule saved")
    await dashboard.see(/leads? scored/)
    const { body } = await service.call("GET", "/leads?filter=and.eq.name.Lead 29")
    expect(body.leads[0].score).toBe(100)
  },
)

browserTest("a webhook is tested, its answer shown, and a delivery sent again", async () => {
  let isBroken = true
  let received = 0
  using receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      received++
      return new Response(isBroken ? "no room" : "thanks", { status: isBroken ? 410 : 200 })
    },
  })
  await using dashboard = await openDashboard()
  const { page } = dashboard
  await dashboard.go("/webhooks")
  await page.getByRole("button", { name: "New webhook" }).first().press("Enter")
  await page.getByLabel("Address").fill(`http://127.0.0.1:${receiver.port}/crm`)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Send a test" }).press("Enter")
  await dashboard.see("A test event is on its way")
  await until("the answer is known", async () => {
    await page.getByRole("button", { name: "Look again" }).click()
    return (await page.getByText("410").count()) > 0
  })
  isBroken = false
  await page.reload()
  await dashboard.see("410 Gone")
  await page.getByRole("main").locator("summary").first().press("Enter")
  await page.getByText("answered 410", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Turn on" }).press("Enter")
  await page.getByRole("button", { name: "Turn off" }).waitFor()
  await page.getByRole("button", { name: "Send a test" }).press("Enter")
  const arrived = () => page.locator("li", { has: page.locator(".outcome.succeeded") })
  await until("it has arrived", async () => {
    await page.getByRole("button", { name: "Look again" }).click()
    return (await arrived().count()) > 0
  })
  const before = received
  await arrived().first().locator("summary").press("Enter")
  await arrived().first().getByRole("button", { name: "Send again" }).press("Enter")
  await until("it has arrived again", () => received > before)
})

test("a key is made, shown once, and revoked", async ({ page, service, go, see }) => {
  await go("/keys")
  await page.getByRole("button", { name: "New key" }).press("Enter")
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Web form")
  await page.keyboard.press("Enter")
  const key = await page.getByRole("dialog").getByText(/^ldb_/).innerText()
  expect((await service.as(key)("GET", "/leads")).status).toBe(200)
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Revoke Web form" }).press("Enter")
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).press("Enter")
  await see("Web form revoked")
  expect((await service.as(key)("GET", "/leads")).status).toBe(401)
})

browserTest("a lead goes on to the next status by a key on the board", async () => {
  await using dashboard = await openDashboard(fillLeads)
  const { page, service } = dashboard
  await dashboard.go("/board")
  const card = page.getByRole("region", { name: "New" }).getByRole("link", { name: /Lead/ }).first()
  const name = (await card.locator("b").innerText()).trim()
  await card.press("]")
  await dashboard.see(`${name} is contacted`)
  await page.getByRole("region", { name: "Contacted" }).getByText(name).waitFor()
  const { body } = await service.call("GET", `/leads?filter=and.eq.name.${name}`)
  expect(body.leads[0].status).toBe("contacted")
})

browserTest("a pair that may be the same is told apart by a key, and taken back", async () => {
  await using dashboard = await openDashboard(async ({ call }) => {
    const lead = { source: "fair", city: "Berlin", address: "Torstraße 12", website: "nino.example" }
    await call("POST", "/leads", { ...lead, name: "Trattoria da Nino GmbH", phone: "+49 30 1234567" })
    await call("POST", "/leads", { ...lead, name: "Tratoria Da Nino", phone: "030 1234567" })
    await until("they are compared", async () => (await call("GET", "/duplicates")).body.count === 1)
  })
  const { page, service } = dashboard
  await dashboard.goByKeys("d")
  await page.getByRole("row", { name: /Name/ }).getByText("Tratoria Da Nino").waitFor()
  await page.keyboard.press("n")
  await dashboard.see("are not the same")
  await until("it is dismissed", async () => (await service.call("GET", "/duplicates")).body.count === 0)
  await page.keyboard.press("u")
  await until("it is back", async () => (await service.call("GET", "/duplicates")).body.count === 1)
})

browserTest("what is listed is exported with the columns of the table", async () => {
  await using dashboard = await openDashboard(fillLeads)
  const { page } = dashboard
  await dashboard.go("/leads?columns=name,city&filter=and.eq.city.Berlin")
  await page.getByRole("button", { name: "Export" }).press("Enter")
  await page.getByRole("dialog").getByLabel("Columns").selectOption("those of the table")
  const download = page.waitForEvent("download")
  await page.getByRole("link", { name: /^Export 10 leads/ }).press("Enter")
  const lines = (await Bun.file((await (await download).path())!).text()).trim().split("\n")
  expect([lines[0]?.trim(), lines.length]).toEqual(["name,city", 11])
})

test("the zone of the account's days is set", async ({ page, service, go, see }) => {
  await go("/account")
  await page.getByLabel("Time zone of the account's days").selectOption("Europe/Berlin")
  await see("Days are those of Europe/Berlin")
  expect((await service.call("GET", "/account")).body.time_zone).toBe("Europe/Berlin")
})

test("the country of phones is set for the account", async ({ page, service, go, see }) => {
  await go("/account")
  await page.getByLabel("Default country for phone numbers").selectOption("Germany")
  await see("Phones are read as of Germany")
  expect((await service.call("GET", "/account")).body.default_country).toBe("DE")
})

test("a form is made, posted to, and spam is let in", async ({ page, service, go, see }) => {
  await go("/forms")
  await page.getByRole("button", { name: "New form" }).first().press("Enter")
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("Contact us")
  await dialog.getByLabel("Tags").fill("inbound, web")
  await dialog.getByLabel("Websites that may use the snippet").fill("https://www.example.com")
  await dialog.getByRole("button", { name: "Create form" }).press("Enter")
  await page.getByRole("heading", { name: "Contact us" }).waitFor()
  const [form] = (await service.call("GET", "/forms")).body
  expect(form).toMatchObject({
    name: "Contact us",
    tags: ["inbound", "web"],
    origins: ["https://www.example.com"],
  })
  await page.getByRole("button", { name: "Edit", exact: true }).press("Enter")
  await dialog.getByLabel("Label of Message").fill("What is it about?")
  await dialog.getByLabel("Message is required").check()
  await dialog.getByRole("checkbox", { name: "City", exact: true }).check()
  await dialog.getByRole("button", { name: "Save" }).press("Enter")
  await see(/What is it about\? \(required\), City/)
  const preview = page.frameLocator("iframe[title=Preview]")
  await preview.getByLabel("City").waitFor()
  await preview.getByLabel("What is it about?", { exact: true }).fill("Nothing is sent from the preview")
  await service.call("PUT", `/forms/${form.id}`, { fields: ["name", "email"] })
  const send = (body: object) =>
    fetch(form.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
  await send({ email: "person@example.com", [form.honeypot]: "x" })
  await page.getByRole("button", { name: "Look again" }).click()
  await page.getByText("person@example.com").waitFor()
  await page.getByRole("button", { name: "Not spam" }).press("Enter")
  await see("It is a lead now")
  await page.getByText("Nothing was kept apart in the last 7 days.").waitFor()
  const { body } = await service.call("GET", "/leads?filter=and.eq.email.person@example.com")
  expect(body.leads).toMatchObject([{ source: "Contact us", tags: ["inbound", "web"] }])
})

browserTest("the hosted page of a form is filled in by hand, without scripts and on a phone", async () => {
  const service = await openService()
  const { body: form } = await service.call("POST", "/forms", {
    ...{ name: "Contact us", fields: ["name", "email", "description"], min_seconds: 0 },
    ...{ consent_text: "You may write to me", thanks: "We will be in touch." },
  })
  await using browser = await openPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  const { page } = browser
  await page.goto(form.url)
  await page.getByLabel("Name").fill("Ada")
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByLabel("Message").fill("Hello")
  await page.getByLabel("You may write to me").check()
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("We will be in touch.").waitFor()
  const { body } = await service.call("GET", "/leads")
  expect(body.leads).toMatchObject([{ name: "Ada", description: "Hello" }])
})

browserTest("the hosted page of a form is fine by axe in both themes, wide and narrow", async () => {
  const service = await openService()
  const { body: form } = await service.call("POST", "/forms", {
    ...{ name: "Contact us", consent_text: "You may write to me" },
    fields: ["name", "email", "description", { name: "attr:beta", type: "bool" }],
  })
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await using browser = await openPage({ viewport: { width, height: 844 }, colorScheme, bypassCSP: true })
      const { page } = browser
      await page.goto(form.url)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(),
      )
      expect(violations.map(({ id }) => id)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
})
