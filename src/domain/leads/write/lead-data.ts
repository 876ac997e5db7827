// Leads as values: the fields that clients set, how changes apply to them, and how a pushed lead is merged into one.

import { isDeepStrictEqual } from "node:util"
import { disposableEmailBlocklistSet } from "disposable-email-domains-js"
import * as v from "valibot"
import {
  CONTACTS,
  type Contact,
  type ContactList,
  contactKey,
  contactsOf,
  distinctContacts,
  type EmailStatus,
  settleContacts,
} from "../../../lead/contacts.ts"
import {
  ATTRIBUTES_MAX,
  type AttributeInput,
  type LeadChanges,
  type LeadInput,
  oneOf,
  TAGS_MAX,
} from "../../../lead/fields.ts"
import {
  DATA_FIELDS,
  DATA_NUMBER_FIELDS,
  type Json,
  type Lead,
  type LeadData,
  TEXT_FIELDS,
} from "../../../lead/lead.ts"
import { type LeadFieldName, leadField } from "../../../lead/lead-fields.ts"
import { isMailHost, isSharedMailbox } from "../../../matching/web.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { PushedFields } from "../../../store/contract/store.ts"
import { phoneNumber } from "../../../text/phone.ts"
import { fold } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"
import { ON_SUPPRESSED, type OnSuppressed } from "./account-settings.ts"
import type { NamesByPhone } from "./ask.ts"
import type { OwnIds } from "./own-ids.ts"

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

/** Merge policies: `overwrite` (last touch wins), `fill` writes empty fields only, `skip` changes nothing. */
export const ON_DUPLICATE = ["overwrite", "fill", "skip"] as const
type OnDuplicate = (typeof ON_DUPLICATE)[number]
export const TAG_POLICIES = ["add", "replace"] as const
type TagPolicy = (typeof TAG_POLICIES)[number]

export interface MergePolicy {
  onDuplicate: OnDuplicate
  /** The policy for the lead's tags. */
  tags: TagPolicy
  /** Fields that a merge must not change. */
  keep: readonly string[]
  /** Treatment of a lead on the do-not-contact list; it is refused without. */
  onSuppressed?: OnSuppressed | undefined
  /**
   * Has merges by a shared mailbox or phone asked about where names differ, and keeps the name, source and source_id of
   * leads of another source.
   */
  asks?: NamesByPhone
  /** The source_id is an id of the program that a file comes from: it merges only where it is of the same record. */
  ownIds?: OwnIds | undefined
}

export const LAST_TOUCH_WINS: MergePolicy = { onDuplicate: "overwrite", tags: "replace", keep: [] }

export const OnDuplicateField = v.optional(oneOf(ON_DUPLICATE))

export const OnSuppressedField = v.optional(oneOf(ON_SUPPRESSED))

/** The policy of a push of one lead or a batch. */
export function pushPolicy(
  onDuplicate: OnDuplicate | undefined,
  onSuppressed?: OnSuppressed | undefined,
): MergePolicy {
  if (onDuplicate === undefined && onSuppressed === undefined) return LAST_TOUCH_WINS
  return { ...LAST_TOUCH_WINS, ...(onDuplicate && { onDuplicate }), onSuppressed }
}

/**
 * The fields and attributes of a push that a merge writes. `defaultCountry` is the account's, of phones that say none: one
 * number in two writings is one.
 */
