// Signing in, being invited and being signed out, in a browser.
import { expect } from "bun:test"
import { browserTest, openPage } from "../support/browser.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"
import {
  addAuthenticator,
  dashboardTest,
  dashboardUrl,
  fillLeads,
  focusTable,
  openDashboard,
  openMenu,
  openService,
  signIn,
} from "./support.ts"

const test = dashboardTest(fillLeads)

browserTest("the link that a start prints signs in once", async () => {
  await using place = openPlace()
  const service = await place.serve()
  const printed = service.out().match(/http:\/\/leaddb\.localhost:\d+\/app#\w+/)![0]
  const link = printed.replace(/:\d+/, `:${new URL(service.url).port}`)
  await using first = await openPage()
  await first.page.goto(link)
  await first.page.getByText("Nothing to look at yet").waitFor()
  expect(first.page.url()).not.toContain("#")
  expect(first.complaints).toEqual([])
  await using second = await openPage()
  await second.page.goto(link)
  await second.page.getByText("wrong, used or older than 10 minutes").waitFor()
})

browserTest("a wrong key is told in words, a right one signs in, and signing out ends it", async () => {
  const service = await openService()
  await using browser = await openPage()
  const { page, complaints } = browser
  await page.goto(dashboardUrl(service))
  await page.getByLabel("One-time code or API key").fill("ldb_wrong")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").getByText("not a leaddb API key").waitFor()
  await signIn(page, service)
  await openMenu(page, "Account menu")
  await page.getByRole("button", { name: "Sign out" }).press("Enter")
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  expect(await page.context().cookies()).toEqual([])
  expect(complaints.filter((text) => !text.includes("401 (Unauthorized)"))).toEqual([])
})

browserTest("a member is invited, joins with a password, and stands in the trail by name", async () => {
  await using owner = await openDashboard(fillLeads)
  const { page, service } = owner
  await owner.go("/team")
  await page.getByRole("button", { name: "Invite" }).press("Enter")
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Ada Lovelace")
  await page.keyboard.press("Enter")
  const link = await page.getByRole("dialog").getByText("/app/join#").innerText()

  await using member = await openPage()
  await member.page.goto(link)
  await member.page.getByRole("heading", { name: "Welcome, Ada Lovelace" }).waitFor()
  await member.page.getByLabel("Password").fill("short")
  await member.page.keyboard.press("Enter")
  await member.page.getByLabel("Password").fill("a long enough sentence")
  await member.page.keyboard.press("Enter")
  await member.page.getByRole("link", { name: "Leads", exact: true }).click()
  await member.page.getByText("30 leads").waitFor()
  await focusTable(member.page)
  await member.page.keyboard.press("Enter")
  await member.page.getByRole("complementary").getByLabel("Status").selectOption("qualified")
  await member.page.getByText("Status changed").waitFor()
  const { changes } = (await service.call("GET", "/changes?limit=1")).body
  expect(changes[0].actor_id).toBe("Ada Lovelace")

  await openMenu(member.page, "Account menu")
  await member.page.getByRole("button", { name: "Sign out" }).press("Enter")
  await member.page.getByRole("heading", { name: "Sign in" }).waitFor()
  await member.page.getByLabel("Name").fill("ada lovelace")
  await member.page.getByLabel("Password").fill("a long enough sentence")
  await member.page.keyboard.press("Enter")
  await member.page.getByRole("heading", { name: "Leads" }).waitFor()

  await owner.load("/team")
  await page.getByRole("button", { name: "Remove Ada Lovelace" }).press("Enter")
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter")
  await owner.see("no longer a member")
  await member.page.reload()
  await member.page.getByRole("heading", { name: "Sign in" }).waitFor()
})

browserTest("a member joins with a passkey and signs in with it again", async () => {
  await using owner = await openDashboard()
  const { service } = owner
  const { invite_url: link } = (await service.call("POST", "/members", { name: "Grace", role: "viewer" }))
    .body
  await using member = await openPage()
  const { page } = member
  await addAuthenticator(page)
  await page.goto(link.replace(/^http:\/\/[^/]+\/app/, dashboardUrl(service)))
  await page.getByRole("button", { name: "Create a passkey" }).press("Enter")
  await page.getByText("Nothing to look at yet").waitFor()
  await openMenu(page, "Account menu")
  await page.getByRole("button", { name: "Sign out" }).press("Enter")
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/v1/sessions"))
  await page.getByRole("button", { name: "Use a passkey" }).press("Enter")
  await page.getByText("Nothing to look at yet").waitFor()
  const origin = new URL(page.url()).origin
  const again = await fetch(`${service.url}/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin, Host: new URL(origin).host },
    body: (await sent).postData()!,
  })
  expect([again.status, (await again.json()).message]).toEqual([
    400,
    expect.stringContaining("does not hold"),
  ])
  const [grace] = (await service.call("GET", "/members")).body
  expect([grace.passkeys, grace.has_password]).toEqual([1, false])
  expect(member.complaints).toEqual([])
})

test("a session that was ended is out at once", async ({ page, service }) => {
  const [session] = (await service.call("GET", "/sessions")).body
  await service.call("DELETE", `/sessions/${session.id}`)
  // What the page was still reading may have told it already.
  const signIn = page.getByRole("heading", { name: "Sign in" })
  await until("it is out", async () => {
    for (const key of ["g", "l"]) await page.keyboard.press(key)
    return signIn.isVisible()
  })
})

test("a page on another port of the same host gets nothing by the cookie", async ({ page, service }) => {
  using other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<h1>Other</h1>", { headers: { "Content-Type": "text/html" } }),
  })
  await page.goto(`http://leaddb.localhost:${other.port}/`)
  const api = `${dashboardUrl(service).replace("/app", "/api/v1")}`
  await page.evaluate(async (api) => {
    const body = '{"name":"Stolen","source":"other"}'
    const plain = { method: "POST", credentials: "include", body } as const
    await Promise.allSettled([
      fetch(`${api}/leads`, { ...plain, mode: "no-cors" }),
      fetch(`${api}/leads`, { ...plain, headers: { "Content-Type": "application/json" } }),
      fetch(`${api}/leads?limit=1`, { credentials: "include", mode: "no-cors" }),
    ])
    const form = document.createElement("form")
    form.method = "post"
    form.enctype = "text/plain"
    form.action = `${api}/leads`
    const input = document.createElement("input")
    input.name = '{"name":"Stolen","source":"'
    input.value = '"}'
    form.append(input)
    document.body.append(form)
    form.submit()
  }, api)
  await page.waitForURL(/api\/v1\/leads/)
  expect((await service.call("GET", "/leads?filter=and.eq.name.Stolen")).body.count).toBe(0)
  expect((await service.call("GET", "/leads?total=true&limit=1")).body.total).toBe(30)
})

test("a service that is away is told, and found again", async ({ page, settled, goByKeys }) => {
  await settled()
  await page.context().setOffline(true)
  await goByKeys("b")
  await page.getByText("cannot be reached").first().waitFor()
  await page.context().setOffline(false)
  await page.getByText("The service cannot be reached. What you see").waitFor({ state: "hidden" })
  await page.getByRole("heading", { name: "Board" }).waitFor()
})
