import { onTestFinished } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { addAccount } from "../support/account.ts"
import { callsOf, startTestApp, type TestApp } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { onPostgres } from "../support/database.ts"
import { writeEmptyDatabase } from "../support/empty-database.ts"
import { openPlace } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

export interface DashboardService extends Pick<TestApp, "key" | "call" | "as"> {
  /** Base URL of the REST API. */
  url: string
  file: string
}

/** The service behind a dashboard: the executable where a whole run of the tests has built one, else from source. */
async function startService(): Promise<DashboardService & { close(): Promise<void>; folder: string }> {
  if (!process.env.LEADDB_TEST_PROGRAM || onPostgres) {
    const { app, config, key, call, as, close } = await startTestApp()
    return { url: app.url, file: config.file, key, call, as, close, folder: config.data }
  }
  const place = openPlace()
  const file = writeEmptyDatabase(join(place.folder, "leads.db"))
  const { url, key } = await place.serve([], { LEADDB_DATA: place.folder })
  const as = callsOf(url)
  return {
    ...{ url, file, key, call: as(key), as, folder: place.folder },
    close: async () => place[Symbol.asyncDispose](),
  }
}

/** A service of its own, closed after the test that opens it. */
export async function openService(): Promise<DashboardService> {
  const service = await startService()
  onTestFinished(service.close)
  return service
}

let shared: Promise<DashboardService> | undefined

async function startShared(): Promise<DashboardService> {
  const service = await startService()
  process.on("exit", () => rmSync(service.folder, { recursive: true, force: true }))
  return service
}

/** A new account of the service that tests of this process share. */
async function openAccount(): Promise<DashboardService> {
  shared ??= startShared()
  const { url, file, as } = await shared
  const { key } = await addAccount(file)
  return { url, file, key, call: as(key), as }
}

/** Where browsers allow passkeys, and where no other local service's cookies are. */
export function dashboardUrl({ url }: DashboardService, path = ""): string {
  return `http://leaddb.localhost:${new URL(url).port}/app${path}`
}

/** A device in the browser that makes passkeys without being touched. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Signs in with a key as a person does. */
export async function signIn(page: Page, service: DashboardService, key = service.key): Promise<void> {
  await page.goto(dashboardUrl(service))
  await page.getByLabel("One-time code or API key").fill(key)
  await page.keyboard.press("Enter")
  await isShown(page)
}

/** Resolves when the pages can be chosen, by the list or, on a narrow screen, its button. */
async function isShown(page: Page): Promise<void> {
  await page
    .getByRole("navigation", { name: /^(Pages|Seiten)$/ })
    .or(page.getByRole("button", { name: /^Men[uü]$/ }))
    .first()
    .waitFor()
}

/** Opens a menu by its button, and waits until the menu has taken the focus, which comes after it is shown. */
export async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).press("Enter")
  await page.getByRole("button", { name, expanded: true }).waitFor()
}

/** Puts the focus on the table once it has a row: keys before that would be for nothing. */
export async function focusTable(page: Page): Promise<void> {
  const table = page.getByRole("grid")
  await table.getByRole("row").nth(1).waitFor()
  await table.focus()
}

interface DashboardOptions extends BrowserContextOptions {
  role?: "viewer" | "editor"
  isFree?: boolean
  /** Whether the service is its own, where the test sees or changes more than its account. */
  isAlone?: boolean
  /** The page to begin at, the overview unless given. */
  path?: string
}

