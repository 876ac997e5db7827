// How values are written for people.
const numbers = new Intl.NumberFormat("en")
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" })
const moments = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
})
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })

export const number = (value: number) => numbers.format(value)
export const short = (value: number) => compact.format(value)
export const day = (seconds: number) => days.format(seconds * 1000)
export const moment = (seconds: number) => moments.format(seconds * 1000)

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]

/** `3 days ago`, `in 2 hours`. */
export function ago(seconds: number, now = Date.now() / 1000): string {
  const away = seconds - now
  const [unit, size] = STEPS.find(([, size]) => Math.abs(away) >= size) ?? (["second", 1] as const)
  if (unit === "second") return "just now"
  return relative.format(Math.round(away / size), unit)
}

/** A part of a whole, as `25 %`. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %"
  const share = (part / whole) * 100
  return `${share > 0 && share < 10 ? share.toFixed(1).replace(/\.0$/, "") : Math.round(share)} %`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`
}

/** `job_title` as `Job title`. */
export function words(name: string): string {
  const text = name.replaceAll("_", " ")
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\b(url|id)\b/g, (word) => word.toUpperCase())
}

/** Any value of a lead or an attribute as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.join(", ")
  if (typeof value === "object") return JSON.stringify(value)
  if (typeof value === "number") return String(value)
  return String(value)
}
