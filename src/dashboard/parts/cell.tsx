import { fieldText } from "../core/field-text.ts"
import { type Field, leadValue } from "../core/filters.ts"
import { ago, day } from "../core/format.ts"
import { href } from "../core/router.ts"
import { language, t } from "../core/text.ts"
import type { Lead } from "../core/types.ts"
import { Score, StatusBadge, TagList } from "./bits.tsx"

interface CellProps {
  lead: Lead
  field: Field
  /** Without links, within another. */
  isPlain?: boolean
}

/** The contents of a table's cell. */
export function LeadCell({ lead, field: { name, kind }, isPlain = false }: CellProps) {
  const value = leadValue(lead, name)
  if (value === null || value === undefined || value === "") return null
  if (name === "score") return <Score value={value as number} />
  if (kind === "status") return <StatusBadge value={value as string} />
  if (name === "company_id" && !isPlain)
    return <a href={href(`companies/${value}`)}>{fieldText(name, value)}</a>
  if (kind === "tags") return <TagList tags={value as string[]} />
  if (kind === "time") return <time title={day(value as number)}>{ago(value as number)}</time>
  return <>{fieldText(name, value)}</>
}

/** Where a text leads when it is followed; undefined for what is no address. */
export function linkOf(name: string, value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined
  if (name === "email") return `mailto:${encodeURIComponent(value).replace("%40", "@")}`
  if (name === "phone") return `tel:${value.replace(/[^\d+]/g, "")}`
  if (name !== "website" && name !== "linkedin_url" && name !== "logo_url") return undefined
  const url = URL.parse(/^[a-z]+:\/\//i.test(value) ? value : `https://${value}`)
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url.href : undefined
}

/** Links that call a lead and write to it, as far as it has a phone and an email. */
export function ContactLinks({ lead: { phone, email } }: { lead: Lead }) {
  const links = [
    [t("Call"), linkOf("phone", phone)],
    [t("Email"), linkOf("email", email)],
  ] as const
  return (
    <>
      {links.map(
        ([label, link]) =>
          link && (
            <a key={label} class="button small" href={link}>
              {label}
            </a>
          ),
      )}
    </>
  )
}

/** A typed text as the value of a field. Throws an Error that says what would be right. */
export function parseValue({ kind, label }: Field, text: string): unknown {
  const typed = text.trim()
  if (kind === "tags") return tagsIn(typed)
  if (typed === "") return null
  if (kind === "time") {
    const at = timeIn(typed)
    if (Number.isNaN(at)) throw new Error(t("{label} must be a date", { label }))
    return Math.floor(at / 1000)
  }
  if (kind !== "number") return typed
  const value = numberIn(typed)
  if (Number.isNaN(value)) throw new Error(t("{label} must be a number", { label }))
  return value
}

/** What is typed with commas between. */
export const tagsIn = (typed: string): string[] =>
  typed
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean)

const [DECIMAL, THOUSANDS] = language === "de" ? [",", "."] : [".", ","]
const GROUPED = new RegExp(`^[+-]?\\d{1,3}(\\${THOUSANDS}\\d{3})+(\\${DECIMAL}\\d+)?$`)

/** A typed number: with the language's sign for decimals or the other one, thousands apart or not. NaN for what is none. */
export function numberIn(typed: string): number {
  const plain = GROUPED.test(typed) ? typed.replaceAll(THOUSANDS, "") : typed
  return Number(plain.replace(",", "."))
}

/** Milliseconds of a typed time: also `24.12.2026` and `24.12.26 14:30`. NaN for what is none. */
function timeIn(typed: string): number {
  const parts = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)(?:,? +(\d{1,2}):(\d\d))?$/.exec(typed)
  if (!parts) return Date.parse(typed)
  const [, day = "", month = "", year = "", hour = "0", minute = "0"] = parts
  const at = new Date(
    Number(year.padStart(4, "20")),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
  )
  return at.getDate() === Number(day) ? at.getTime() : Number.NaN
}

/** A time as `datetime-local` takes it, where the person is. */
function localTime(seconds: unknown): string {
  if (typeof seconds !== "number") return ""
  const at = new Date(seconds * 1000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** A value as it stands in an input. */
export function editable(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "number") return String(value).replace(".", DECIMAL)
  return Array.isArray(value) ? value.join(", ") : String(value)
}

/** A field's value as its editor begins with. */
export function inputText({ kind }: Field, value: unknown): string {
  return kind === "time" ? localTime(value) : editable(value)
}
