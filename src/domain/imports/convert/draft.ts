// The draft of a lead: filled column by column, then put together and checked.
import * as v from "valibot"
import { type AttributeDefinitions, fitValue } from "../../../lead/attribute-definition.ts"
import type { Contact, ContactList } from "../../../lead/contacts.ts"
import { ATTRIBUTES_MAX, LeadInput, LONG_MAX } from "../../../lead/fields.ts"
import type { Json } from "../../../lead/lead.ts"
import { isFirm } from "../../../matching/matcher/index.ts"
import { excerpt, fold } from "../../../text/text.ts"
import { type Formed, formed, formOf } from "../cells/attribute-types.ts"
import type { ImportWarning } from "../cells/told.ts"
import type { CellReading } from "../cells/values.ts"
import { type ColumnRole, FAMILY_FIRST, FAMILY_FIRST_SCRIPTS, plainName } from "../cells/vocabulary.ts"
import type { ColumnPlan, UnsureKey } from "../detect/plan.ts"
import { readPostalAddress } from "./postal-address.ts"

/** The result of converting a row: a lead to push, an error, or a footnote of the table that is left out. */
export type ConvertedRow =
  | { lead: LeadInput; warnings: readonly ImportWarning[]; unsure?: readonly UnsureKey[] }
  | { error: string }
  | { footnote: ImportWarning }

/** Emails or phones in the order that they were found in. */
export interface Gathered {
  all: Contact[]
  /** Some come from a list, as our own files and cards have it. */
  isListed: boolean
}

export interface Draft {
  line: number
  fields: Partial<Record<ColumnRole, unknown>>
  /** The column that a field was read from. */
  from: Partial<Record<ColumnRole, string>>
  contacts: Partial<Record<ContactList, Gathered>>
  attributes: { name: string; type: string; value: unknown }[]
  warnings: ImportWarning[]
  /** Holds lists or objects, which need the full check of a lead. */
  isNested: boolean
  /** Attribute definitions of the account. */
  definitions: AttributeDefinitions
}

/** Roles that become parts of other fields. */
const PARTS: ReadonlySet<string> = new Set(
  "first_name middle_name last_name address_2 house_number coordinates".split(" "),
)
/** Characters of a value in a warning. */
export const VALUE_MAX = 200
/** Problems of one lead that are removed one by one, before it is rejected. */
const REPAIRS_MAX = 3
/** Without these a row is no lead. */
const VITAL: ReadonlySet<string> = new Set(["name", "source"])

export function newDraft(line: number, definitions: AttributeDefinitions): Draft {
  return {
    line,
    fields: {},
    from: {},
    contacts: {},
    attributes: [],
    warnings: [],
    isNested: false,
    definitions,
  }
}

/** Puts the fields of a draft together into a lead; a row without anything for a name is rejected. */
export function leadOfDraft(draft: Draft, plan: ColumnPlan): ConvertedRow {
  const { fields } = draft
  const pair = fields.coordinates as [number, number] | undefined
  if (pair && fields.latitude === undefined) [fields.latitude, fields.longitude] = pair
  if (fields.house_number !== undefined && typeof fields.address === "string")
    fields.address = withNumber(fields.address, String(fields.house_number))
  if (fields.address_2 !== undefined)
    fields.address =
      fields.address === undefined ? fields.address_2 : `${fields.address}, ${fields.address_2}`
  // The stage says the status.
  if (fields.stage !== undefined) delete fields.status
  if (!plan.isOurs) readAddress(fields)
  if (!plan.isOurs) nameIsCompany(draft)
  const name = nameOf(draft)
  if (name === undefined)
    return {
      error: plan.isOurs
        ? "name is required"
        : "name is required: no column of the row has one, nor a company, a website, an email or a phone",
    }
  const lead: Record<string, unknown> = { name, source: fields.source ?? plan.source }
  for (const role in fields)
    if (!PARTS.has(role) && role !== "name" && role !== "source") lead[role] = fields[role as ColumnRole]
  if (draft.definitions.size > 0) fitAttributes(draft)
  if (draft.attributes.length > 0) lead.attributes = lastOfEachName(draft)
  const checked = checkedLead(lead, draft)
  return plan.unsure.length > 0 && "lead" in checked ? { ...checked, unsure: plan.unsure } : checked
}

