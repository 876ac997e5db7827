// Merges a pushed lead into the lead that it duplicates.

import { isDeepStrictEqual } from "node:util"
import * as v from "valibot"
import {
  CONTACTS,
  type Contact,
  type ContactList,
  contactKey,
  contactsOf,
  distinctContacts,
} from "../../../lead/contacts.ts"
import { type AttributeInput, type LeadInput, oneOf, TAGS_MAX } from "../../../lead/fields.ts"
import type { Lead, LeadData } from "../../../lead/lead.ts"
import type { PushedFields } from "../../../store/contract/store.ts"
import { phoneNumber } from "../../../text/phone.ts"
import { fold } from "../../../text/text.ts"
import type { NamesByPhone } from "./ask.ts"
import type { OwnIds } from "./own-ids.ts"
import { ON_SUPPRESSED, type OnSuppressed } from "./suppression-gate.ts"

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
