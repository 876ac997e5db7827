// Files as people bring them in by the dashboard: looked at, put right, imported, and taken back.
import { expect } from "bun:test"
import type { Page } from "playwright-core"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { dashboardTest, openDashboard } from "./support.ts"

const test = dashboardTest()

const HEADER = "Company Name,E-Mail,Town,Stars,Remark"
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => `Firm ${i},firm${i}@example.com,Ulm,${i % 6},remark ${i}`)

async function choose(page: Page, lines: readonly string[], name = "customers.csv"): Promise<void> {
  await page.locator("input[type=file]").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(`${lines.join("\n")}\n`),
  })
}

/** Once what was changed has been looked at again. */
async function begin(page: Page, label: RegExp): Promise<void> {
  const run = page.getByRole("button", { name: label })
  await run.waitFor()
  await until("it can be imported", () => run.isEnabled())
  await run.press("Enter")
}

test("a file is looked at, a column put right, and imported", async ({ page, service, go, see }) => {
  await go("/import")
  await choose(page, [HEADER, ...rows(12), ",nobody@,Ulm,1,x"])
  await page.getByRole("button", { name: /^Import 1[23] rows/ }).waitFor()
  expect((await service.call("GET", "/leads")).body.count).toBe(0)
  await page.getByLabel("Field for Stars").selectOption("rating")
  await page.getByLabel("Field for Remark").selectOption("description")
  await until(
    "the column is put right",
    async () => (await page.getByLabel("Field for Remark").inputValue()) === "description",
  )
  await begin(page, /^Import 1[23] rows/)
  await see("The file is in")
  const { body } = await service.call("GET", "/leads?filter=and.eq.email.firm3@example.com")
  expect(body.leads[0]).toMatchObject({ rating: 3, description: "remark 3", source: "customers" })
})

test("a file without a header, with phones of no country, that is imported twice", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/import")
  const lines = ["Anna Berg,030 901820,Berlin", "Ben Cole,030 901821,Berlin", "Cem Duman,030 901822,Bonn"]
  await choose(page, lines, "fair.csv")
  const isLead = () => page.getByLabel("First row").selectOption({ label: "is a lead" })
  await isLead()
  await page.getByLabel("Field for Column 2").selectOption("phone")
  await page.getByLabel("Default country for phone numbers").selectOption("Germany")
  await dashboard.see("Phones are read as of Germany")
  await until("it has the columns", async () => (await page.getByText("Anna Berg").count()) > 0)
  await begin(page, /^Import 3 rows/)
  await dashboard.see("The file is in")
  expect((await service.call("GET", "/account")).body.default_country).toBe("DE")
  await page.getByRole("link", { name: "Another file" }).click()
  await choose(page, lines, "again.csv")
  await isLead()
  await page
    .getByRole("alert")
    .getByText(/You imported this file .* as fair.csv: 3 created/)
    .waitFor()
})

