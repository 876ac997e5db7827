// No page shows what only programs read: Unix seconds, ids, words of the API, ISO stamps, objects.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { browserTest } from "../support/browser.ts"
import { SOURCE } from "./source-texts.ts"
import { type DashboardService, fillLeads, openDashboard } from "./support.ts"

const PAGES = [...readFileSync(join(SOURCE, "pages.ts"), "utf8").matchAll(/name: "([\w-]+)",\s+title/g)].map(
  ([, name]) => `/${name}`,
)
const RAW =
  /\b1[6-9]\d{8}\b|(?<!\/)\b(?:cl|note|mem|imp|job|key|ses|sup|seg|rule|form|wh)_[0-9a-f]{4,}|no_mx|legitimate_interests|\d{4}-\d\d-\d\dT\d|\[object|\bundefined\b|\bNaN\b|W\/"/g

/** An account with something of each kind. */
async function fill(service: DashboardService): Promise<void> {
  const { call, url, key } = service
  await fillLeads(service)
  const { body: member } = await call("POST", "/members", { name: "Eva Klein" })
  const { body: lead } = await call("POST", "/leads", {
    ...{ name: "Full", source: "fair", email: "full@nowhere.example", phone: "+49 30 901820" },
    ...{ owner: member.id, next_step: "Call", next_step_at: Math.floor(Date.now() / 1000) - 60, rating: 4.5 },
    ...{ lawful_basis: "legitimate_interests", consent_at: 1_798_070_400, score: 3 },
  })
  await call("POST", `/leads/${lead.id}/email-status`, { status: "bounced" })
  await call("POST", "/segments", { name: "Due", filter: ["and.gte.next_step_at.1798070400"] })
  await call("POST", "/suppressions", { value: "full@nowhere.example" })
  await call("POST", "/forms", { name: "Contact" })
  await call("POST", "/webhooks", { url: "http://127.0.0.1:9/hook" })
  await call("POST", "/leads/bulk", {
    filter: ["and.eq.city.Berlin"],
    action: "update",
    data: { owner: member.id },
  })
  const headers = { "X-API-Key": key, "Content-Type": "text/csv" }
  await fetch(`${url}/leads/import?name=fair.csv`, {
    method: "POST",
    headers,
    body: "Name,Email\nA,a@a.example",
  })
}

browserTest("no page shows a raw value, and decimals are written as people do", async () => {
  await using dashboard = await openDashboard(fill, {
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
