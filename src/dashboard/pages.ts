// Every page: where it is, what it is called, and what it needs of the service. Each is loaded when it is opened.

import type { ComponentType } from "preact"
import { place } from "./core/router.ts"
import { isOwner } from "./core/session.ts"
import { t } from "./core/text.ts"
import type { IconName } from "./parts/icons.tsx"

export interface DashboardPage {
  name: string
  title: string
  icon: IconName
  /** Goes there after `g`. */
  key: string
  group: "work" | "data" | "settings"
  load: () => Promise<{ default: ComponentType }>
  /** Shown to owners alone. */
  isOwners: boolean
}

type PageRow = readonly [
  ...[name: string, title: string, icon: IconName, key: string, group: DashboardPage["group"]],
  ...[load: DashboardPage["load"], owner?: "owner"],
]

const ROWS: readonly PageRow[] = [
  ["overview", t("Overview"), "overview", "o", "work", () => import("./pages/overview.tsx")],
  ["day", t("My day"), "check", "y", "work", () => import("./pages/day.tsx")],
  ["leads", t("Leads"), "leads", "l", "work", () => import("./pages/leads.tsx")],
  ["board", t("Board"), "board", "b", "work", () => import("./pages/board.tsx")],
  ["companies", t("Companies"), "team", "m", "work", () => import("./pages/companies.tsx")],
  ["duplicates", t("Duplicates"), "duplicates", "d", "work", () => import("./pages/duplicates.tsx")],
  ["activity", t("Activity"), "activity", "a", "work", () => import("./pages/activity.tsx")],
  ["scoring", t("Scoring"), "scoring", "s", "data", () => import("./pages/scoring.tsx")],
  ["import", t("Import"), "import", "i", "data", () => import("./pages/import.tsx")],
  ["forms", t("Forms"), "forms", "f", "data", () => import("./pages/forms.tsx")],
  ["do-not-contact", t("Do not contact"), "close", "n", "data", () => import("./pages/do-not-contact.tsx")],
  ["webhooks", t("Webhooks"), "webhooks", "w", "settings", () => import("./pages/webhooks.tsx")],
  ["connect", t("Connect"), "connect", "c", "data", () => import("./pages/connect.tsx")],
  ["keys", t("Keys"), "keys", "k", "settings", () => import("./pages/keys.tsx"), "owner"],
  ["team", t("Team"), "team", "t", "settings", () => import("./pages/team.tsx")],
  ["sessions", t("Sessions"), "settings", "e", "settings", () => import("./pages/sessions.tsx")],
  ["account", t("Account"), "account", "u", "settings", () => import("./pages/account.tsx")],
  ["privacy", t("Privacy"), "trash", "p", "settings", () => import("./pages/privacy.tsx")],
  ["attributes", t("Attributes"), "settings", "h", "settings", () => import("./pages/attributes.tsx")],
  ["templates", t("Templates"), "forms", "x", "settings", () => import("./pages/templates.tsx")],
  ["admin-log", t("Admin log"), "activity", "v", "settings", () => import("./pages/admin-log.tsx"), "owner"],
]

const PAGES: readonly DashboardPage[] = ROWS.map(([name, title, icon, key, group, load, owner]) => ({
  ...{ name, title, icon, key, group, load },
  isOwners: owner !== undefined,
}))

/** The page that the address names; the first one where it names none, undefined where there is no such page. */
export function pageHere(pages: readonly DashboardPage[] = PAGES): DashboardPage | undefined {
  const name = place.value[0] ?? pages[0]!.name
  return pages.find((page) => page.name === name)
}

const programs = new Map<DashboardPage, Promise<ComponentType>>()
const views = new Map<DashboardPage, ComponentType>()

/** Its program, fetched once; one that could not be had is fetched again when it is asked for again. */
export function programOf(page: DashboardPage): Promise<ComponentType> {
  let program = programs.get(page)
  if (!program) {
    program = page.load().then(({ default: view }) => {
      views.set(page, view)
      return view
    })
    program.catch(() => programs.delete(page))
    programs.set(page, program)
  }
  return program
}

/** The page's component, once its script is loaded. */
export const pageView = (page: DashboardPage): ComponentType | undefined => views.get(page)

/** The pages that this person has. */
export function pagesHere(): readonly DashboardPage[] {
  return PAGES.filter(({ isOwners }) => !isOwners || isOwner.value)
}