browserTest("dates and nested values are shown as people write them", async () => {
  await using dashboard = await openDashboard(async () => {}, { locale: "de-DE", path: "/import" })
  const { page, service } = dashboard
  const before = { name: "Bo", source: "x", email: "bo@a.example", next_step_at: "2026-12-24" }
  await service.call("POST", "/leads", before)
  const leads = [
    { name: "Al", email: "al@a.example", next_step_at: 1_798_070_400, seats: [{ at: "A", n: 2.5 }] },
    { name: "Bo", email: "bo@a.example", next_step_at: "31.12.26", seats: { at: "B", list: [{ n: 1 }] } },
  ]
  await choose(
    page,
    leads.map((lead) => JSON.stringify(lead)),
    "leads.ndjson",
  )
  await page.getByRole("region", { name: "Zusammenführungen" }).waitFor()
  const text = await page.getByRole("main").innerText()
  for (const part of [
    "31. Dez. 2026",
    "items: at: A, n: 2,5",
    "at: B, list: n: 1",
    "gleich: E-Mail (bo@a.example)",
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/\b179\d{7}\b|\[object|[{}]|same /)
})

browserTest("an import goes on when its page is left, stands in the history, and is taken back", async () => {
  await using dashboard = await openDashboard()
  const { page, service } = dashboard
  await dashboard.go("/import")
  await choose(page, [HEADER, ...rows(400)])
  await begin(page, /^Import 400 rows/)
  await page.waitForURL(/import=imp_/)
  await dashboard.go("/leads")
  await dashboard.go("/import")
  const history = page.getByRole("link", { name: "customers.csv" })
  await history.waitFor()
  await dashboard.see("400 created")
  const { body } = await service.call("GET", "/leads?limit=1")
  await service.call("PUT", `/leads/${body.leads[0].id}`, { city: "Bonn" })
  await history.press("Enter")
  await page.getByRole("button", { name: "Undo the import" }).press("Enter")
  await dashboard.see("Unchanged: 1 lead")
  await page.getByRole("button", { name: "Delete 399 leads" }).press("Enter")
  await dashboard.see(/Put back 399 leads; 1 lead/)
  await page.getByRole("heading", { name: "Undone" }).waitFor()
  expect((await service.call("GET", "/stats")).body.total_leads).toBe(1)
})

test("the columns of a file are saved under a name and used for another", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/import")
  await choose(page, [HEADER, ...rows(2)])
  await page.getByLabel("Field for Stars").selectOption("rating")
  await page.getByLabel("Save this mapping (optional)").fill("fair")
  await page.keyboard.press("Tab")
  await begin(page, /^Import 2 rows/)
  await dashboard.see("The file is in")
  await until(
    "the mapping is kept",
    async () => (await service.call("GET", "/import-mappings")).body.length === 1,
  )
  await dashboard.go("/import")
  await choose(page, ["Company Name,Stars,Town", "Firm A,3,Ulm"], "others.csv")
  await page.getByLabel("Saved mapping").selectOption("fair")
  await dashboard.see("Columns by the mapping fair.")
  await until(
    "its columns are those of the mapping",
    async () => (await page.getByLabel("Field for Stars").inputValue()) === "rating",
  )
})

browserTest(
  "rejected rows are a file that can be corrected: the rows as they were, why in front",
  async () => {
    await using dashboard = await openDashboard()
    const { page } = dashboard
    await dashboard.go("/import")
    const remark = '"said ""yes"",\nthen left"'
    await choose(page, [
      HEADER,
      "Firm,firm@example.com,Ulm,1,x",
      `,,Ulm,1,${remark}`,
      "Last,last@example.com,Ulm,1,x",
    ])
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download as a file" }).press("Enter")
    const text = await Bun.file((await (await download).path())!).text()
    expect(text.split("\n")[0]).toBe(`rejected_because,${HEADER}`)
    expect(text).toContain(`,,,Ulm,1,${remark}`)
    expect(text).not.toContain("Last")
  },
)

test("merges are shown before the import, and doubtful ones become pairs to decide on", async (dashboard) => {
  const { page, service } = dashboard
  await service.call("POST", "/leads", {
    name: "Becker Tax",
    source: "maps",
    email: "info@becker.de",
    city: "Ulm",
  })
  await service.call("POST", "/leads", { name: "Ada", source: "maps", email: "ada@becker.de", city: "Ulm" })
  await dashboard.go("/import")
  await choose(page, ["Name,E-Mail,City", "Birgit Klein,info@becker.de,Bonn", "Ada L,ada@becker.de,Bonn"])
  const merges = page.getByRole("region", { name: "Merges" })
  await merges.getByText("1 row into existing leads, 0 within the file.").waitFor()
  await merges.getByText("to review under Duplicates").waitFor()
  await merges.getByText("same email (ada@becker.de)").waitFor()
  expect((await merges.textContent())?.replace(/\s+/g, " ")).toContain("City: Ulm Bonn")
  await page.getByLabel("If the lead already exists").selectOption("overwrite")
  await merges.getByText("2 rows into existing leads, 0 within the file.").waitFor()
  await page.getByLabel("If the lead already exists").selectOption("ask")
  await merges.getByText("1 row into existing leads, 0 within the file.").waitFor()
  await begin(page, /^Import 2 rows/)
  await dashboard.see("The file is in")
  const { body } = await service.call("GET", "/leads?sort_by=name")
  expect(body.leads.map(({ name }: { name: string }) => name)).toEqual(["Ada", "Becker Tax", "Birgit Klein"])
  expect((await service.call("GET", "/duplicates")).body.count).toBe(1)
})

browserTest("the room that a plan has is told before", async () => {
  await using dashboard = await openDashboard(undefined, { isFree: true })
  const { page } = dashboard
  await dashboard.go("/import")
  await choose(page, [HEADER, ...rows(120)])
  await dashboard.see("The plan Free has room for 100 leads more: 20 rows would not go in.")
})

const STAGES = ["Name,E-Mail,Stage,Labels,Seats"]
for (let i = 10; i < 22; i++)
  STAGES.push(
    `Firm ${i},f${i}@example.com,${i < 18 ? "Bad Timing" : "Won"},${i === 10 ? "V.I.P.; fair" : "fair"},${i === 21 ? "ten" : i}`,
  )

/** Chooses the file of stages and says what its columns are. */
async function chooseStages(page: Page, name = "stages.csv"): Promise<void> {
  await choose(page, STAGES, name)
  await page.getByLabel("Field for Stage").selectOption("status")
  await page.getByLabel("Field for Labels").selectOption("tags")
  await page.getByLabel("Status for Bad Timing").waitFor()
  await page.getByLabel("Tag for V.I.P.").waitFor()
}

browserTest("values of a file are mapped: a status, a tag and a number, seen before and saved", async () => {
  await using dashboard = await openDashboard()
  const { page, service } = dashboard
  await dashboard.go("/import")
  await chooseStages(page)
  const warnings = page.getByRole("region", { name: "Warnings" })
  expect((await warnings.textContent())?.replace(/\s+/g, " ")).toContain(
    "8 rows with an unknown status in Stage; saved as an attribute.",
  )
  await warnings.getByRole("button", { name: "Map “Bad Timing”" }).press("Enter")
  await page.getByRole("dialog").getByLabel("New value in Stage").selectOption("disqualified")
  await page.getByRole("button", { name: "Map the value" }).press("Enter")
  const result = page.getByRole("region", { name: "Resulting leads" })
  await result.getByText("Disqualified").first().waitFor()
  await warnings.getByText("with an unknown status").waitFor({ state: "hidden" })
  await page.getByLabel("Tag for V.I.P.").fill("vip")
  await page.keyboard.press("Tab")
  await result.getByText("vip, fair").waitFor()
  await warnings.getByRole("button", { name: "Map “ten”" }).press("Enter")
  await page.getByRole("dialog").getByLabel("New value in Seats").fill("10")
  await page.keyboard.press("Enter")
  await warnings.waitFor({ state: "hidden" })
  await page.getByLabel("Save this mapping (optional)").fill("stages")
  await page.keyboard.press("Tab")
  await begin(page, /^Import 12 rows/)
  await dashboard.see("The file is in")
  const { body } = await service.call("GET", "/leads?sort_by=name")
  expect(body.leads.map(({ status }: { status: string }) => status)).toEqual([
    ...Array(8).fill("disqualified"),
    ...Array(4).fill("converted"),
  ])
  expect(body.leads[0].tags).toEqual(["vip", "fair"])
  expect(body.leads[11].attributes).toMatchObject([{ name: "Seats", type: "number", value: 10 }])

  // The file comes again: the mapping is used, and one more change keeps the rest of it.
  await dashboard.go("/import")
  await choose(page, STAGES, "again.csv")
  await dashboard.see("Columns as the last time for a file with this header.")
  await page.getByLabel("Tag for fair").fill("")
  await page.keyboard.press("Tab")
  await result.getByText("vip", { exact: true }).waitFor()
  await result.getByText("Disqualified").first().waitFor()
  await page.getByRole("button", { name: "Detect the columns anew" }).waitFor({ state: "hidden" })
})

browserTest("a saved mapping is offered for a file with its columns, and left again", async () => {
  await using dashboard = await openDashboard(async ({ call }) => {
    await call("POST", "/import-mappings", {
      name: "stages",
      map: ["Stage:status", "Labels:-"],
      map_value: ["Stage:Bad Timing=contacted"],
    })
  })
  const { page } = dashboard
  await dashboard.go("/import")
  await choose(page, STAGES)
  await page.getByRole("button", { name: "Use “stages”" }).press("Enter")
  await dashboard.see("Columns by the mapping stages.")
  await page.getByLabel("Status for Bad Timing").waitFor()
  expect(await page.getByLabel("Status for Bad Timing").inputValue()).toBe("contacted")
  expect(await page.getByLabel("Field for Labels").inputValue()).toBe("-")
  await page.getByRole("button", { name: "Detect the columns anew" }).press("Enter")
  await page.getByRole("button", { name: "Use “stages”" }).waitFor()
})
