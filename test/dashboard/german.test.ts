// The dashboard in German, in a browser.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { TABLES } from "../../src/dashboard/texts/german/tables.ts"
import { LEAD_FIELD_NAMES } from "../../src/lead/lead-fields.ts"
import { memoize } from "../../src/runtime/memoize.ts"
import { browserTest } from "../support/browser.ts"
import { until } from "../support/until.ts"
import { SOURCE } from "./source-texts.ts"
import { fillAccount, fillLeads, focusTable, openDashboard, openMenu } from "./support.ts"

/** The dashboard's pages: their names and titles in English. */
const PAGES = [
  ...readFileSync(join(SOURCE, "pages.ts"), "utf8").matchAll(/^ {2}\["([\w-]+)", t\("([^"]+)"\)/gm),
].map(([, name, title]) => ({ name: name!, title: title! }))

const GERMAN: Record<string, string> = Object.assign({}, ...TABLES)

/** Addresses, ids, names of events, of fields and of files: no words of a language. */
const CODE = /\S*(?:@|:\/\/|\w[./]\w|_)\S*|\w*\d[\w-]*/g
const wordsIn = (text: string) =>
  text
    .replaceAll(CODE, " ")
    .toLowerCase()
    .match(/\p{L}{2,}/gu) ?? []
const COUNTRIES = new Intl.DisplayNames("de", { type: "region" })
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

/** Names of things and products, of the account, and its data. */
const NAMES = `leaddb another English Deutsch Enterprise npm start serve lan rating default manual fair form Well rated
  Full Anrufen Zoé Zoe Bau Ost Ulm Torstraße Eva Klein Uwe Angebot Gruß Hallo Contact Alt
  Berlin Paris Roma Ansprechpartner verschickt Betreuer Umsatz Bemerkung Kunden Jörg Hübner viel
  Malwinen Palästina`
const GERMAN_WORDS = new Set(
  [
    ...Object.values(GERMAN),
    NAMES,
    "Jan Feb März Apr Mai Juni Juli Aug Sept Okt Nov Dez",
    ...LETTERS.flatMap((a) => LETTERS.map((b) => COUNTRIES.of(a + b) ?? "")),
  ].flatMap(wordsIn),
)

/** Texts with words that no German text has, among all that a page shows or says to those who hear it. */
async function englishOn(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts: string[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { parentElement, textContent } = walk.currentNode
      if (parentElement?.checkVisibility() && !parentElement.closest("code, pre, kbd"))
        texts.push(textContent ?? "")
    }
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name) ?? "")
    for (const { value } of document.querySelectorAll<HTMLInputElement>("input:not([type=checkbox])"))
      texts.push(value)
    // Zones of time have the names of their places.
    for (const { text } of document.querySelectorAll("option"))
      if (!/^[A-Z]\w+\//.test(text)) texts.push(text)
    return [...new Set(texts)]
  })
  return shown.filter(isEnglish)
}

/** Asked once of each text: most stand on every page. */
const isEnglish = memoize((text: string) => wordsIn(text).some((word) => !GERMAN_WORDS.has(word)))

browserTest("a browser that asks for German gets it, and keeps the language that is chosen", async () => {
  await using dashboard = await openDashboard(fillLeads, { locale: "de-DE" })
  const { page } = dashboard
  const language = () => page.evaluate(() => document.documentElement.lang)
  await dashboard.see("Neue Leads pro Tag, nach Quelle")
  expect(await language()).toBe("de")
  await openMenu(page, "Kontomenü")
  await page.getByRole("button", { name: "English" }).click()
  await dashboard.see("New leads per day, by source")
  expect(await language()).toBe("en")
  await dashboard.load("/keys")
  await dashboard.see("A key lets a program, a form or an AI client in, with the rights of its role.")
  await openMenu(page, "Account menu")
  await page.getByRole("button", { name: "Deutsch" }).click()
  await dashboard.see("Neuer Schlüssel")
})

