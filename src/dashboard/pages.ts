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
  owner?: true
}

const PAGES: readonly DashboardPage[] = [
  {
    name: "overview",
    title: t("Overview"),
    icon: "overview",
    key: "o",
    group: "work",
    load: () => import("./pages/overview.tsx"),
  },
  {
    name: "day",
    title: t("My day"),
    icon: "check",
    key: "y",
    group: "work",
    load: () => import("./pages/day.tsx"),
  },
  {
    name: "leads",
    title: t("Leads"),
    icon: "leads",
    key: "l",
    group: "work",
    load: () => import("./pages/leads.tsx"),
  },
  {
    name: "board",
    title: t("Board"),
    icon: "board",
    key: "b",
    group: "work",
    load: () => import("./pages/board.tsx"),
  },
  {
    name: "companies",
    title: t("Companies"),
    icon: "team",
    key: "m",
    group: "work",
    load: () => import("./pages/companies.tsx"),
  },
  {
    name: "duplicates",
    title: t("Duplicates"),
    icon: "duplicates",
    key: "d",
    group: "work",
    load: () => import("./pages/duplicates.tsx"),
  },
  {
    name: "activity",
    title: t("Activity"),
    icon: "activity",
    key: "a",
    group: "work",
    load: () => import("./pages/activity.tsx"),
  },
  {
    name: "scoring",
    title: t("Scoring"),
    icon: "scoring",
    key: "s",
    group: "data",
    load: () => import("./pages/scoring.tsx"),
  },
  {
    name: "import",
    title: t("Import"),
    icon: "import",
    key: "i",
    group: "data",
    load: () => import("./pages/import.tsx"),
  },
  {
    name: "forms",
    title: t("Forms"),
    icon: "forms",
    key: "f",
    group: "data",
    load: () => import("./pages/forms.tsx"),
  },
  {
    name: "do-not-contact",
    title: t("Do not contact"),
    icon: "close",
    key: "n",
    group: "data",
    load: () => import("./pages/do-not-contact.tsx"),
  },
  {
    name: "webhooks",
    title: t("Webhooks"),
    icon: "webhooks",
    key: "w",
    group: "settings",
    load: () => import("./pages/webhooks.tsx"),
  },
  {
    name: "connect",
    title: t("Connect"),
    icon: "connect",
    key: "c",
    group: "data",
    load: () => import("./pages/connect.tsx"),
  },
  {
    name: "keys",
    title: t("Keys"),
    icon: "keys",
    key: "k",
    group: "settings",
    load: () => import("./pages/keys.tsx"),
    owner: true,
  },
  {
    name: "team",
    title: t("Team"),
    icon: "team",
    key: "t",
    group: "settings",
    load: () => import("./pages/team.tsx"),
  },
  {
    name: "sessions",
    title: t("Sessions"),
    icon: "settings",
    key: "e",
    group: "settings",
    load: () => import("./pages/sessions.tsx"),
  },
  {
    name: "account",
    title: t("Account"),
    icon: "account",
    key: "u",
    group: "settings",
    load: () => import("./pages/account.tsx"),
  },
  {
    name: "privacy",
    title: t("Privacy"),
    icon: "trash",
    key: "p",
    group: "settings",
    load: () => import("./pages/privacy.tsx"),
  },
  {
    name: "attributes",
    title: t("Attributes"),
    icon: "settings",
    key: "h",
    group: "settings",
    load: () => import("./pages/attributes.tsx"),
  },
  {
    name: "templates",
    title: t("Templates"),
    icon: "forms",
    key: "x",
    group: "settings",
    load: () => import("./pages/templates.tsx"),
  },
  {
    name: "admin-log",
    title: t("Admin log"),
    icon: "activity",
    key: "v",
    group: "settings",
    load: () => import("./pages/admin-log.tsx"),
    owner: true,
  },
]

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
  return PAGES.filter(({ owner }) => !owner || isOwner.value)
}
