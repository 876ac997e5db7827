// Ids by which a program counts its own records: HubSpot's record 1 and Pipedrive's record 1 are two people.
import type { Account } from "../../../access/rights.ts"
import { ATTRIBUTES_MAX, type LeadInput } from "../../../lead/fields.ts"
import type { LeadData } from "../../../lead/lead.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { areTwoNames } from "../../../matching/matcher/index.ts"
import { fold } from "../../../text/text.ts"
import { pushedKeys, similarity } from "./dedup.ts"

/** The `source_id` of a push is an id of the program that a file comes from. */
export interface OwnIds {
  /** The column that has them. */
  column: string
  /** The program as the request or the file names it; null where it may be any. */
  program: string | null
}

/** Names agree when `similarity` is strictly above this. */
const SIMILAR = 0.8

/**
 * What says that a stored lead with the id of a pushed one is the same record: the source, or an email, phone or name that
 * agrees. A source that only the row names, or nothing does, is no proof where names and contacts both differ, and a doubtful
 * one where names alone do.
 */
export function sameRecord(
  stored: LeadData,
  input: LeadInput,
  { program }: OwnIds,
  defaultCountry: Account["default_country"],
): "known" | "doubtful" | undefined {
  const isSource = fold(stored.source) === fold(input.source)
  if (isSource && program !== null && fold(program) === fold(input.source)) return "known"
  const [one, other] = [stored as LeadInput, input].map((lead) => contactsIn(lead, defaultCountry)) as [
    Contacts,
    Contacts,
  ]
  if (doAgree(one.name, other.name) || meet(one.emails, other.emails) || meet(one.phones, other.phones))
    return "known"
  const differs = (list: "emails" | "phones") => one[list].length > 0 && other[list].length > 0
  return isSource && !differs("emails") && !differs("phones") ? "doubtful" : undefined
}

interface Contacts {
  name: string
  emails: string[]
  phones: string[]
}

function contactsIn(lead: LeadInput, defaultCountry: Account["default_country"]): Contacts {
  const { name, email, phone, number, more }: LeadKeys = pushedKeys(lead, defaultCountry)
  const asList = (text: string | null) => (text === null ? [] : [text])
  const phones = [{ phone, number }, ...(more?.phones ?? [])]
  return {
    name,
    emails: [...asList(email), ...(more?.emails ?? [])],
    phones: phones.flatMap((one) => [...asList(one.phone), ...asList(one.number)]),
  }
}

function doAgree(one: string, other: string): boolean {
  return one === other || (similarity(one, other) > SIMILAR && !areTwoNames(one, other))
}

function meet(one: readonly string[], other: readonly string[]): boolean {
  return one.some((text) => other.includes(text))
}

/** The push with its id as an attribute, since another lead has it as its `source_id`. */
export function withIdAsAttribute({ source_id, ...input }: LeadInput, { column }: OwnIds): LeadInput {
  const others = (input.attributes ?? []).filter(({ name }) => name !== column)
  const attribute = { name: column, type: "text", value: source_id ?? "" } as const
  return { ...input, attributes: [...others.slice(0, ATTRIBUTES_MAX - 1), attribute] }
}

/** What a lead is found by when its record comes again; no `source_id` that is sent has such a character. */
export function recordKey({ source, source_id }: LeadInput, { column }: OwnIds): string {
  return [fold(source), fold(column), source_id].join("\u001f")
}
