// Links of cells: what one leads to counts where its column is for that, and its text is none.
import type { Linked } from "../header.ts"
import { elements, withoutEntities } from "./xml.ts"

/** What a column may be for, by what its values look like. */
export const LINKED = {
  email: /\S@\S/,
  website: /^(?:https?:\/\/|www\.)\S|^(?:[^\s@./?#]+\.)+\p{L}{2,}(?:[/?#]\S*)?$/iu,
  linkedin_url: /linkedin\.com\//i,
} satisfies Record<Linked, RegExp>

/** The value that a cell has by its link, for a column that is for `linked`. */
export function linkedValue(value: unknown, target: string | undefined, linked: Linked): unknown {
  if (target === undefined || (typeof value === "string" && LINKED[linked].test(value.trim()))) return value
  const address = /^mailto:([^?]*)/i.exec(target)?.[1]
  if (linked === "email") return address?.includes("@") ? decoded(address) : value
  return /^https?:/i.test(target) && LINKED[linked].test(target) ? target : value
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const HYPERLINK = /^\s*(?:_xlfn\.)?HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?[,;)]/i

/** Target and text of the formula of a cell that is nothing but `HYPERLINK` of texts. */
export function linkFormula(inner: string): { target: string; text: string } | undefined {
  return linkIn(withoutEntities(elements(inner, "f").next().value?.inner ?? ""))
}

/** The same of a formula without its equals sign. */
export function linkIn(formula: string): { target: string; text: string } | undefined {
  const [, target, text = target] = HYPERLINK.exec(formula) ?? []
  if (target === undefined || text === undefined) return undefined
  return { target: target.replaceAll('""', '"'), text: text.replaceAll('""', '"') }
}
