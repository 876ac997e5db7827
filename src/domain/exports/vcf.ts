// Exports of leads as vCards, for address books.

import { type CardProperty, cardText, escaped, structured } from "../../formats/vcard/write-vcard.ts"
import { contactsOf } from "../../lead/contacts.ts"
import type { LeadData } from "../../lead/lead.ts"
import { type ExportSource, slices } from "./source.ts"

const COLUMNS = 20
/** Types that address books know of phones and emails, by a contact's label. */
const TYPES: Readonly<Record<string, string>> = {
  work: "WORK",
  home: "HOME",
  mobile: "CELL",
  cell: "CELL",
  fax: "FAX",
  pager: "PAGER",
  main: "MAIN",
}

/** Cards one behind the other, in UTF-8. */
export async function* vcfChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  for await (const slice of slices(source, COLUMNS))
    yield Buffer.from(slice.map((lead) => cardText(cardOf(lead.data()))).join(""))
}

function cardOf(lead: LeadData): CardProperty[] {
  const text = (name: string, value: string | null): CardProperty[] =>
    value === null ? [] : [{ name, value: escaped(value) }]
  return [
    ...text("UID", lead.id),
    ...text("FN", lead.name),
    { name: "N", value: structured(partsOfName(lead)) },
    ...text("ORG", lead.company),
    ...text("TITLE", lead.job_title),
    ...contactsOf(lead, "emails").map(({ value, label }) => contact("EMAIL", value, label, "INTERNET")),
    ...contactsOf(lead, "phones").map(({ value, label }) => contact("TEL", value, label, "VOICE")),
    ...addressOf(lead),
    ...text("URL", lead.website),
    ...(lead.linkedin_url === null
      ? []
      : [
          {
            name: "X-SOCIALPROFILE",
            parameters: [["TYPE", "linkedin"]] as const,
            value: escaped(lead.linkedin_url),
          },
        ]),
    ...(lead.latitude === null || lead.longitude === null
      ? []
      : [{ name: "GEO", value: `${lead.latitude};${lead.longitude}` }]),
    ...(lead.tags.length === 0 ? [] : [{ name: "CATEGORIES", value: lead.tags.map(escaped).join(",") }]),
    ...text("NOTE", lead.description),
    { name: "REV", value: new Date(lead.updated_at * 1000).toISOString().replace(/\.\d+Z$/, "Z") },
  ]
}

/** Family and given name of a person at a company; else the whole name. */
function partsOfName({ name, company }: LeadData): string[] {
  const last = name.lastIndexOf(" ")
  if (company === null || last < 0) return [name, "", "", "", ""]
  return [name.slice(last + 1), name.slice(0, last), "", "", ""]
}

function contact(name: string, value: string, label: string | null, usual: string): CardProperty {
  const type = TYPES[label?.toLowerCase() ?? ""]
  const types = type ? `${usual},${type}` : usual
  const own = { name, parameters: [["TYPE", types]] as const, value: escaped(value) }
  return label !== null && type === undefined ? { ...own, label } : own
}

function addressOf({ address, city, state, postal_code, country }: LeadData): CardProperty[] {
  const parts = [address, city, state, postal_code, country]
  if (parts.every((part) => part === null)) return []
  return [{ name: "ADR", parameters: [["TYPE", "WORK"]], value: structured([null, null, ...parts]) }]
}
