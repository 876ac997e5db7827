// No page shows what only programs read: Unix seconds, ids, words of the API, ISO stamps, objects. What is to be typed is said as it is typed.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { browserTest } from "../support/browser.ts"
import { SOURCE } from "./source-texts.ts"
import { fillAccount, openDashboard } from "./support.ts"

const PAGES = [...readFileSync(join(SOURCE, "pages.ts"), "utf8").matchAll(/name: "([\w-]+)",\s+title/g)].map(
  ([, name]) => `/${name}`,
)
const RAW =
  /\b1[6-9]\d{8}\b|(?<!\/)\b(?:cl|note|mem|imp|job|key|ses|sup|seg|rule|form|wh)_[0-9a-f]{4,}|no_mx|legitimate_interests|(?<!heute oder )\d{4}-\d\d-\d\d|\[object|\bundefined\b|\bNaN\b|W\/"/g

browserTest("no page shows a raw value, and decimals are written as people do", async () => {
  await using dashboard = await openDashboard(fillAccount, {
    locale: "de-DE",
    viewport: { width: 1440, height: 1600 },
  })
  const { page, service } = dashboard
  const [lead] = (await service.call("GET", "/leads?q=Full")).body.leads
  const all = "name,email_status,owner,next_step_at,lawful_basis,consent_at,rating,last_touched_at"
  const paths = [
    ...PAGES,
    `/leads/${lead.id}`,
    `/leads?columns=${all}&filter=and.gte.next_step_at.1700000000`,
  ]
  const wrong: string[] = []
  for (const path of [...paths, `/leads?filter=and.eq.owner.${lead.owner}`]) {
    await dashboard.go(path)
    await page.getByRole("heading").first().waitFor()
    await dashboard.settled()
    const text = await page.evaluate(() => document.body.innerText)
    wrong.push(
      ...[...text.matchAll(RAW)].map(
        ({ 0: raw, index }) => `${path}: ${raw} in ${text.slice(index - 40, index + 40)}`,
      ),
    )
  }
  expect(wrong).toEqual([])
  await dashboard.go(`/leads?columns=${all}&q=Full`)
  await page.getByRole("gridcell", { name: "4,5", exact: true }).waitFor()
  await page.getByRole("gridcell", { name: "unzustellbar" }).waitFor()
})
