// How values are written for people. `Intl` writes the same, but to load its data costs a page 40 ms of its start.
import { language, t } from "./text.ts"

const isGerman = language === "de"
const MONTHS = (
  isGerman
    ? "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."
    : "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
).split(" ")
let compact: Intl.NumberFormat | undefined

/** `1,234.5`, in German `1.234,5`, with three digits behind the point at most. */
export function formatNumber(value: number): string {
  const [whole = "", part] = String(Math.round(value * 1_000) / 1_000).split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, isGerman ? "." : ",")
  return part === undefined ? grouped : `${grouped}${isGerman ? "," : "."}${part}`
}

/** `1.2K`. */
export function short(value: number): string {
  compact ??= new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 })
  return compact.format(value)
}

/** `Nov 23, 2026`, in German `23. Nov. 2026`, where the person is. */
export function day(seconds: number): string {
  const at = new Date(seconds * 1000)
  const month = MONTHS[at.getMonth()]
  return isGerman
    ? `${at.getDate()}. ${month} ${at.getFullYear()}`
    : `${month} ${at.getDate()}, ${at.getFullYear()}`
}

/** The same of a text such as `2026-11-23`, with a time or without; another text stays. */
export function dayText(date: string): string {
  const at = Date.parse(date.length > 10 ? date : `${date}T12:00`)
  return Number.isNaN(at) ? date : day(at / 1000)
}

/** `Nov 23, 2026, 14:05`; at midnight, as of dates without a time, the day alone. */
export function moment(seconds: number): string {
  const at = new Date(seconds * 1000)
  const two = (part: number) => String(part).padStart(2, "0")
  if (at.getHours() + at.getMinutes() + at.getSeconds() === 0) return day(seconds)
  return `${day(seconds)}, ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Seconds of each unit, and what one and several of them ago and from now are called. */
const STEPS = [
  [365 * 86_400, t("last year"), t("next year"), t("{count} years ago"), t("in {count} years")],
  [30 * 86_400, t("last month"), t("next month"), t("{count} months ago"), t("in {count} months")],
  [7 * 86_400, t("last week"), t("next week"), t("{count} weeks ago"), t("in {count} weeks")],
  [86_400, t("yesterday"), t("tomorrow"), t("{count} days ago"), t("in {count} days")],
  [3_600, t("1 hour ago"), t("in 1 hour"), t("{count} hours ago"), t("in {count} hours")],
  [60, t("1 minute ago"), t("in 1 minute"), t("{count} minutes ago"), t("in {count} minutes")],
] as const

/** `3 days ago`, `in 2 hours`. */
export function ago(seconds: number, now = Date.now() / 1000): string {
  const away = seconds - now
  const step = STEPS.find(([size]) => Math.abs(away) >= size)
  if (!step) return t("just now")
  const [size, last, next, past, future] = step
  const count = Math.round(away / size)
  if (Math.abs(count) === 1) return count < 0 ? last : next
  return (count < 0 ? past : future).replace("{count}", formatNumber(Math.abs(count)))
}

/** A part of a whole, as `25 %`, which no line breaks. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0\u00a0%"
  const share = (part / whole) * 100
  const rounded = share > 0 && share < 10 ? Number(share.toFixed(1)) : Math.round(share)
  return `${formatNumber(rounded)}\u00a0%`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${t(count === 1 ? one : many)}`
}

/** `job_title` as `Job title`, in the person's language where its table has it. */
export function words(name: string): string {
  const text = name.replaceAll("_", " ")
  return t(
    (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\b(url|id)\b/g, (word) => word.toUpperCase()),
  )
}

/** A role as what a person is. */
export function asRole(role: string): string {
  return role === "viewer" ? t("a viewer") : role === "editor" ? t("an editor") : t("an owner")
}

/** A role's name. "Owner" by itself is a lead's, which is another word in other languages. */
export const roleName = (role: string) => words(asRole(role).replace(/^an? /, ""))

/** Any value of a lead or an attribute as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(shownItem).join(", ")
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${shown(part)}`)
      .join(", ")
  if (typeof value === "number") return isGerman ? String(value).replace(".", ",") : String(value)
  return String(value)
}

/** An item of a list: of attributes `name: value`, of emails and phones the value. */
function shownItem(item: unknown): string {
  const { name, value } = (item ?? {}) as { name?: string; value?: unknown }
  return value === undefined ? shown(item) : name === undefined ? shown(value) : `${name}: ${shown(value)}`
}

interface Reason {
  field: string
  text: string
}

/** A number, or a text in quotes. */
const IN_REASON = /\d[\d.]*|"[^"]*"/

/** A reason part by part in the person's language; names of attributes stay. */
function told({ field, text }: Reason): string {
  if (field === "attributes")
    return text.replace(/(^|; )(same|nearly the same|other)(?= )/g, (_, before, word) => before + t(word))
  return text
    .split(/(, | \(|\)$)/)
    .map((part) => {
      const [value] = IN_REASON.exec(part) ?? []
      if (value === undefined) return t(part)
      return t(part.replace(value, "{value}"), { value: value[0] === '"' ? value : shown(Number(value)) })
    })
    .join("")
}

/** What was found of a pair, without what holds for any pair. */
export const foundIn = <T extends Reason>(reasons: readonly T[]): T[] =>
  reasons.filter(({ field }) => field !== "base").map((reason) => ({ ...reason, text: told(reason) }))

export const reasonText = (reasons: readonly Reason[]): string =>
  foundIn(reasons)
    .map(({ text }) => text)
    .join(", ")