/** What only programs read: Unix seconds, ids, words of the API, ISO stamps, objects. What is to be typed is said as it is typed. */
const RAW =
  /\b1[6-9]\d{8}\b|(?<!\/)\b(?:cl|note|mem|imp|job|key|ses|sup|seg|rule|form|wh|co|stage|tpl)_[0-9a-f]{4,}|no_mx|legitimate_interests|(?<!heute oder )\d{4}-\d\d-\d\d|\[object|\bundefined\b|\bNaN\b|W\/"/g

const MESSY = [
  "Firma;Ansprechpartner;E-Mail;Telefon;Status;Betreuer;Fällig am;Umsatz;Bewertung;Bemerkung",
  "Bau Ost;Zoé Bau;zoe@bau.example;0731 901821;Angebot verschickt;Eva Klein;24.12.2026;1.234,50;4,5;x",
  "Bau Ost;Jörg Hübner;jürgen@müller;089/12;Neu;Unbekannt;31.02.2027;viel;4,9;",
  "Bau Ost;;full@nowhere.example;;Neu;;;;;",
  ";;;;;;;;;Messe",
].join("\n")

/** Buttons that end the visit, or lead where other pages are looked at. */
const LEAVING = /^(Abmelden|English|Deutsch|Hell|Dunkel|Wie das System|Sitzung beenden|Alle anderen .*)$/

browserTest(
  "each page, menu and dialog is in German, and shows no raw value",
  async () => {
    expect(PAGES.length).toBeGreaterThan(15)
    await using dashboard = await openDashboard(fillAccount, {
      locale: "de-DE",
      viewport: { width: 1440, height: 1600 },
    })
    const { page, complaints, service } = dashboard
    const wrong = new Map<string, string>()
    const look = async (where: string) => {
      await dashboard.settled()
      for (const text of await englishOn(page)) wrong.set(text, where)
      const text = await page.evaluate(() => document.body.innerText)
      for (const { index } of text.matchAll(RAW))
        wrong.set(text.slice(Math.max(0, index - 40), index + 40), where)
    }
    const dialog = page.getByRole("dialog")
    const leave = async () => {
      for (let i = 0; i < 3 && (await dialog.count()) > 0; i++) await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
    }
    const popover = page.locator("[popover]:popover-open")
    const nameOf = async (button: Locator) =>
      ((await button.getAttribute("aria-label")) ?? (await button.innerText())).trim()
    /** Looks at a dialog, and at what it asks once it is filled in. */
    const lookOn = async (where: string) => {
      await look(where)
      const goOn = dialog.getByRole("button", { name: "Weiter", exact: true })
      if ((await goOn.count()) === 0) return
      for (const input of await dialog.locator("input[required], textarea[required]").all())
        await input.fill("x")
      await goOn.press("Enter")
      await look(`${where}, Weiter`)
    }
    /** Presses each button once, those of menus as well, and looks at what they open. */
    const openAll = async (where: string, within: string, open: () => Promise<unknown>) => {
      await open()
      await look(where)
      const seen = new Set<string>()
      const unseen = async (buttons: Locator) => {
        for (const button of await buttons.all()) {
          const name = await nameOf(button)
          if (seen.has(name) || LEAVING.test(name)) continue
          seen.add(name)
          return { button, name }
        }
        return undefined
      }
      for (let i = 0; i < 80; i++) {
        const next = await unseen(page.locator(`${within} button:enabled:visible`))
        if (!next) return
        const before = page.url()
        const again = async () => {
          await leave()
          if (page.url() !== before || (await page.locator(within).count()) === 0) await open()
        }
        await next.button.press("Enter")
        await lookOn(`${where}, ${next.name}`)
        while ((await popover.count()) > 0) {
          const item = await unseen(popover.locator("button:enabled:visible"))
          if (!item) break
          await item.button.press("Enter")
          await lookOn(`${where}, ${next.name}, ${item.name}`)
          await again()
          await page
            .locator(`${within} button:visible`)
            .and(page.getByRole("button", { name: next.name, exact: true }))
            .first()
            .press("Enter")
          if ((await popover.count()) === 0) await page.keyboard.press("Enter")
        }
        await again()
      }
    }
    for (const { name, title } of PAGES) {
      await openAll(name, "main", async () => {
        await dashboard.go(`/${name}`)
        await until(`${name} has its title`, async () => (await page.title()).startsWith(GERMAN[title]!))
        await page.getByRole("main").getByRole("heading").first().waitFor()
      })
    }
    await openAll("bulk", ".bulk", async () => {
      await dashboard.load("/leads")
      await focusTable(page)
      await page.keyboard.press("x")
      await page.locator(".bulk").waitFor()
    })
    const [lead] = (await service.call("GET", "/leads?q=Full")).body.leads
    for (const path of [
      ...["duplicates?view=groups", "duplicates?view=learned", "leads?group=status"],
      `leads/${lead.id}`,
      `companies/${lead.company_id}`,
    ])
      await openAll(path, "main", async () => {
        await dashboard.go(`/${path}`)
        await page.getByRole("main").getByRole("heading").first().waitFor()
        await dashboard.settled()
      })
    await openAll("import of a file", "main", async () => {
      await dashboard.load("/import")
      await page.locator("input[type=file]").setInputFiles({
        name: "Kunden.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(MESSY),
      })
      await page.getByRole("button", { name: /importieren$/ }).waitFor()
    })
    await dashboard.go(`/leads?columns=${LEAD_FIELD_NAMES.filter((field) => field !== "id").join(",")}`)
    await page.getByRole("columnheader", { name: "Zuletzt kontaktiert" }).waitFor()
    const cut = page
      .getByRole("columnheader")
      .evaluateAll((heads) =>
        heads.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent),
      )
    expect(await cut).toEqual([])
    const columns = "name,email_status,owner,next_step_at,lawful_basis,consent_at,rating,last_touched_at"
    for (const filter of ["and.gte.next_step_at.1700000000", `and.eq.owner.${lead.owner}`]) {
      await dashboard.go(`/leads?columns=${columns}&filter=${filter}`)
      await page.getByRole("grid").getByRole("row").nth(1).waitFor()
      await look(filter)
    }
    for (const text of ["4,5", "unzustellbar"])
      await page.getByRole("gridcell", { name: text, exact: true }).waitFor()
    for (const key of ["?", "Control+k"]) {
      await page.locator("body").press(key)
      await look(key)
      await leave()
    }
    expect([...wrong]).toEqual([])
    // The service refuses some of it.
    expect(complaints.filter((text) => !text.startsWith("Failed to "))).toEqual([])
  },
  300_000,
)

