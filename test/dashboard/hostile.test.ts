// Texts of leads that want to be more than texts: none runs, none breaks the page.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { focusTable, openDashboard } from "./support.ts"

/** Each would call `hit` if it ran. */
const ATTACKS = [
  "<script>hit()</script>",
  "<img src=x onerror=hit()>",
  "<svg onload=hit()>",
  '"><svg/onload=hit()>',
  "';hit();//",
  "javascript:hit()",
  "{{constructor.constructor('hit()')()}}",
  ["$", "{hit()}"].join(""),
  "</title><script>hit()</script>",
  "<iframe srcdoc='<script>parent.hit()</script>'>",
  "<a href=javascript:hit()>x</a>",
  "<style>*{display:none}</style>",
  "<base href=//evil.example>",
  "<form action=//evil.example><button>",
  "data:text/html,<script>hit()</script>",
  "\u202Egnp.exe",
  "A\u0301".repeat(200),
  "W".repeat(900),
  "<!--",
  "]]>",
  "%3Cscript%3Ehit()%3C/script%3E",
  "&lt;script&gt;hit()&lt;/script&gt;",
  "\u2028hit()\u2029",
  "<math><mtext><img src=x onerror=hit()>",
  "__proto__",
]

browserTest(
  "0 of 500 hostile texts run, and the page keeps its shape",
  async () => {
    await using dashboard = await openDashboard(async ({ call }) => {
      const leads = Array.from({ length: 100 }, (_, i) => {
        const attack = `${ATTACKS[i % ATTACKS.length]!} ${i}`
        return {
          name: attack.slice(0, 1000),
          source: attack.slice(0, 1000),
          website: ATTACKS[(i * 7) % ATTACKS.length]!.slice(0, 1000),
          city: attack.slice(0, 1000),
          description: attack,
          tags: [attack.slice(0, 200)],
          rating: 5,
          attributes: [{ name: `${attack}`.slice(0, 200), type: "text", value: attack }],
        }
      })
      await call("POST", "/leads/batch", { leads })
      await call("POST", "/scoring-rules", { name: "<img src=x onerror=hit()>", expression: "rating" })
    })
    const { page, complaints, service } = dashboard
    let hits = 0
    await page.exposeFunction("hit", () => hits++)
    page.on("dialog", () => hits++)
    const { leads } = (await service.call("GET", "/leads?limit=100")).body
    expect(leads.length * 5).toBeGreaterThanOrEqual(475)
    for (const [i, lead] of leads.slice(0, 6).entries()) {
      await service.call("POST", `/leads/${lead.id}/notes`, { content: ATTACKS[i] })
    }
    const columns = "name,source,website,city,description,tags"
    for (const path of [
      `/leads?columns=${columns}`,
      "",
      "/board",
      "/activity",
      "/scoring",
      ...leads.slice(0, 12).map(({ id }: { id: string }) => `/leads/${id}`),
    ]) {
      await dashboard.go(path)
      await page.getByRole("heading").first().waitFor()
      await dashboard.settled()
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 1280])
      const foreign = await page.evaluate(
        () =>
          document.querySelectorAll(
            "#root :is(script, iframe, style, base, img, form[action], a[href^=javascript])",
          ).length,
      )
      expect([path, foreign]).toEqual([path, 0])
    }
    await dashboard.go(`/leads?columns=${columns}`)
    await focusTable(page)
    for (let i = 0; i < 5; i++) await page.keyboard.press("PageDown")
    expect(hits).toBe(0)
    expect(complaints).toEqual([])
  },
  300_000,
)