/** Signs a page in with a key before it shows anything, past the form. */
async function startSession(page: Page, service: DashboardService, key: string): Promise<void> {
  const response = await fetch(`${service.url}/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
  })
  const [, name = "", value = ""] = response.headers.get("set-cookie")?.match(/^([^=]+)=([^;]+)/) ?? []
  const { role } = (await response.json()) as { role: string }
  const url = new URL(dashboardUrl(service)).origin
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Strict" }])
  // Once, so that a page that signs out stays signed out when it is loaded again.
  await page.addInitScript((role) => {
    if (sessionStorage.getItem("test") !== null) return
    sessionStorage.setItem("test", "signed in")
    localStorage.setItem("leaddb-session", role)
  }, role)
}

type Fill = (service: DashboardService) => Promise<void>

/** A test in a browser that takes a dashboard, as `openDashboard` opens it. */
export const dashboardTest = (fill?: Fill, options?: DashboardOptions) =>
  testWith(() => openDashboard(fill, options), browserTest)

/** Opens a dashboard on an account of its own, signed in. */
export async function openDashboard(
  fill: Fill = async () => {},
  { role, isFree = false, isAlone = false, path = "", ...options }: DashboardOptions = {},
) {
  const service = isAlone ? await openService() : await openAccount()
  await fill(service)
  const browser = await openPage({ viewport: { width: 1280, height: 800 }, ...options })
  const { page } = browser
  const key = role
    ? (await service.call("POST", "/api-keys", { name: role, role })).body.key
    : isFree
      ? (await addAccount(service.file, { plan: "free" })).key
      : service.key
  await startSession(page, service, key)
  await page.goto(dashboardUrl(service, path))
  await isShown(page)
  return {
    ...browser,
    service,
    /** Goes to a page of the dashboard by its address, as the browser's back and forward do: nothing is loaded again. */
    async go(path: string): Promise<void> {
      await page.evaluate((path) => {
        history.pushState(null, "", path)
        dispatchEvent(new PopStateEvent("popstate"))
      }, `/app${path}`)
    },
    /** Loads a page of the dashboard by its address. */
    load: (path: string) => page.goto(dashboardUrl(service, path)),
    /** Goes to a page by `g` and a letter; a slow machine may take longer for both than a person ever would. */
    async goByKeys(letter: string) {
      const from = page.url()
      await until(`g ${letter} leads to another page`, async () => {
        for (const key of ["g", letter]) await page.keyboard.press(key)
        return page.url() !== from
      })
    },
    /** Waits until it is shown, anywhere. */
    see: (text: string | RegExp) => page.getByText(text).first().waitFor(),
  }
}

/** Some leads with all that pages show. */
export async function fillLeads({ call }: Pick<DashboardService, "call">): Promise<void> {
  await call("POST", "/scoring-rules", { name: "Well rated", expression: "rating * 20" })
  const cities = ["Berlin", "Paris", "Roma"]
  const leads = Array.from({ length: 30 }, (_, i) => ({
    name: `Lead ${String(i).padStart(2, "0")}`,
    source: i % 2 === 0 ? "fair" : "form",
    email: `lead${i}@example.com`,
    city: cities[i % 3],
    rating: i % 6,
    latitude: 45 + i / 10,
    longitude: 5 + i / 5,
    tags: ["vip"],
    attributes: [{ name: "seats", type: "number", value: i }],
  }))
  await call("POST", "/leads/batch", { leads })
  const [lead] = (await call("GET", "/leads?limit=1")).body.leads
  await call("POST", `/leads/${lead.id}/notes`, { content: "Call on Monday" })
  await call("PUT", `/leads/${lead.id}`, { status: "contacted" })
}

/** An account with something of each kind. */
export async function fillAccount(service: DashboardService): Promise<void> {
  const { url, key } = service
  const call: typeof service.call = async (...asked) => {
    const answer = await service.call(...asked)
    if (answer.status >= 400) throw new Error(`${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  await fillLeads(service)
  const { body: member } = await call("POST", "/members", { name: "Eva Klein" })
  const { body: uwe } = await call("POST", "/members", { name: "Uwe Ost" })
  const { body: lead } = await call("POST", "/leads", {
    ...{ name: "Full", source: "fair", email: "full@nowhere.example", phone: "+49 30 901820" },
    ...{
      owner: member.id,
      next_step: "Anrufen",
      next_step_at: Math.floor(Date.now() / 1000) - 60,
      rating: 4.5,
    },
    ...{ lawful_basis: "legitimate_interests", consent_at: 1_798_070_400, score: 3 },
  })
  await call("POST", `/leads/${lead.id}/email-status`, { status: "bounced" })
  await call("POST", "/segments", { name: "Fällig", filter: ["and.gte.next_step_at.1798070400"] })
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
  const twin = { source: "fair", city: "Ulm", company: "Bau Ost", website: "https://bau.example" }
  for (const [name, phone, status] of [
    ["Zoé Bau", "+49 731 901821", "new"],
    ["Zoe Bau", "0731 901821", "contacted"],
    ["Zoe Bau", "0731 901822", "qualified"],
  ]) {
    const own = { phone, status, rating: 4.5, owner: status === "new" ? uwe.id : member.id }
    await call("POST", "/leads", { ...twin, ...own, name, address: "Torstraße 1" })
  }
  await call("POST", "/stages", { name: "Angebot", status: "qualified", color: "teal" })
  await call("POST", "/templates", { name: "Gruß", subject: "Hallo", body: "Hallo {{name}}" })
  await call("POST", `/leads/${lead.id}/activities`, { kind: "call", outcome: "reached", text: "x" })
  await call("POST", "/retention-rules", { name: "Alt", filter: ["and.eq.city.Paris"], days: 900 })
  await until("all are compared", async () => (await call("GET", "/duplicates/status")).body.waiting === 0)
}
