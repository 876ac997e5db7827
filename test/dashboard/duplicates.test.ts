// Duplicates as people deal with them in the dashboard: by keys, one by one, in groups and all at once.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { type DashboardService, dashboardTest, openDashboard } from "./support.ts"

/** Three firms, each pushed as many times as asked under another email, and all compared. */
const fill = (times: number) => async (service: DashboardService) => {
  for (const [i, name] of ["Trattoria da Nino", "Elektro Baumgartner", "Studio Kowalczyk"].entries()) {
    for (let turn = 0; turn < times; turn++) {
      await service.call("POST", "/leads", {
        name: turn === 0 ? `${name} GmbH` : name,
        source: "fair",
        city: "Berlin",
        address: `Torstraße ${12 + i}`,
        website: `https://firm${i}.example`,
        phone: `+49 30 ${1234567 + i}${turn}`,
        email: `office${turn}@firm${i}.example`,
      })
    }
  }
  const pairs = (3 * times * (times - 1)) / 2
  await until("they are compared", async () => (await count(service, "open")) === pairs)
}
const test = dashboardTest(fill(2))

async function count({ call }: DashboardService, state: string): Promise<number> {
  return (await call("GET", `/duplicates?state=${state}`)).body.count
}
const leads = async ({ call }: DashboardService) => (await call("GET", "/stats")).body.total_leads as number

test("a pair is merged by a key, and taken back by another", async ({ page, service, goByKeys, see }) => {
  await goByKeys("d")
  await page.getByRole("heading", { name: /% the same/ }).waitFor()
  await page.keyboard.press("m")
  await see(/is merged into/)
  await until("one lead less", async () => (await leads(service)) === 5)
  expect(await count(service, "merged")).toBe(1)
  await page.keyboard.press("u")
  await see("Merge undone")
  await until("it is back", async () => (await leads(service)) === 6)
})

test("the chosen value is the one that is kept", async ({ page, service, go, see }) => {
  await go("/duplicates")
  const email = page.getByRole("row", { name: /^Email/ }).getByRole("radio")
  await email.nth(1).press("Space")
  const kept = (
    await page
      .getByRole("row", { name: /^Email/ })
      .getByRole("cell")
      .nth(1)
      .innerText()
  ).trim()
  await page.keyboard.press("m")
  await see(/is merged into/)
  const { body } = await service.call("GET", `/leads?filter=and.eq.email.${kept}`)
  expect(body.leads[0].name).toEndWith("GmbH")
})

test("what was told apart or merged is found again, and taken back there", async (dashboard) => {
  const { page, service } = dashboard
  const [pair, other] = (await service.call("GET", "/duplicates")).body.duplicates
  await service.call("POST", `/duplicates/${pair.id}/dismiss`)
  await service.call("POST", "/leads/merge", { survivor: other.a.id, losers: [other.b.id] })
  await dashboard.go("/duplicates")
  await page.getByLabel("Which pairs").selectOption("Not duplicates")
  await page.getByRole("heading", { name: /dismissed/ }).waitFor()
  await page.getByRole("button", { name: "Open again" }).press("Enter")
  await dashboard.see("may be the same again")
  expect(await count(service, "dismissed")).toBe(0)
  await page.getByLabel("Which pairs").selectOption("Merged")
  await page.getByRole("heading", { name: /merged/ }).waitFor()
  await page.keyboard.press("Tab")
  await page.keyboard.press("u")
  await dashboard.see("Merge undone")
  expect([await count(service, "merged"), await leads(service)]).toEqual([0, 6])
})

browserTest("a group goes into the lead that is chosen, and comes back", async () => {
  await using dashboard = await openDashboard(fill(3))
  const { page, service } = dashboard
  await dashboard.go("/duplicates?view=groups")
  const stays = page.getByRole("radio", { name: "stays" })
  await stays.first().waitFor()
  expect(await stays.count()).toBe(3)
  await page.keyboard.press("2")
  await until("the second one stays", () => stays.nth(1).isChecked())
  await page.keyboard.press("m")
  await dashboard.see("2 leads merged into")
  await until("two leads less", async () => (await leads(service)) === 7)
  await page.keyboard.press("u")
  await until("they are back", async () => (await leads(service)) === 9)
})

test("what is sure is merged at once after a look at the numbers, and comes back", async (dashboard) => {
  const { page, service } = dashboard
  await dashboard.go("/duplicates")
  await page.getByRole("button", { name: "Merge likely duplicates" }).press("Enter")
  const level = page.getByRole("dialog").getByLabel("How sure")
  expect(await level.inputValue()).toBe("0.99")
  await level.selectOption("0.95")
  const samples = page.getByRole("list", { name: "Groups, the least sure first" }).getByRole("listitem")
  await until("three samples are shown", async () => (await samples.count()) === 3)
  const sums = page.getByRole("group", { name: "What would be merged" })
  await sums.waitFor()
  expect((await sums.innerText()).split(/\s+/).filter((word) => /^\d+$/.test(word))).toEqual(["3", "3", "3"])
  expect(await leads(service)).toBe(6)
  await page.getByRole("button", { name: "Merge 3 groups" }).press("Enter")
  await dashboard.see("3 groups merged")
  expect(await leads(service)).toBe(3)
  await page.keyboard.press("u")
  await dashboard.see("Put back 6 leads")
  expect(await leads(service)).toBe(6)
})

