// Fields of a lead in the text of a template: `{{name}}`, `{{attr:seats}}`, `{{sender}}`.

import type { Json, Lead } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES, LEAD_FIELDS, type LeadFieldName } from "../../lead/lead-fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import { closest, excerpt, grouped } from "../../text/text.ts"
import { dayText } from "../../text/time-zone.ts"

const PLACE = /\{\{([^{}]*)\}\}/g
/** Who writes. */
const SENDER = "sender"
const ATTRIBUTE = "attr:"
const VALID: readonly string[] = [...LEAD_FIELD_NAMES, SENDER]
/** Characters of a text with its values. */
const RENDERED_MAX = 100_000

/** Throws `bad_request` for a text that names what is no field. `where` is the text's name. */
export function checkPlaces(where: string, text: string): void {
  for (const [place, name = ""] of text.matchAll(PLACE)) {
    const field = name.trim()
    if (VALID.includes(field) || (field.startsWith(ATTRIBUTE) && field.length > ATTRIBUTE.length)) continue
    const near = closest(field, VALID)
    const hint = near ? ` Did you mean {{${near}}}?` : ""
    throw badRequest(
      `${where} has ${excerpt(place)}, which is no field of a lead.${hint} Valid: ${VALID.join(", ")}, ${ATTRIBUTE}NAME`,
    )
  }
}

/** What the fields of a text stand for. */
export interface Values {
  lead: Lead
  /** The name of the one who writes; undefined for a key. */
  sender: string | undefined
  /** The name of a member by its id. */
  memberName(id: string): string | undefined
  /** The time zone of days. */
  zone: string
}

/**
 * A text with the values of a lead. The names of fields without a value are added to `missing`. Throws `bad_request` for
 * what gets too long.
 */
export function rendered(text: string, values: Values, missing: Set<string>): string {
  let room = RENDERED_MAX - text.length
  return text.replace(PLACE, (_, name: string) => {
    const field = name.trim()
    const value = valueAt(field, values)
    if (value === "") missing.add(field)
    room -= value.length
    if (room < 0)
      throw badRequest(
        `With the values of this lead the template is longer than ${grouped(RENDERED_MAX)} characters`,
      )
    return value
  })
}

function valueAt(field: string, { lead, sender, memberName, zone }: Values): string {
  if (field === SENDER) return sender ?? ""
  if (field.startsWith(ATTRIBUTE)) {
    const name = field.slice(ATTRIBUTE.length)
    return toldValue(lead.attributes.find((one) => one.name === name)?.value)
  }
  const { kind } = LEAD_FIELDS[field as LeadFieldName]
  const value = (lead as unknown as Record<string, Json>)[field]
  if (field === "owner") return memberName(String(value)) ?? toldValue(value)
  if (typeof value === "number" && (kind === "time" || kind === "moment")) return dayText(zone, value)
  return toldValue(value)
}

function toldValue(value: Json | undefined): string {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(toldValue).join(", ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** The address that opens a mail in the program of a person's mails. */
export function mailto(to: string, subject: string, body: string): string {
  const lines = encodeURIComponent(body.replaceAll(/\r?\n/g, "\r\n"))
  return `mailto:${encodeURIComponent(to).replace("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${lines}`
}
