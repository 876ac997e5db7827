// Computes the lead that results from a merge.

import * as v from "valibot"
import {
  CONTACTS,
  type ContactField,
  type ContactList,
  contactsOf,
  emailKey,
  emailText,
  putContacts,
} from "../../lead/contacts.ts"
import { ATTRIBUTES_MAX, oneOf, TAGS_MAX } from "../../lead/fields.ts"
import { keptValue } from "../../lead/kept-value.ts"
import { type Attribute, DATA_FIELDS, type LeadData } from "../../lead/lead.ts"
import { leadField } from "../../lead/lead-fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { Alias } from "../../store/contract/store.ts"
import { fold } from "../../text/text.ts"
import { emailStatusOf } from "../leads/write/lead-data.ts"

export const RULES = ["newest", "oldest", "most_complete", "source_priority"] as const
/** The rule of a merge in inputs, with its words. */
export const ruleEntries = {
  rule: v.optional(oneOf(RULES)),
  sources: v.optional(v.array(v.string("must be text"), "must be a list of sources")),
}
export const SOURCES_WORDS = "With `rule=source_priority`: sources, the first before the others."
export const ruleToolWords = { rule: "Whose values win", sources: "Best first, for source_priority" }
export type MergeRule = (typeof RULES)[number]

/** The fields that a merge decides: those that clients set, without tags and attributes. */
export const MERGED_FIELDS = DATA_FIELDS.filter((name) => !leadField(name).readOnly && name !== "tags")

type Fields = Record<string, unknown>
const fieldsOf = (lead: LeadData) => lead as unknown as Fields

export interface MergeChoice {
  rule?: MergeRule | undefined
  /** Sources in order of preference. */
  sources?: readonly string[] | undefined
  /** By field: a value, or the id of the lead to take it from. */
  fields?: Readonly<Record<string, unknown>> | undefined
  /** The merged lead itself, of a merge that is done again. */
  result?: LeadData | undefined
}

/** The survivor with values of the others; its own come first unless a rule says otherwise. */
export function mergedLead(survivor: LeadData, losers: readonly LeadData[], choice: MergeChoice): LeadData {
  if (choice.result) {
    const { created_at, updated_at, last_interaction_at } = survivor
    return { ...choice.result, created_at, updated_at, last_interaction_at }
  }
  const all = [survivor, ...losers]
  const inOrder = choice.rule ? ordered(all, choice.rule, choice.sources ?? []) : all
  const after = { ...survivor }
  for (const name of MERGED_FIELDS) {
    const values = inOrder.map((lead) => fieldsOf(lead)[name])
    fieldsOf(after)[name] = values[keptValue(name, values)] ?? null
  }
  for (const [name, value] of Object.entries(choice.fields ?? {})) {
    const chosen = all.find(({ id }) => id === value)
    fieldsOf(after)[name] = chosen ? fieldsOf(chosen)[name] : value === "" ? null : value
  }
  settleStage(after, inOrder, choice.fields)
  for (const [list, field] of CONTACTS) mergeContacts(after, list, field, inOrder)
  // A status is that of its email: the one it came with, unless it is new.
  after.email_status =
    all.find(({ email }) => email === after.email)?.email_status ?? emailStatusOf(after.email)
  after.tags = mergedTags(inOrder)
  after.attributes = mergedAttributes(survivor, inOrder)
  return after
}

/** The stage is one of the status, unless it was chosen: then the status is that of the stage. */
function settleStage(
  after: LeadData,
  inOrder: readonly LeadData[],
  fields: MergeChoice["fields"] = {},
): void {
  const chosen = inOrder.find(({ id }) => id === fields.stage)
  if (chosen?.stage && fields.status === undefined) after.status = chosen.status
  if (fields.stage !== undefined && !chosen) return
  const from = chosen ? [chosen] : inOrder
  after.stage = from.find(({ status, stage }) => stage !== null && status === after.status)?.stage ?? null
}

/** All emails, or phones, of the leads: that of the field first, then in the order of the leads. */
function mergeContacts(
  after: LeadData,
  list: ContactList,
  field: ContactField,
  inOrder: readonly LeadData[],
): void {
  const all = inOrder.flatMap((lead) => contactsOf(lead, list))
  const first = after[field]
  if (first === null) delete after[list]
  else putContacts(after, list, [{ value: first, label: null }, ...all])
}

