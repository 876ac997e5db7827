import { type Field, fieldOf } from "../core/filters.ts"
import { ago, day, formatNumber, moment, shown } from "../core/format.ts"
import { leadValue } from "../core/lead-values.ts"
import { memberName } from "../core/members.ts"
import { statusName } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import type { Lead } from "../core/types.ts"
import { Score, StatusBadge, TagList } from "./bits.tsx"

/** Words of the API as people say them, by field. */
export const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  email_status: {
    ok: t("takes mail"),
    role: t("shared mailbox"),
    disposable: t("disposable"),
    no_mx: t("domain takes no mail"),
    bounced: t("bounced"),
    unknown: t("not checked"),
  },
  lawful_basis: {
    consent: t("consent"),
    contract: t("contract"),
    legal_obligation: t("legal obligation"),
    vital_interests: t("vital interests"),
    public_task: t("public task"),
    legitimate_interests: t("legitimate interests"),
  },
}

/** A field's value as text. */
export function fieldText(name: string, value: unknown): string {
  const { kind } = fieldOf(name)
  if (typeof value === "string" && kind === "status") return statusName(value)
  if (typeof value === "string" && name === "owner") return memberName(value)
  if (typeof value === "number" && kind === "time") return moment(value)
  return WORDS[name]?.[value as string] ?? shown(value)
}

/** The contents of a table's cell. */
export function LeadCell({ lead, field: { name, kind } }: { lead: Lead; field: Field }) {
  const value = leadValue(lead, name)
  if (value === null || value === undefined || value === "") return null
  if (name === "score") return <Score value={value as number} />
  if (kind === "status") return <StatusBadge value={value as string} />
  if (name === "owner") return <>{memberName(value as string)}</>
  if (WORDS[name]) return <>{WORDS[name][value as string] ?? value}</>
  if (kind === "tags") return <TagList tags={value as string[]} />
  if (kind === "time") return <time title={day(value as number)}>{ago(value as number)}</time>
  if (kind === "number") return <>{name === "review_count" ? formatNumber(value as number) : shown(value)}</>
  return <>{shown(value)}</>
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

/** Fields that only the service sets. */
export const READ_ONLY: ReadonlySet<string> = new Set([
  "score",
  "created_at",
  "updated_at",
  "last_interaction_at",
  "last_note_at",
  "note_count",
  "last_contacted_at",
  "last_touched_at",
  "email_status",
  "id",
])

/** A typed text as the value of a field. Throws an Error that says what would be right. */
export function parseValue({ kind, label }: Field, text: string): unknown {
  const typed = text.trim()
  if (kind === "tags")
    return typed === ""
      ? []
      : typed
          .split(",")
          .map((tag) => tag.trim())
          .filter(Boolean)
  if (typed === "") return null
  if (kind === "time") {
    const at = Date.parse(typed)
    if (Number.isNaN(at)) throw new Error(t("{label} must be a date", { label }))
    return Math.floor(at / 1000)
  }
  if (kind !== "number") return typed
  const value = Number(typed.replace(",", "."))
  if (Number.isNaN(value)) throw new Error(t("{label} must be a number", { label }))
  return value
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
  return Array.isArray(value) ? value.join(", ") : String(value)
}

/** A field's value as its editor begins with. */
export function inputText({ kind }: Field, value: unknown): string {
  return kind === "time" ? localTime(value) : editable(value)
}