browserTest("a lead is made, changed and deleted in German", async () => {
  await using dashboard = await openDashboard(async () => {}, { locale: "de-AT", path: "/leads" })
  const { page } = dashboard
  await page.getByRole("button", { name: "Neuer Lead" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Neuer Lead" })
  await dialog.getByLabel("Name").fill("Gasthof Post")
  await dialog.getByLabel("Quelle").fill("Messe")
  await dialog.getByRole("button", { name: "Lead anlegen" }).click()
  await dashboard.see("Gasthof Post angelegt")
  await dashboard.see("1 Lead")
})

browserTest("what the service refuses is told in German", async () => {
  await using dashboard = await openDashboard(
    async ({ call }) => void (await call("POST", "/members", { name: "Mia" })),
    { locale: "de-DE", path: "/team" },
  )
  const { page } = dashboard
  await page.getByRole("button", { name: "Einladen" }).click()
  await page.getByRole("dialog").getByLabel("Name").fill("Mia")
  await page.getByRole("button", { name: "Link erstellen" }).click()
  await dashboard.see(/^Ein Mitglied heißt schon „Mia“ \(Anfrage/)
  await dashboard.load("/scoring")
  await page.getByRole("button", { name: "Neue Regel" }).first().click()
  await page.getByRole("dialog").getByLabel("Formel").fill("rating >")
  await dashboard.see('nach ">" wird an Stelle 9 ein Wert erwartet')
})
