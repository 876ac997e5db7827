// Parses `fields=a,b` of lists: leads are cut to their id and these fields.
import * as v from "valibot"
import { CONTACTS, type ContactList } from "../../../lead/contacts.ts"
import { type Json, type Lead, TIME_FIELDS } from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, type LeadFieldName } from "../../../lead/lead-fields.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { StoredLead } from "../../../store/contract/store.ts"
import { closest, excerpt, isStorable } from "../../../text/text.ts"

// Parses lists of names in query parameters.

export const FieldNames = v.optional(v.array(v.string("must be text"), "must be a list of fields"))

/** Splits a list: names separated by commas, or repeated; commas in double quotes do not separate. */
export function terms(sent: readonly string[]): string[] {
  return sent.flatMap((one) => one.match(/(?:"(?:[^"]|"")*"|[^,"])+/g) ?? []).map((term) => term.trim())
}

/**
 * The name in `attr:<name>`, plain or in quotes as in filters, where a quote is written twice; undefined for other
 * terms.
 */
export function attributeInTerm(name: string): string | undefined {
  if (!name.startsWith("attr:")) return undefined
  const rest = name.slice("attr:".length)
  const plain = /^"(?:[^"]|"")*"$/.test(rest) ? rest.slice(1, -1).replaceAll('""', '"') : rest
  return plain !== "" && isStorable(plain) ? plain : undefined
}

/** The selected fields of a lead. */
export interface ShownFields {
  /** Field names; `attributes` stands for all attributes. */
  fields: ReadonlySet<string>
  attributes: ReadonlySet<string>
}

/** Parses `fields`. Throws `bad_request`. */
export function parseFields(sent: readonly string[]): ShownFields {
  const shown = { fields: new Set<string>(["id"]), attributes: new Set<string>() }
  for (const name of terms(sent)) {
    const attribute = attributeInTerm(name)
    if (attribute !== undefined) shown.attributes.add(attribute)
    else if (isList(name) || name === "attributes" || LEAD_FIELD_NAMES.includes(name as LeadFieldName))
      shown.fields.add(name)
    else throw unknown(name)
  }
  return shown
}

function unknown(name: string) {
  const valid = [...LEAD_FIELD_NAMES, ...LISTS, "attributes", "attr:<name>"]
  const near = closest(name, valid)
  return badRequest(
    `fields has an unknown field "${excerpt(name)}". ${near ? `Did you mean "${near}"? ` : ""}Valid: ${valid.join(", ")}`,
  )
}

const LISTS = CONTACTS.map(([list]) => list)
const isList = (name: string): name is ContactList => LISTS.some((list) => list === name)

/** The JSON text of a lead with the selected fields, in the order of whole leads. */
export function partOf(lead: StoredLead, { fields, attributes }: ShownFields): string {
  const { attributes: all, ...whole }: Lead = JSON.parse(lead.json())
  const part = Object.entries(whole).filter(([name]) => fields.has(name))
  const some = fields.has("attributes") ? all : all.filter(({ name }) => attributes.has(name))
  const hasAttributes = fields.has("attributes") || attributes.size > 0
  return JSON.stringify({ ...Object.fromEntries(part), ...(hasAttributes && { attributes: some }) })
}

// Rows of leads for agents: what is there, in few tokens.

/** Fields of a row that asks for none, the first that it has. */
const USUAL = [
  ...["name", "company", "job_title", "email", "phone", "city", "status", "score", "tags", "category"],
  ...["attributes", "rating", "source", "website", "country", "last_touched_at"],
]
const FIELDS_MAX = 10
const TIMES: ReadonlySet<string> = new Set(TIME_FIELDS)
const ALL = "*"

/** How rows are shown: `*` is every field that has a value, none the usual ones. Throws `bad_request`. */
export function compactRows(
  fields: readonly string[] | undefined,
): (lead: StoredLead) => Record<string, Json> {
  if (fields?.includes(ALL)) {
    if (fields.length > 1) throw badRequest(`fields: "*" stands for all of them: give it alone`)
    return (lead) => compact(lead)
  }
  if (!fields) return (lead) => usual(compact(lead))
  const { fields: names, attributes } = parseFields(fields)
  return (lead) => {
    const { attributes: all, ...row } = compact(lead)
    const shown = Object.entries(row).filter(([name]) => names.has(name))
    const entries = Object.entries((all ?? {}) as Record<string, Json>)
    const some = names.has("attributes") ? entries : entries.filter(([name]) => attributes.has(name))
    return { ...Object.fromEntries(shown), ...(some.length > 0 && { attributes: Object.fromEntries(some) }) }
  }
}

function usual({ id, ...row }: Record<string, Json>): Record<string, Json> {
  const names = USUAL.filter((name) => name in row).slice(0, FIELDS_MAX - 1)
  return { id: id!, ...Object.fromEntries(names.map((name) => [name, row[name]!])) }
}

/** A lead without what is empty, its attributes by name, its times as ISO texts. */
function compact(lead: StoredLead): Record<string, Json> {
  const { attributes, ...whole }: Lead = JSON.parse(lead.json())
  const row = compactFields(whole)
  const filled = attributes.filter(({ value }) => !isEmpty(value as Json))
  if (filled.length > 0)
    row.attributes = Object.fromEntries(filled.map(({ name, value }) => [name, value as Json]))
  return row
}

/** Fields of a lead without those that are empty, times as ISO texts. */
export function compactFields(fields: object): Record<string, Json> {
  const row: Record<string, Json> = {}
  for (const [name, value] of Object.entries(fields) as [string, Json][]) {
    if (isEmpty(value)) continue
    row[name] = TIMES.has(name) ? isoTime(Number(value)) : value
  }
  return row
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0)
}

/** `2026-11-23T21:51:18Z` for Unix seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace(".000Z", "Z")
}
