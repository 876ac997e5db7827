// What a team does all day: whose leads, who may be called, what a rule makes of them, and pages that follow.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { type DashboardService, openDashboard, openMenu } from "./support.ts"

/** Four leads of an import whose owners are named, before anybody has joined. */
async function importOwned({ url, key }: DashboardService): Promise<void> {
  const rows = [
    "Name,Email,Phone,Lead owner",
    "Anna Berg,anna@berg.example,+49 30 901820,Eva Klein",
    "Ben Cole,ben@cole.example,+49 30 901821,eva.klein@corp.example",
    "Cleo Diaz,cleo@diaz.example,+49 30 901822,Tom Lang",
    "Dora Elm,dora@elm.example,+49 30 901823,",
  ]
  const headers = { "X-API-Key": key, "Content-Type": "text/csv" }
  const answer = await fetch(`${url}/leads/import`, { method: "POST", headers, body: rows.join("\n") })
  expect(await answer.json()).toMatchObject({ created: 4, rejected: 0 })
}

browserTest(
  "owners of an import are names until they join; the first person is a member like others",
  async () => {
    await using dashboard = await openDashboard(importOwned, {
      path: "/leads?columns=name,owner,email,phone&group=owner",
    })
    const { page, service, complaints } = dashboard
    const cell = (name: string) => page.getByRole("gridcell", { name, exact: true })
    await cell("Tom Lang").waitFor()
    await page.getByRole("link", { name: "Eva Klein 1" }).waitFor()
    expect(await page.getByText("A former member").count()).toBe(0)

    await dashboard.load("/day")
    await page.getByLabel("Your name").fill("Eva Klein")
    await page.getByRole("button", { name: "Become a member" }).click()
    await page.getByLabel(/assword/).fill("a long sentence is best")
    await page.getByRole("button", { name: "Join with a password" }).click()
    await page.getByRole("navigation", { name: "Pages" }).waitFor()

    // By its address, before it is known who is signed in.
    await dashboard.load("/day")
    await page.getByRole("link", { name: "Ben Cole" }).waitFor()
    await page.getByRole("link", { name: "Anna Berg", exact: true }).waitFor()
    expect(await page.getByRole("link", { name: "Cleo Diaz" }).count()).toBe(0)
    await dashboard.load("/leads?columns=name,owner&sort=name")
    await cell("You").first().waitFor()
    expect(await cell("You").count()).toBe(2)

    // A name goes back as it was read; no other name comes in by the API.
    const { body } = await service.call("GET", "/leads?q=Cleo")
    const [cleo] = body.leads
    expect(cleo.owner).toBe("Tom Lang")
    expect((await service.call("PUT", `/leads/${cleo.id}`, { ...cleo, city: "Oslo" })).status).toBe(200)
    expect((await service.call("PUT", `/leads/${cleo.id}`, { owner: "Somebody" })).status).toBe(400)
    expect((await service.call("POST", "/leads", { name: "x", source: "y", owner: "Nobody" })).status).toBe(
      400,
    )
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([])
  },
)

browserTest("a saved rule scores all leads, everywhere alike and live, and is undone", async () => {
  await using dashboard = await openDashboard(importOwned, { path: "/leads?columns=name,score&sort=name" })
  const { page, service, complaints } = dashboard
  const { body } = await service.call("GET", "/leads?q=Anna")
  await page.getByRole("gridcell", { name: "Anna Berg", exact: true }).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url().replace(/leads.*/, "scoring"))
  await other.getByRole("button", { name: "New rule" }).click()
  await other.getByLabel("Name", { exact: true }).fill("Has email")
  await other.getByLabel("Formula").fill("email ? 75 : 0")
  await other.getByRole("button", { name: "Save rule" }).click()
  await other.getByText("Rule saved, 4 leads scored").waitFor()
  await page.getByRole("gridcell", { name: "75" }).first().waitFor()
  await page.getByRole("gridcell", { name: "Anna Berg", exact: true }).click()
  const panel = page.getByRole("complementary", { name: "Anna Berg" })
  await until(
    "panel and reasons say the same",
    async () => (await panel.getByText("75", { exact: true }).count()) >= 2,
  )
  // A rule that came by the API: what the panel explains is what it shows.
  await service.call("POST", "/scoring-rules", { name: "Has phone", expression: "phone ? 10 : 0" })
  await until("all say 85", async () => {
    const { body: lead } = await service.call("GET", `/leads/${body.leads[0].id}`)
    return lead.score === 85 && (await panel.getByText("85", { exact: true }).count()) >= 2
  })
  await other.getByRole("button", { name: "Undo" }).click()
  await other.getByText("Undone, 4 leads scored").waitFor()
  await page.getByRole("gridcell", { name: "10" }).first().waitFor()
  expect(complaints).toEqual([])
})