const PLACE = ["city", "state", "postal_code", "country"] as const

/**
 * Fills what the columns of a place left empty from the address. Where the city and the postal code come from it alone,
 * the street is what is left of it.
 */
function readAddress(fields: Draft["fields"]): void {
  const { address, phone } = fields
  if (typeof address !== "string" || PLACE.every((role) => fields[role] !== undefined)) return
  const postal = readPostalAddress(address, typeof phone === "string" ? phone : undefined)
  // Another city than the column says is none to be sure of.
  if (!postal || (fields.city !== undefined && postal.city !== undefined && postal.city !== fields.city))
    return
  const isWhole = fields.city === undefined && fields.postal_code === undefined
  if (isWhole && postal.street !== undefined && postal.postal_code !== undefined)
    fields.address = postal.street
  for (const role of PLACE) fields[role] ??= postal[role]
  for (const role of PLACE) if (fields[role] === undefined) delete fields[role]
}

/**
 * A name beside the first and last name of somebody else is the company of that person. It is an attribute where the company
 * is known, and where it may be another name of the person.
 */
function nameIsCompany(draft: Draft): void {
  const { fields } = draft
  const { name, first_name: first, last_name: last, company } = fields
  if (typeof name !== "string") return
  const parts = [first, last].filter((part): part is string => typeof part === "string" && part !== "-")
  if (parts.length < 2) return
  const whole = fold(name)
  const inName = parts.filter((part) => whole.includes(fold(part))).length
  if (inName === parts.length && !isFirm(name)) return
  delete fields.name
  if (company === undefined && (inName === 0 || isFirm(name))) fields.company = name
  else if (fold(String(company ?? "")) !== whole) keepAttribute(draft, draft.from.name ?? "name", name)
}

/** The lead's name: the person's, else the company's, else its website, email, phone or LinkedIn URL. */
function nameOf(draft: Draft): string | undefined {
  const { name, first_name, middle_name, last_name, company, website, email, phone, linkedin_url } =
    draft.fields as Record<string, string | undefined>
  if (name !== undefined) return name
  const isFamilyFirst =
    FAMILY_FIRST.has(plainName(draft.from.last_name ?? "")) ||
    [first_name, last_name].every((part) => part !== undefined && FAMILY_FIRST_SCRIPTS.test(part))
  const inOrder = isFamilyFirst ? [last_name, first_name, middle_name] : [first_name, middle_name, last_name]
  const parts = inOrder.filter((part) => part !== undefined && part !== "-")
  if (parts.length > 0) return parts.join(" ").slice(0, 1_000)
  if (company !== undefined) return company
  const contacts = { website: website && domainOf(website), email, phone, "LinkedIn URL": linkedin_url }
  const [contact] = Object.entries(contacts).filter(([, value]) => value !== undefined)
  if (!contact) return undefined
  const [field, made = ""] = contact
  warn(draft, {
    column: "name",
    value: made,
    kind: "name_made",
    message: `No name; using the ${field} ${excerpt(made)}`,
  })
  return made
}

function domainOf(website: string): string {
  const host = website
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^www\./i, "")
    .split(/[/?#:]/)[0]
  return host || website
}

function withNumber(street: string, number: string): string {
  return street.endsWith(number) ? street : `${street} ${number}`
}

export function warn(draft: Draft, warning: Omit<ImportWarning, "line">): void {
  draft.warnings.push({ line: draft.line, ...warning })
}

/** Warns of a value; `problem` is a predicate, as in "is too long: cut". */
export function warnOf(
  draft: Draft,
  column: string,
  value: unknown,
  { problem = "", kind = "left_out" }: CellReading,
): void {
  const text = excerpt(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), VALUE_MAX)
  warn(draft, { column, value: text, kind, message: `${column} "${excerpt(text)}" ${problem}` })
}

/** Keeps a value as an attribute, of the type that it looks like. */
export function keepAttribute(draft: Draft, name: string, value: unknown): void {
  const made = formed(value, formOf(name, [value], { decimal: "dot", isExact: true }))
  if (made) addAttribute(draft, name, name, value, made)
}