function ordered(leads: readonly LeadData[], rule: MergeRule, sources: readonly string[]): LeadData[] {
  const ranks = sources.map(fold)
  const rankOf = ({ source }: LeadData) => {
    const at = ranks.indexOf(fold(source))
    return at < 0 ? ranks.length : at
  }
  const filled = (lead: LeadData) => MERGED_FIELDS.filter((name) => fieldsOf(lead)[name] !== null).length
  const by: Record<MergeRule, (x: LeadData, y: LeadData) => number> = {
    newest: (x, y) => y.updated_at - x.updated_at,
    oldest: (x, y) => x.created_at - y.created_at,
    most_complete: (x, y) => filled(y) - filled(x),
    source_priority: (x, y) => rankOf(x) - rankOf(y),
  }
  return leads.toSorted(by[rule])
}

function mergedTags(leads: readonly LeadData[]): string[] {
  const seen = new Map<string, string>()
  for (const tag of leads.flatMap(({ tags }) => tags)) if (!seen.has(fold(tag))) seen.set(fold(tag), tag)
  if (seen.size > TAGS_MAX)
    throw badRequest(`Together they have ${seen.size} tags, a lead keeps at most ${TAGS_MAX}`)
  return [...seen.values()]
}

/** Each attribute name once; the survivor's keep their ids and order. */
function mergedAttributes(survivor: LeadData, inOrder: readonly LeadData[]): Attribute[] {
  const chosen = new Map<string, Attribute>()
  for (const one of inOrder.flatMap(({ attributes }) => attributes))
    if (!chosen.has(one.name)) chosen.set(one.name, one)
  const ofSurvivor = survivor.attributes.map((attribute) => {
    const { type, value } = chosen.get(attribute.name)!
    return { ...attribute, type, value }
  })
  const names = new Set(ofSurvivor.map(({ name }) => name))
  const all = [...ofSurvivor, ...[...chosen.values()].filter(({ name }) => !names.has(name))]
  if (all.length > ATTRIBUTES_MAX)
    throw badRequest(`Together they have ${all.length} attributes, a lead keeps at most ${ATTRIBUTES_MAX}`)
  return all
}

/** Fields whose values a merge keeps beside the merged lead's own. */
const KEPT_BESIDE: ReadonlySet<string> = new Set(["email", "email_status", "phone", "source_id"])

/** Values of leads that the merged lead does not have; case makes no difference. */
export function lostValues(
  after: LeadData,
  leads: readonly LeadData[],
): { field: string; value: string | number }[] {
  const lost = new Map<string, { field: string; value: string | number }>()
  const look = (field: string, value: unknown, winner: unknown) => {
    if (typeof value !== "string" && typeof value !== "number") return
    const text = fold(String(value))
    if (text !== fold(String(winner))) lost.set(`${field} ${text}`, { field, value })
  }
  const attributes = new Map(after.attributes.map(({ name, value }) => [name, value]))
  for (const lead of leads) {
    for (const name of MERGED_FIELDS)
      if (!KEPT_BESIDE.has(name)) look(name, fieldsOf(lead)[name], fieldsOf(after)[name])
    for (const { name, value } of lead.attributes) look(`attr:${name}`, value, attributes.get(name))
  }
  return [...lost.values()]
}

/** Emails and source_ids of the leads that the merged lead does not have. */
export function lostKeys(all: readonly LeadData[], after: LeadData): Alias[] {
  const emails = new Set(all.flatMap(({ email }) => (email === null ? [] : (emailKey(email) ?? []))))
  if (after.email !== null) emails.delete(emailText(after.email))
  const ids = new Set(all.flatMap(({ source_id }) => source_id ?? []))
  if (after.source_id !== null) ids.delete(after.source_id)
  return [
    ...[...emails].map((value): Alias => ({ kind: "email", value })),
    ...[...ids].map((value): Alias => ({ kind: "source_id", value })),
  ]
}

/** Names of the fields and lists that differ, `tags`, and attributes as `attr:<name>`. */
export function changedNames(before: LeadData, after: LeadData): string[] {
  const fields = MERGED_FIELDS.filter((name) => fieldsOf(before)[name] !== fieldsOf(after)[name])
  const tags = JSON.stringify(before.tags) === JSON.stringify(after.tags) ? [] : ["tags"]
  const was = new Map(before.attributes.map((one) => [one.name, JSON.stringify(one)]))
  const attributes = after.attributes.filter((one) => was.get(one.name) !== JSON.stringify(one))
  const lists = CONTACTS.flatMap(([list]) =>
    JSON.stringify(before[list]) === JSON.stringify(after[list]) ? [] : list,
  )
  return [...fields, ...lists, ...tags, ...attributes.map(({ name }) => `attr:${name}`)]
}
