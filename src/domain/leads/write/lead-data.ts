// Leads as values: the fields that clients set, and how changes apply to them.

import { disposableEmailBlocklistSet } from "disposable-email-domains-js"
import { CONTACTS, contactsOf, settleContacts } from "../../../lead/contacts.ts"
import type { EmailStatus } from "../../../lead/email-status.ts"
import {
  ATTRIBUTES_MAX,
  type AttributeInput,
  type LeadChanges,
  type LeadInput,
} from "../../../lead/fields.ts"
import { DATA_FIELDS, DATA_NUMBER_FIELDS, type Json, type LeadData, TEXT_FIELDS } from "../../../lead/lead.ts"
import { type LeadFieldName, leadField } from "../../../lead/lead-fields.ts"
import { isMailHost, isSharedMailbox } from "../../../matching/web.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { Context } from "../../operation.ts"

/** Creates ids. */
interface NewIds {
  newId(prefix?: string): string
}

/** The value of a field that was not set. */
function emptyValue(name: LeadFieldName) {
  const { kind } = leadField(name)
  return kind === "status" ? "new" : kind === "tags" ? [] : kind === "time" ? 0 : null
}
const BLANK = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, emptyValue(name)])),
  attributes: [],
} as unknown as LeadData
/** The fields that clients set, with their empty values. */
const SETTABLE: ReadonlyMap<string, unknown> = new Map(
  DATA_FIELDS.filter((name) => !leadField(name).readOnly).map((name) => [name, emptyValue(name)]),
)

/** An empty lead. */
export const blankLead = (): LeadData => ({ ...BLANK })

/** A pushed lead, without an id and attributes. */
export function newLead({ now }: Context, input: LeadInput): LeadData {
  const lead = withChanges(BLANK, input)
  lead.created_at = now
  lead.updated_at = now
  lead.last_interaction_at = now
  return lead
}

/** The lead with changes of standard fields; read-only ones are ignored. */
export function withChanges(before: LeadData, changes: Partial<LeadChanges> | LeadInput): LeadData {
  const after = { ...before }
  const fields = after as unknown as Record<string, unknown>
  // Loops over the sent fields only: a loop over all costs a microsecond more a lead.
  for (const name in changes) {
    const value = changes[name as keyof LeadChanges]
    if (value === undefined || !SETTABLE.has(name)) continue
    fields[name] = value === null || value === "" ? SETTABLE.get(name) : value
  }
  if (changes.emails !== undefined || changes.phones !== undefined || before.emails || before.phones)
    settleContacts(before, after, changes)
  // A stage that was not set with it belongs to another status.
  if (after.stage !== null && changes.stage === undefined && after.status !== before.status)
    after.stage = null
  if (after.email !== before.email) after.email_status = emailStatusOf(after.email)
  return after
}

/** Adds attributes, or gives those of the same names their new types and values. Throws `bad_request` when full. */
export function withAttributes(
  list: LeadData["attributes"],
  all: readonly AttributeInput[],
  ids: NewIds,
): LeadData["attributes"] {
  const attributes = [...list]
  for (const { name, type, value } of all) {
    const at = attributes.findIndex((attribute) => attribute.name === name)
    if (at >= 0) attributes[at] = { ...attributes[at]!, type, value }
    else if (attributes.length >= ATTRIBUTES_MAX)
      throw badRequest(`A lead keeps at most ${ATTRIBUTES_MAX} attributes`)
    else attributes.push({ id: ids.newId(), name, type, value })
  }
  return attributes
}

/** True when a structural field, a tag or an attribute differs; the timestamps do not count. */
export function differs(before: LeadData, after: LeadData): boolean {
  return (
    TEXT_FIELDS.some((field) => before[field] !== after[field]) ||
    DATA_NUMBER_FIELDS.some((field) => before[field] !== after[field]) ||
    !isSame(before.tags, after.tags) ||
    !isSame(before.emails, after.emails) ||
    !isSame(before.phones, after.phones) ||
    !isSame(before.attributes, after.attributes)
  )
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}

// What is known of a lead's email by looking at it: its form, who reads it, and where it is.

/** Some 9,000 domains, read at the first email. */
let domains: ReadonlySet<string> | undefined

/** Whether a domain in lower case, or one above it, is of throw-away addresses. */
function isDisposable(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  for (let name = domain; ; ) {
    if (domains.has(name)) return true
    const dot = name.indexOf(".")
    if (dot < 0 || dot === name.lastIndexOf(".")) return false
    name = name.slice(dot + 1)
  }
}

const LENGTH_MAX = 254
const LOCAL_MAX = 64
const LABELS_MAX = 20

/** The domain of a well-formed address (RFC 5321, without quoted mailboxes), in lower case. */
export function mailDomain(email: string): string | undefined {
  const at = email.indexOf("@")
  if (email.length > LENGTH_MAX || at < 1 || at > LOCAL_MAX) return undefined
  const local = email.slice(0, at)
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return undefined
  const domain = email.slice(at + 1).toLowerCase()
  const labels = domain.split(".")
  const isDomain =
    labels.length > 1 && labels.length <= LABELS_MAX && labels.every(isLabel) && !/^\d/.test(labels.at(-1)!)
  return isDomain ? domain : undefined
}

function isLabel(label: string): boolean {
  const isPlain = /^[a-z0-9-]{1,63}$/.test(label) || /^[\p{L}\p{M}\p{N}-]{1,63}$/u.test(label)
  return isPlain && !label.startsWith("-") && !label.endsWith("-")
}

/** The status of an email that nothing else is known of. */
export function emailStatusOf(email: string | null): EmailStatus | null {
  if (email === null) return null
  const domain = mailDomain(email)
  if (domain === undefined) return "unknown"
  if (isDisposable(domain)) return "disposable"
  const local = email.slice(0, email.indexOf("@")).toLowerCase()
  const plus = local.indexOf("+")
  if (isSharedMailbox(plus < 0 ? local : local.slice(0, plus))) return "role"
  return isMailHost(domain) ? "ok" : "unknown"
}

const SET_FIELDS = DATA_FIELDS.filter((name) => !leadField(name).readOnly)

/** Fields that clients set and attributes (`attr:NAME`) that differ between two states of a lead: `[before, after]`. */
export function changesBetween(before: LeadData, after: LeadData): Record<string, [Json, Json]> {
  const changes: Record<string, [Json, Json]> = {}
  const note = (name: string, old: Json, now: Json) => {
    if (old !== now && JSON.stringify(old) !== JSON.stringify(now)) changes[name] = [old, now]
  }
  for (const name of SET_FIELDS) note(name, before[name] as Json, after[name] as Json)
  for (const [list] of CONTACTS)
    if (before[list] || after[list])
      note(list, contactsOf(before, list) as unknown as Json, contactsOf(after, list) as unknown as Json)
  const old = new Map(before.attributes.map(({ name, value }) => [name, value]))
  for (const { name, value } of after.attributes) note(`attr:${name}`, old.get(name) ?? null, value)
  const there = new Set(after.attributes.map(({ name }) => name))
  for (const [name, value] of old) if (!there.has(name)) note(`attr:${name}`, value, null)
  return changes
}
