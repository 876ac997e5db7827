// Tables that are derived from leads: each is kept in step by a projection of its own, which an engine calls with every
// change of a lead.

import { CONTACTS, type ContactField } from "../../../lead/contacts.ts"
import type { Attribute, LeadData } from "../../../lead/lead.ts"
import { emailText } from "../../../text/email-key.ts"
import { phoneNumber } from "../../../text/phone.ts"
import { fold, phoneKey } from "../../../text/text.ts"
import { type AttributeIndexRow, attributeRows } from "../../sql/schema/lead-columns.ts"

/** A lead that is created, changed or removed. */
export interface LeadChange {
  account: number
  ref: number
  /** Undefined when the lead is created. */
  before: LeadData | undefined
  /** Undefined when it is removed. */
  after: LeadData | undefined
  /** Bytes by which the lead, with its notes when it is removed, grows. */
  bytes: number
}

/** Writes what a change of a lead changes in a table. */
export type Projection = (change: LeadChange) => void

/** The folded tags that a change takes from a lead and gives it. */
export function tagChanges({
  before,
  after,
}: LeadChange): { dropped: string[]; added: string[] } | undefined {
  const old = before?.tags ?? []
  const now = after?.tags ?? []
  if (old.length === 0 && now.length === 0) return undefined
  const had = new Set(old.map(fold))
  const has = new Set(now.map(fold))
  return { dropped: [...had].filter((tag) => !has.has(tag)), added: [...has].filter((tag) => !had.has(tag)) }
}

interface AttributeChanges {
  /** Names of attributes whose rows go. */
  dropped: string[]
  added: (AttributeIndexRow & Pick<Attribute, "name" | "type">)[]
}

/** The index rows that a change of a lead's attributes drops and adds; those of a changed attribute are dropped first. */
export function attributeChanges({ before, after }: LeadChange): AttributeChanges | undefined {
  const old = before?.attributes ?? []
  const now = after?.attributes ?? []
  if (old.length === 0 && now.length === 0) return undefined
  const had = new Map(old.map((attribute) => [attribute.name, JSON.stringify(attribute)]))
  const dropped = new Set(had.keys())
  const added: AttributeChanges["added"] = []
  for (const attribute of now) {
    const { name, type } = attribute
    const was = had.get(name)
    if (was !== undefined && was === JSON.stringify(attribute)) dropped.delete(name)
    else for (const row of attributeRows(attribute)) added.push({ ...row, name, type })
  }
  return { dropped: [...dropped], added }
}

/** A row of an email or phone besides the first, or of the only one where more is kept of it than its value. */
interface ContactRow {
  kind: ContactField
  item: number
  /** Folded. */
  text: string
  /** Of a phone as in `LeadKeys`. */
  key: string | null
  number: string | null
}

/** The rows of a lead's lists of emails and phones on a change of them; undefined where they stay. */
export function contactChange(
  { before, after }: LeadChange,
  defaultCountry: () => string | null,
): { had: boolean; rows: ContactRow[] } | undefined {
  if (!before?.emails && !before?.phones && !after?.emails && !after?.phones) return undefined
  const had = before !== undefined && hasLists(before)
  if (!after) return { had, rows: [] }
  const country = hasLists(after) ? defaultCountry() : null
  const rows = CONTACTS.flatMap(([list, kind]) =>
    (after[list] ?? []).slice(after[list]?.length === 1 ? 0 : 1).map(({ value }, item): ContactRow => {
      const phone = kind === "phone"
      const number = phone ? phoneNumber(value, after.country, country) : null
      return {
        kind,
        item,
        text: phone ? fold(value) : emailText(value),
        key: phone ? (phoneKey(value) ?? null) : null,
        number,
      }
    }),
  )
  return { had, rows }
}

const hasLists = ({ emails, phones }: LeadData) => emails !== undefined || phones !== undefined

interface Place {
  latitude: number
  longitude: number
}

/** Where a lead was and is, on a change of that; null for nowhere. */
export function placeChange({
  before,
  after,
}: LeadChange): { was: Place | null; is: Place | null } | undefined {
  const was = placeOf(before)
  const is = placeOf(after)
  if (was?.latitude === is?.latitude && was?.longitude === is?.longitude) return undefined
  return { was, is }
}

function placeOf(lead: LeadData | undefined): Place | null {
  if (!lead || lead.latitude === null || lead.longitude === null) return null
  return { latitude: lead.latitude, longitude: lead.longitude }
}