export function mergedChanges(
  before: LeadData,
  { tags, attributes, emails, phones, ...fields }: LeadInput,
  { onDuplicate, tags: tagPolicy, keep }: MergePolicy,
  defaultCountry: string | null,
): { changes: Partial<LeadInput>; attributes: readonly AttributeInput[] } {
  const old = before as unknown as Record<string, unknown>
  const isStageKept = keep.includes("stage") && before.stage !== null
  const isWritten = (field: string) =>
    !keep.includes(field) &&
    !(field === "status" && isStageKept) &&
    (onDuplicate === "overwrite" || old[field] === null || old[field] === undefined)
  const sent = Object.entries(fields).filter(
    ([field, value]) => value != null && value !== "" && isWritten(field),
  )
  const changes: Partial<LeadInput> = Object.fromEntries(sent)
  if (changes.stage && fields.status !== (changes.status ?? before.status)) delete changes.stage
  const lists = { emails, phones }
  for (const [list, field] of CONTACTS) {
    const keyOf = keysOf(list, fields.country ?? before.country, defaultCountry)
    const [sent, had] = [changes[field], before[field]]
    const isOther = !!had && !!sent && sent !== had && keyOf(sent) !== keyOf(had)
    if (keep.includes(list) || (!lists[list]?.length && !before[list] && !isOther)) continue
    const all = mergedContacts(before, list, { first: changes[field], more: lists[list] ?? [] }, keyOf)
    if (all) changes[list] = all
  }
  const all =
    tags && !keep.includes("tags") ? mergedTags(before.tags, tags, onDuplicate, tagPolicy) : undefined
  if (all) changes.tags = all
  const names = new Set(before.attributes.map(({ name }) => name))
  const locked = new Set(keep.flatMap((name) => (name.startsWith("attr:") ? name.slice(5) : [])))
  const written = (attributes ?? []).filter(
    ({ name }) =>
      !locked.has(name) && !keep.includes("attributes") && (onDuplicate === "overwrite" || !names.has(name)),
  )
  return { changes, attributes: written }
}

/** The key that an email, or a phone however it is written, has on a lead. */
function keysOf(list: ContactList, country: string | null, defaultCountry: string | null) {
  return (value: string): string =>
    (list === "phones" ? phoneNumber(value, country, defaultCountry) : null) ?? contactKey(list, value)
}

/** All that the lead has and those that were sent: a merge loses none. Undefined when nothing is new. */
function mergedContacts(
  before: LeadData,
  list: ContactList,
  { first, more }: { first: string | null | undefined; more: readonly Contact[] },
  keyOf: (value: string) => string,
): Contact[] | undefined {
  const old = contactsOf(before, list)
  const sent = first ? distinctContacts(list, [{ value: first, label: null }, ...more], keyOf) : []
  const all = distinctContacts(list, [...sent, ...old, ...more], keyOf)
  return JSON.stringify(all) === JSON.stringify(old) ? undefined : all
}

/** Undefined when the tags do not change. */
function mergedTags(
  old: readonly string[],
  sent: readonly string[],
  onDuplicate: OnDuplicate,
  policy: TagPolicy,
): string[] | undefined {
  if (sent.length === 0) return undefined
  if (policy === "replace") return onDuplicate === "overwrite" || old.length === 0 ? [...sent] : undefined
  const seen = new Set(old.map(fold))
  const fresh = sent.filter((tag) => !seen.has(fold(tag)))
  return fresh.length > 0 ? [...old, ...fresh].slice(0, TAGS_MAX) : undefined
}

// The values of a merged push, recorded with the change, so that the push can be split off again.

const ATTRIBUTE = "attr:"
type Fields = Record<string, unknown>

/** `after` is the lead after the merge. */
export function pushedFields(after: LeadData, { attributes, ...input }: LeadInput): PushedFields {
  const now = after as unknown as Fields
  const same: string[] = []
  const rest: Fields = {}
  const put = (name: string, isThere: boolean, value: unknown) => {
    if (isThere) same.push(name)
    else rest[name] = value
  }
  for (const [name, value] of Object.entries(input)) {
    if (value == null || value === "" || (Array.isArray(value) && value.length === 0)) continue
    put(name, now[name] === value || isDeepStrictEqual(now[name], value), value)
  }
  for (const { name, type, value } of attributes ?? []) {
    const there = after.attributes.find((one) => one.name === name)
    const isThere = there?.type === type && isDeepStrictEqual(there.value, value)
    put(ATTRIBUTE + name, isThere, { type, value })
  }
  return { same, rest }
}

/** The push as it was sent. */
export function pushedInput(after: Lead, { same, rest }: PushedFields) {
  const fields: Fields = {}
  const attributes: AttributeInput[] = []
  const now = after as unknown as Fields
  const there = new Map(after.attributes.map((one) => [one.name, one]))
  for (const [name, value] of [...same.map((name) => [name, now[name]] as const), ...Object.entries(rest)]) {
    if (!name.startsWith(ATTRIBUTE)) {
      fields[name] = value
      continue
    }
    const attribute = name.slice(ATTRIBUTE.length)
    const { type, value: is } = (value ?? there.get(attribute)) as AttributeInput
    attributes.push({ name: attribute, type, value: is } as AttributeInput)
  }
  return { fields, attributes }
}
