// How values are written for people. `Intl` writes the same, but to load its data costs a page 40 ms of its start.
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
let compact: Intl.NumberFormat | undefined

/** `1,234.5`, with three digits behind the point at most. */
export function formatNumber(value: number): string {
  const [whole = "", part] = String(Math.round(value * 1_000) / 1_000).split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  return part === undefined ? grouped : `${grouped}.${part}`
}

/** `1.2K`. */
export function short(value: number): string {
  compact ??= new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
  return compact.format(value)
}

/** `Nov 23, 2026`, where the person is. */
export function day(seconds: number): string {
  const at = new Date(seconds * 1000)
  return `${MONTHS[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}`
}

/** `Nov 23, 2026, 14:05`. */
export function moment(seconds: number): string {
  const at = new Date(seconds * 1000)
  const two = (part: number) => String(part).padStart(2, "0")
  return `${day(seconds)}, ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The names of the units, their seconds, and what one of them ago and from now is called. */
const STEPS = [
  ["year", 365 * 86_400, "last year", "next year"],
  ["month", 30 * 86_400, "last month", "next month"],
  ["week", 7 * 86_400, "last week", "next week"],
  ["day", 86_400, "yesterday", "tomorrow"],
  ["hour", 3_600, "1 hour ago", "in 1 hour"],
  ["minute", 60, "1 minute ago", "in 1 minute"],
] as const

/** `3 days ago`, `in 2 hours`. */
export function ago(seconds: number, now = Date.now() / 1000): string {
  const away = seconds - now
  const step = STEPS.find(([, size]) => Math.abs(away) >= size)
  if (!step) return "just now"
  const [unit, size, last, next] = step
  const count = Math.round(away / size)
  if (Math.abs(count) === 1) return count < 0 ? last : next
  return count < 0 ? `${formatNumber(-count)} ${unit}s ago` : `in ${formatNumber(count)} ${unit}s`
}

/** A part of a whole, as `25 %`, which no line breaks. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0\u00a0%"
  const share = (part / whole) * 100
  return `${share > 0 && share < 10 ? share.toFixed(1).replace(/\.0$/, "") : Math.round(share)}\u00a0%`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
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
