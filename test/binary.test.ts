import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "../scripts/build/executable.ts"
import { browserTest, openBrowser } from "./support/browser.ts"
import { openPlace } from "./support/service.ts"

const folder = mkdtempSync(join(tmpdir(), "leaddb-binary-"))
let executable = ""
beforeAll(async () => {
  executable = process.env.LEADDB_TEST_PROGRAM ?? (await build({ outfile: join(folder, "leaddb") }))
})
afterAll(() => rmSync(folder, { recursive: true }))

const open = openBrowser()

describe("the executable", () => {
  browserTest(
    "takes a newcomer from its first line to a file imported, scored, merged and exported, by clicks",
    async () => {
      await using place = openPlace([executable])
      const service = await place.serve()
      const { page, complaints, ...context } = await open({ acceptDownloads: true })
      await using _ = context
      await page.goto(service.out().match(/http:\S+\/app#\S+/)![0])

      await page.getByRole("link", { name: "Import", exact: true }).click()
      const rows = Array.from({ length: 40 }, (_, i) => `Firm ${i},firm${i}@example.com,Ulm,,${i % 6},`)
      const twice = [" GmbH", ""].map(
        (form, i) =>
          `Trattoria da Nino${form},office${i}@nino.example,Berlin,Torstraße 12,5,https://nino.example`,
      )
      await page.getByLabel("Choose a file").setInputFiles({
        name: "customers.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(["Company Name,E-Mail,Town,Address,Stars,Website", ...rows, ...twice].join("\n")),
      })
      await page.getByRole("button", { name: /^Import 42 rows/ }).click()
      await page.getByText("The file is in").waitFor()

      await page.getByRole("link", { name: "Scoring", exact: true }).click()
      await page.getByRole("button", { name: "New rule" }).click()
      await page.getByRole("dialog").getByLabel("Name").fill("Well rated")
      await page.getByLabel("Formula").fill("rating * 20")
      await page.getByText("The formula is fine").waitFor()
      await page.getByRole("button", { name: "Save rule" }).click()
      await page.getByRole("button", { name: "Score all leads" }).click()
      await page.getByText(/leads? scored/).waitFor()

      await page.getByRole("link", { name: "Duplicates", exact: true }).click()
      await page.getByRole("heading", { name: /% the same/ }).waitFor()
      await page.getByRole("button", { name: "Merge m", exact: true }).click()
      await page.getByText(/is merged into/).waitFor()

      await page.getByRole("link", { name: "Leads", exact: true }).click()
      await page.getByText("Trattoria da Nino").first().waitFor()
      await page.getByRole("button", { name: "Export", exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: /^Export/ }).click(),
      ])
      const [header, ...lines] = (await Bun.file((await download.path())!).text()).trim().split("\n")
      expect(header).toStartWith("id,name,source")
      expect(lines).toHaveLength(41)
      expect(lines.filter((line) => line.includes("Trattoria da Nino"))).toHaveLength(1)
      expect(complaints).toEqual([])
    },
  )

  test("runs alone from an empty folder, and again", async () => {
    await using place = openPlace([executable])
    const service = await place.serve()
    expect(readdirSync(place.folder)).toEqual(["data"])
    const headers = { "X-API-Key": service.key }
    const body = JSON.stringify({ name: "Ada", source: "test", rating: 4 })
    const created = await fetch(`${service.url}/leads`, { method: "POST", headers, body })
    expect(created.status).toBe(201)
    const rule = JSON.stringify({ name: "Rated", expression: "rating * 10" })
    expect(
      (await fetch(`${service.url}/scoring-rules`, { method: "POST", headers, body: rule })).status,
    ).toBe(201)
    const scored = await fetch(`${service.url}/leads/score/batch`, { method: "POST", headers })
    expect(await scored.json()).toEqual({ count: 1, changed: 1 })

    for (const [path, inside] of [
      ["/docs", "<h1>A database of business leads</h1>"],
      ["/api/v1/openapi.json", '"openapi":"3.1.0"'],
      ["/readyz", '"ready"'],
    ] as const) {
      expect(await (await fetch(new URL(path, service.url))).text()).toContain(inside)
    }

    const asked = await fetch(service.mcpUrl, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${service.key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    })
    expect(await asked.text()).toContain('"name":"create_lead"')
    for (const [format, beginning] of [
      ["xlsx", "PK"],
      ["csv", "id,"],
    ] as const) {
      const table = await fetch(`${service.url}/leads/export?format=${format}`, { headers })
      expect(await table.text()).toStartWith(beginning)
    }

    expect((await place.run(["backup", "copy.db"])).code).toBe(0)
    expect(await place.run(["check"])).toMatchObject({ code: 0, err: "" })
    service.signal("SIGTERM")
    expect(await service.ended).toMatchObject({ code: 0, err: "" })

    const again = await place.serve()
    expect(again.key).toBe("")
    const { leads } = await (await fetch(`${again.url}/leads`, { headers })).json()
    expect(leads).toMatchObject([{ name: "Ada", score: 40 }])
    again.signal("SIGTERM")
    expect((await again.ended).code).toBe(0)
  })

  test("takes its settings from flags and the environment alone", async () => {
    await using place = openPlace([executable])
    await Bun.write(join(place.folder, ".env"), "LEADDB_LOG=loud\n")
    await Bun.write(join(place.folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n')
    const service = await place.serve()
    expect(service.key).toStartWith("ldb_")
  })
})