export function addAttribute(draft: Draft, name: string, column: string, value: unknown, made: Formed): void {
  let own = made.value
  if (typeof own === "string") {
    own = own.toWellFormed().replaceAll("\0", "")
    if (own.length > LONG_MAX) {
      own = `${own.slice(0, LONG_MAX - 1)}…`
      warnOf(draft, column, value, { problem: "is too long: cut", kind: "cut" })
    }
    if (own === "") {
      if (made.problem !== undefined) warnOf(draft, column, value, { problem: made.problem })
      return
    }
  }
  draft.attributes.push({ name, type: made.type, value: own })
  if (typeof own === "object") draft.isNested = true
  if (made.problem !== undefined && !draft.definitions.has(name))
    warnOf(draft, column, value, {
      problem: made.problem,
      kind: made.type === "object" ? "cut" : "kept_as_text",
    })
}

/** Leaves out attributes that their definitions refuse, each with a warning, and warns of required ones that are missing. */
function fitAttributes(draft: Draft): void {
  const { definitions } = draft
  draft.attributes = draft.attributes.flatMap((attribute) => {
    const definition = definitions.get(attribute?.name)
    if (!definition) return [attribute]
    const { name, type } = definition
    const fitting = attribute.type === type ? attribute : formed(attribute.value, { type, decimal: "dot" })
    const { value, problem } = fitValue(definition, (fitting?.value ?? attribute.value) as Json)
    if (problem === undefined) return [{ name, type, value }]
    warnOf(draft, name, attribute.value, { problem: `${problem}: left out` })
    return []
  })
  const filled = new Set(draft.attributes.map((attribute) => attribute?.name))
  for (const { name, required } of definitions.values()) {
    if (required && !filled.has(name))
      warn(draft, { column: name, value: "", kind: "missing", message: `no value for the required ${name}` })
  }
}

/** The last attribute of each name, up to the limit of a lead. */
function lastOfEachName(draft: Draft): unknown[] {
  const byName = new Map(draft.attributes.map((attribute, i) => [attribute?.name ?? i, attribute]))
  const all = [...byName.values()]
  if (all.length <= ATTRIBUTES_MAX) return all
  for (const { name, value } of all.slice(ATTRIBUTES_MAX))
    warnOf(draft, name, value, {
      problem: `is one more than the ${ATTRIBUTES_MAX} attributes of a lead: left out`,
      kind: "too_many",
    })
  return all.slice(0, ATTRIBUTES_MAX)
}

/** The lead without the values that break the rules of leads; each one is a warning. */
function checkedLead(lead: Record<string, unknown>, draft: Draft): ConvertedRow {
  // Flat values were converted to the rules of leads one by one; the full check would double the cost of a row.
  if (!draft.isNested) return { lead: lead as unknown as LeadInput, warnings: draft.warnings }
  for (let round = 0; ; round++) {
    const result = v.safeParse(LeadInput, lead)
    if (result.success) return { lead: result.output, warnings: draft.warnings }
    const [vital] = leaveOut(lead, result.issues, draft)
    if (vital) return { error: `${vital.field ?? "the row"} ${vital.message}` }
    if (round === REPAIRS_MAX) return { error: `the row ${result.issues[0].message}` }
  }
}

/** Leaves out what breaks a rule, with a warning each; the result is what cannot be left out. */
function leaveOut(
  lead: Record<string, unknown>,
  issues: readonly v.BaseIssue<unknown>[],
  draft: Draft,
): { field: string | undefined; message: string }[] {
  const attributes = lead.attributes
  const left = new Set<unknown>()
  const vital: { field: string | undefined; message: string }[] = []
  for (const { path, message } of issues) {
    const [first, at] = (path ?? []).map(({ key }) => key)
    const field = first === undefined ? undefined : String(first)
    const isAttribute = field === "attributes" && typeof at === "number" && Array.isArray(attributes)
    const part = isAttribute ? at : field
    if (left.has(part)) continue
    left.add(part)
    if (isAttribute) {
      const { name, value } = attributes[at] ?? {}
      warnOf(draft, String(name ?? "attributes"), value, { problem: `${message}: left out` })
    } else if (field === undefined || VITAL.has(field)) vital.push({ field, message })
    else {
      const column = draft.from[field as ColumnRole] ?? field
      warnOf(draft, column, lead[field], { problem: `${message}: left out` })
      delete lead[field]
    }
  }
  if (Array.isArray(attributes) && lead.attributes !== undefined)
    lead.attributes = attributes.filter((_, i) => !left.has(i))
  return vital
}
