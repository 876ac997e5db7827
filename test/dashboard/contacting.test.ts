// Logging contacts, and mails from templates, in a browser.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { type DashboardService, focusTable, openDashboard, openMenu } from "./support.ts"

const ANNA = { name: "Anna Abel", source: "fair", email: "anna@example.com", company: "Abel & Co" }

async function fill({ call }: DashboardService): Promise<void> {
  await call("POST", "/leads", ANNA)
  await call("POST", "/leads", { name: "Bert Busch", source: "fair" })
}

const leadNamed = async ({ call }: DashboardService, name: string) =>
  (await call("GET", `/leads?filter=and.eq.name.${name}`)).body.leads[0]

browserTest("two keys in the table log a call with what comes next, and one takes it back", async () => {
  await using dashboard = await openDashboard(fill, { path: "/leads?sort=name&order=asc" })
  const { page, service } = dashboard
  await focusTable(page)
  await page.keyboard.press("j")
  for (const key of ["c", "n"]) await page.keyboard.press(key)
  const dialog = page.getByRole("dialog", { name: "Log a contact with Bert Busch" })
  await until("the text has the focus", () =>
    page.evaluate(() => document.activeElement?.getAttribute("name") === "text"),
  )
  await page.keyboard.type("Try after lunch")
  await dialog.getByLabel("Next step").fill("Call again")
  await dialog.getByRole("button", { name: "Tomorrow" }).click()
  await dialog.getByLabel("What was said").press("Enter")
  await dashboard.see("Phone call with Bert Busch logged")
  const { id } = await leadNamed(service, "Bert Busch")
  const logged = async () => (await service.call("GET", `/leads/${id}/activities`)).body.activities
  expect(await logged()).toMatchObject([{ kind: "call", outcome: "no_answer", text: "Try after lunch" }])
  const lead = await leadNamed(service, "Bert Busch")
  expect(lead.next_step).toBe("Call again")
  expect(new Date(lead.next_step_at * 1000).getHours()).toBe(9)
  await page.keyboard.press("Control+z")
  await until("it is taken back", async () => (await logged()).length === 0)
  await until("its next step is, too", async () => {
    const { next_step, last_contacted_at } = await leadNamed(service, "Bert Busch")
    return next_step === null && last_contacted_at === null
  })
})

browserTest("a lead shows its contacts with who logged them, and weeks are counted by person", async () => {
  await using dashboard = await openDashboard(fill, { path: "/leads" })
  const { page, service } = dashboard
  const { id } = await leadNamed(service, ANNA.name)
  const eva = { "X-Actor-Id": "Eva" }
  const call = { kind: "call", outcome: "voicemail", text: "Beeped", next_step_at: "2030-03-05T12:00:00Z" }
  await service.call("POST", `/leads/${id}/activities`, call, eva)
  await dashboard.load(`/leads/${id}`)
  const contacts = page.locator("section", {
    has: page.getByRole("heading", { name: "Contacts", exact: true }),
  })
  await contacts.getByText("Voicemail").waitFor()
  await contacts.getByText("Eva").waitFor()
  await service.call("POST", `/leads/${id}/notes`, { content: "Likes red" }, { "X-Actor-Id": "Tom" })
  const note = page.getByRole("listitem").filter({ hasText: "Likes red" })
  await note.getByText("Tom").waitFor()
  await note.getByText("just now").waitFor()
  for (const key of ["c", "m"]) await page.keyboard.press(key)
  await page.getByRole("dialog").getByRole("button", { name: "Log it" }).click()
  await contacts.getByText("Meeting").waitFor()
  await page.getByRole("region", { name: "Next step" }).getByText("Last contacted").waitFor()
  await page.getByRole("button", { name: "Show all fields" }).click()
  await page.getByText("Source ID").waitFor()
  await dashboard.load("/activity")
  await dashboard.see(/^Mar 5, 2030, /)
  await page.getByRole("row", { name: /^Eva/ }).getByRole("cell", { name: "1" }).waitFor()
})

browserTest("a template is made, filled for a lead, copied and logged", async () => {
  await using dashboard = await openDashboard(fill, {
    path: "/templates",
    permissions: ["clipboard-read", "clipboard-write"],
  })
  const { page, service } = dashboard
  await page.getByRole("button", { name: "New template" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name", { exact: true }).fill("Offer")
  await dialog.getByLabel("Subject").fill("For {{company}}")
  await dialog.getByLabel("Text").fill("Dear {{nmae}}")
  await dialog.getByRole("button", { name: "Save" }).click()
  await dashboard.see(/is no field of a lead/)
  await dialog.getByLabel("Text").fill("Dear {{name}}, in ")
  await dialog.getByLabel("Add a field").selectOption("City")
  await dialog.getByRole("button", { name: "Save" }).click()
  await dashboard.see("Template saved")
  const { id } = await leadNamed(service, ANNA.name)
  await dashboard.load(`/leads/${id}`)
  await openMenu(page, "Log a contact")
  await page.getByRole("button", { name: "Write from a template…" }).click()
  await dashboard.see("This lead has nothing for: City")
  const mail = page.getByRole("link", { name: "Open in the mail program and log it" })
  expect(await mail.getAttribute("href")).toBe(
    "mailto:anna@example.com?subject=For%20Abel%20%26%20Co&body=Dear%20Anna%20Abel%2C%20in%20",
  )
  await page.getByRole("button", { name: "Copy and log it" }).click()
  await dashboard.see("Email with Anna Abel logged")
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "For Abel & Co\n\nDear Anna Abel, in ",
  )
  const { activities } = (await service.call("GET", `/leads/${id}/activities`)).body
  expect(activities).toMatchObject([{ kind: "email", text: "For Abel & Co" }])
})

browserTest("on a phone in German both ways to send a mail are within its dialog", async () => {
  const phone = { locale: "de-DE", viewport: { width: 390, height: 650 } }
  await using dashboard = await openDashboard(
    async (service) => {
      await fill(service)
      await service.call("POST", "/templates", { name: "Gruß", subject: "Hallo", body: "Hallo {{name}}" })
    },
    { path: "/leads", ...phone },
  )
  const { page, service } = dashboard
  await dashboard.go(`/leads/${(await leadNamed(service, ANNA.name)).id}`)
  await openMenu(page, "Kontakt eintragen")
  await page.getByRole("button", { name: "Mit einer Vorlage schreiben" }).click()
  const ways = page.getByRole("dialog").locator(".dialog-foot > *")
  await until("both are there", async () => (await ways.count()) === 2)
  const places = await ways.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
  for (const { left, right } of places) {
    expect(left).toBeGreaterThan(0)
    expect(right).toBeLessThan(390)
  }
})

browserTest("no two things have one key", async () => {
  await using dashboard = await openDashboard(fill, { path: "/leads" })
  const { page } = dashboard
  for (const path of ["/leads", "/duplicates", "/overview", "/account"]) {
    await dashboard.load(path)
    await page.getByRole("main").getByRole("heading").first().waitFor()
    await until("the help is shown", async () => {
      await page.keyboard.press("?")
      return page.getByRole("dialog").isVisible()
    })
    const keys = await page.getByRole("dialog").locator("dl.keys dt").allInnerTexts()
    expect(keys.length).toBeGreaterThan(20)
    const twice = keys.filter((one, i) =>
      keys.some((other, j) => i !== j && `${other} `.startsWith(`${one} `)),
    )
    expect([path, twice]).toEqual([path, []])
    await page.keyboard.press("Escape")
  }
})
