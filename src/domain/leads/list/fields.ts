// Parses `fields=a,b` of lists: leads are cut to their id and these fields.
import { CONTACTS, type ContactList } from "../../../lead/contacts.ts"
import type { Lead } from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, type LeadFieldName } from "../../../lead/lead-fields.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { StoredLead } from "../../../store/contract/store.ts"
import { closest, excerpt, isStorable } from "../../../text/text.ts"

// Parses lists of names in query parameters.

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
