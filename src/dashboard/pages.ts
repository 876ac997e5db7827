// Every page: where it is, what it is called, and what it needs of the service. Each is loaded when it is opened.
import type { ComponentType } from "preact"
import { can } from "./core/api.ts"
import { isOwner } from "./core/session.ts"
import type { IconName } from "./parts/icons.tsx"

export interface Page {
  name: string
  title: string
  icon: IconName
  /** Goes there after `g`. */
  key: string
  group: "work" | "data" | "settings"
  load: () => Promise<{ default: ComponentType }>
  /** The route without which it has nothing to show. */
  needs?: string
  /** Shown to owners alone. */
  owner?: true
}

export const PAGES: readonly Page[] = [
  {
    name: "leads",
    title: "Leads",
    icon: "leads",
    key: "l",
    group: "work",
    load: () => import("./pages/leads.tsx"),
  },
]

/** The pages that this service and this person have. */
export function pagesHere(): readonly Page[] {
  return PAGES.filter(({ needs, owner }) => (needs === undefined || can(needs)) && (!owner || isOwner.value))
}