browserTest("who must not be contacted has no button for it; a note reaches open pages", async () => {
  await using dashboard = await openDashboard(importOwned, {
    path: "/leads?columns=name,email,phone,note_count&sort=name",
  })
  const { page, service, complaints } = dashboard
  await page.getByRole("gridcell", { name: "Anna Berg", exact: true }).click()
  const panel = page.getByRole("complementary", { name: "Anna Berg" })
  await panel.getByRole("link", { name: "Call" }).waitFor()
  const [anna] = (await service.call("GET", "/leads?q=Anna")).body.leads
  await service.call("POST", `/leads/${anna.id}/notes`, { content: "Rang back" })
  await panel.getByText("Rang back").waitFor()
  await page
    .getByRole("row", { name: /Anna Berg/ })
    .getByRole("gridcell", { name: "1", exact: true })
    .waitFor()

  await openMenu(page, "Actions of this lead")
  await page.getByRole("button", { name: "Put on the do-not-contact list" }).click()
  await dashboard.see("Anna Berg is on the do-not-contact list")
  await panel.getByRole("link", { name: "Do not contact" }).waitFor()
  expect(await panel.getByRole("link", { name: /^(Call|Email)$/ }).count()).toBe(0)
  await page
    .getByRole("gridcell", { name: "anna@berg.example" })
    .and(page.getByTitle("Do not contact"))
    .waitFor()
  await dashboard.load("/day")
  await dashboard.see("Do not contact")
  const task = page.getByRole("listitem").filter({ hasText: "Anna Berg" })
  expect(await task.getByRole("link", { name: /^(Call|Email)$/ }).count()).toBe(0)
  await service.call("POST", "/suppressions", { value: "berg.example" })
  await dashboard.load("/do-not-contact")
  await until(
    "each entry says how many leads it hits",
    async () => (await page.getByRole("link", { name: "1 lead" }).count()) === 3,
  )
  expect(complaints).toEqual([])
})

browserTest("many leads get owners in turn and a due date, with a preview and the way back", async () => {
  await using dashboard = await openDashboard(
    async (service) => {
      await importOwned(service)
      for (const name of ["Uwe Ost", "Vera West"]) await service.call("POST", "/members", { name })
    },
    { path: "/activity" },
  )
  const { page, service, complaints } = dashboard
  await page.getByRole("button", { name: "Put back" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Delete 4 leads" }).waitFor()
  await page.keyboard.press("Escape")
  await dashboard.load("/leads?columns=name,owner,next_step_at&sort=name")
  const owners = async () =>
    (await service.call("GET", "/leads?sort_by=name")).body.leads.map(({ owner }: { owner: string }) => owner)
  const before = await owners()
  await page.getByLabel("Select all 4 shown").check()
  async function edit(field: string) {
    await openMenu(page, "More actions")
    await page.getByRole("button", { name: "Edit a field…" }).click()
    await page.getByRole("dialog").getByRole("combobox").first().selectOption({ label: field })
  }
  await edit("Owner")
  for (const name of ["Uwe Ost", "Vera West"]) await page.getByLabel(name).check()
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("list", { name: "Preview" }).getByText("Uwe Ost").first().waitFor()
  await page.getByRole("button", { name: "Change 4 leads" }).click()
  await dashboard.see("Changed 4 leads")
  expect(new Set(await owners()).size).toBe(2)
  await page.getByRole("button", { name: "Undo" }).click()
  await until("the owners are back", async () => Bun.deepEquals(await owners(), before))
  await dashboard.load("/activity")
  const undone = page.getByRole("listitem").filter({ has: page.getByText("put back", { exact: true }) })
  // What was undone is offered no more.
  await undone
    .filter({ hasNot: page.getByRole("button", { name: "Put back" }) })
    .first()
    .waitFor()
  expect(complaints).toEqual([])
})

browserTest(
  "columns are drawn wider and moved, views change their filters, and a file says that it was here",
  async () => {
    await using dashboard = await openDashboard(
      async (service) => {
        await importOwned(service)
        await service.call("POST", "/segments", { name: "With Tom", filter: ["and.eq.owner.Tom Lang"] })
      },
      { path: "/leads?columns=name,phone,email" },
    )
    const { page, service, complaints } = dashboard
    const head = (name: string) => page.getByRole("columnheader", { name })
    await dashboard.settled()
    const box = (await head("Phone").boundingBox())!
    await page.mouse.move(box.x + box.width - 3, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width + 77, box.y + 10, { steps: 4 })
    await page.mouse.up()
    const width = async () => Math.round((await head("Phone").boundingBox())!.width)
    await until("phone is wider", async () => (await width()) === Math.round(box.width) + 80)
    await head("Email").dragTo(head("Phone"))
    await until("email stands before phone", async () => page.url().includes("columns=name%2Cemail%2Cphone"))
    await dashboard.settled()
    await dashboard.load("/leads?columns=name,email,phone")
    await head("Phone").waitFor()
    expect(await width()).toBe(Math.round(box.width) + 80)

    await page.getByRole("link", { name: "With Tom" }).click()
    await page.getByRole("link", { name: /Owner is Tom Lang/ }).click()
    await dashboard.settled()
    await dashboard.load(`/leads${new URL(page.url()).search.replace("Tom+Lang", "Eva+Klein")}`)
    await page.getByRole("button", { name: "Save as With Tom" }).click()
    await dashboard.see("View With Tom saved")
    const [segment] = (await service.call("GET", "/segments")).body
    expect(segment.filter).toEqual(["and.eq.owner.Eva Klein"])

    const file = {
      name: "fair.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("Name,Email\nOda,oda@o.example\n"),
    }
    for (const times of [1, 2]) {
      await dashboard.settled()
      await dashboard.load("/import")
      await page.getByLabel("Choose a file").setInputFiles(file)
      const start = page.getByRole("button", { name: /^Import 1/ })
      await start.waitFor()
      if (times === 2) await dashboard.see(/You imported fair\.csv just now/)
      else {
        await start.click()
        await until("it is in", async () => (await service.call("GET", "/leads?q=Oda")).body.count === 1)
      }
    }
    expect(complaints).toEqual([])
  },
)
