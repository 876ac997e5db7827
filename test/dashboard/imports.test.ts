// Files as people bring them in by the dashboard: looked at, put right, imported, and taken back.
import { expect } from "bun:test"
import type { Page } from "playwright-core"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { openDashboard } from "./support.ts"

const HEADER = "Company Name,E-Mail,Town,Stars,Remark"
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => `Firm ${i},firm${i}@example.com,Ulm,${i % 6},remark ${i}`)

async function choose(page: Page, lines: readonly string[], name = "customers.csv"): Promise<void> {
  await page.getByLabel("Choose a file").setInputFiles({
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

browserTest("a file is looked at, a column put right, and imported", async () => {
  await using dashboard = await openDashboard()
  const { page, service } = dashboard
  await dashboard.go("/import")
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
  await dashboard.see("The file is in")
  const { body } = await service.call("GET", "/leads?filter=and.eq.email.firm3@example.com")
  expect(body.leads[0]).toMatchObject({ rating: 3, description: "remark 3", source: "customers" })
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
  await dashboard.see("1 lead stay as they are")
  await page.getByRole("button", { name: "Put back 399 leads" }).press("Enter")
  await dashboard.see(/Put back 399 leads; 1 lead/)
  await page.getByRole("heading", { name: "Undone" }).waitFor()
  expect((await service.call("GET", "/stats")).body.total_leads).toBe(1)
})

browserTest("the columns of a file are saved under a name and used for another", async () => {
  await using dashboard = await openDashboard()
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

browserTest("merges are shown before the import, and doubtful ones become pairs to decide on", async () => {
  await using dashboard = await openDashboard()
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