browserTest("all groups that would be merged are shown, page by page, the least sure first", async () => {
  const fillMany = async ({ call }: DashboardService) => {
    for (let i = 0; i < 12; i++) {
      const lead = {
        name: `Zoe Kowalczyk${i}`,
        source: "fair",
        website: `https://firm${i}.example`,
        phone: `+49 30 12345${10 + i}`,
      }
      await call("POST", "/leads", { ...lead, city: "Berlin", email: `zoe@firm${i}.example` })
      const more = i % 2 === 0 ? {} : { city: "Berlin", address: "Torstraße 1" }
      await call("POST", "/leads", {
        ...lead,
        ...more,
        name: `Zoé Kowalczyk${i}`,
        phone: `030 12345${10 + i}`,
        email: null,
      })
    }
    await until("they are compared", async () => (await call("GET", "/duplicates/status")).body.waiting === 0)
  }
  await using dashboard = await openDashboard(fillMany, { path: "/duplicates" })
  const { page, service } = dashboard
  await until("the name that is kept is marked", async () =>
    /^Zoé/.test((await page.getByRole("row", { name: /^Name/ }).locator(".kept").innerText()).trim()),
  )
  await page.getByRole("button", { name: "Merge likely duplicates" }).press("Enter")
  await page.getByRole("dialog").getByLabel("How sure").selectOption("0.95")
  const groups = page.getByRole("list", { name: "Groups, the least sure first" }).getByRole("listitem")
  await page.getByRole("dialog").getByRole("button", { name: "Load more" }).press("Enter")
  await until("all are shown", async () => (await groups.count()) === 12)
  const sure = (await groups.allInnerTexts()).map((text) => Number(/([\d.]+) %/.exec(text)![1]))
  expect(sure).toEqual(sure.toSorted((x, y) => x - y))
  expect(await leads(service)).toBe(24)
})

test("what decisions taught is told, and learning is switched off", async ({ page, service, go, see }) => {
  await go("/duplicates")
  await page.getByRole("heading", { name: /% the same/ }).waitFor()
  await page.keyboard.press("m")
  await see(/is merged into/)
  await page.getByRole("link", { name: "What it learned" }).press("Enter")
  await see("1 pair decided: 1 were the same")
  await page.getByLabel("Merge by itself").selectOption("pairs of 99 % and more")
  await see(/auto_merge_above needs 50 decisions/)
  await page.getByLabel("Learn from decisions").press("Space")
  await see("Decisions are not learned from")
  expect((await service.call("GET", "/duplicates/model")).body).toMatchObject({
    learning: false,
    auto_merge_above: null,
  })
})

browserTest("the errors of built-in and learned weights are shown, and which are in use", async () => {
  await using dashboard = await openDashboard(fill(5))
  const { page, service } = dashboard
  const { duplicates } = (await service.call("GET", "/duplicates?limit=200")).body
  for (const { id } of duplicates) await service.call("POST", `/duplicates/${id}/dismiss`)
  const model = async () => (await service.call("GET", "/duplicates/model")).body
  await until("something was learned", async () => (await model()).loss !== null)
  const shown = (value: number) => `${Math.round(value * 1_000) / 1_000} bits`
  // More may be learned meanwhile, which the view asks for when it is opened.
  await until("both errors are shown", async () => {
    await dashboard.go("/duplicates")
    await dashboard.go("/duplicates?view=learned")
    const errors = page.getByRole("group", { name: "Average error" })
    await errors.waitFor()
    const texts = (await errors.innerText()).split("\n").filter(Boolean)
    const { built_in, learned } = (await model()).loss
    return texts.join() === ["Built-in weights", shown(built_in), "Learned weights", shown(learned)].join()
  })
  await dashboard.see("The learned weights have less and are in use.")
})

browserTest("the address of a lead that was merged leads to the one that stays", async () => {
  await using dashboard = await openDashboard()
  const { page, service } = dashboard
  const ids: string[] = []
  for (const name of ["Nino", "Baumgartner"])
    ids.push((await service.call("POST", "/leads", { name, source: "fair" })).body.id)
  await service.call("POST", "/leads/merge", { survivor: ids[0], losers: [ids[1]] })
  await dashboard.load(`/leads/${ids[1]}`)
  await page.getByRole("link", { name: "Open the lead that stays" }).click()
  await page.getByRole("heading", { name: "Nino" }).waitFor()
})
