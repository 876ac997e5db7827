// Presets of exports: tables with the columns that other programs import.
import { type ContactList, furtherContacts } from "../../lead/contacts.ts"
import type { LeadData, Status } from "../../lead/lead.ts"
import { isFirm } from "../../matching/matcher/index.ts"
import { FAMILY_FIRST_SCRIPTS } from "../imports/cells/vocabulary.ts"

/** A cell; null means "no value". */
export type ExportCell = string | number | boolean | null

// Splits the one name of a lead for programs that keep first and last names.

/** Words before a last name that belong to it, as "de la" and "van". */
const PARTICLES = new Set(
  "de la las los del della di da das do dos du des le van von der den dem ter ten te zu zum zur af av el al bin ibn mac st st. san santa".split(
    " ",
  ),
)
const SUFFIX = /^(?:jr|sr|jun|sen|ii|iii|iv|esq|phd|md|mba)\.?$/i

/**
 * The first names and the last name of a person, with the particles and the suffix that belong to it: "de la Cruz",
 * "King Jr.". A firm and a single word have a last name alone.
 */
export function splitName(name: string): { first: string; last: string } {
  const whole = name.trim().replaceAll(/\s+/g, " ")
  if (isFirm(whole)) return { first: "", last: whole }
  const [family = "", given, ...more] = whole.split(/,\s*/)
  if (given !== undefined && more.length === 0 && !given.split(" ").every((word) => SUFFIX.test(word)))
    return { first: given, last: family }
  const words = whole.split(" ")
  if (words.length > 1 && words.every((word) => FAMILY_FIRST_SCRIPTS.test(word)))
    return { first: words.slice(1).join(" "), last: words[0]! }
  const at = lastNameAt(words)
  return { first: words.slice(0, at).join(" "), last: words.slice(at).join(" ") }
}

/** The place of the last name's first word. */
function lastNameAt(words: readonly string[]): number {
  let at = words.length - 1
  while (at > 1 && SUFFIX.test(words[at]!)) at--
  while (at > 1 && PARTICLES.has(words[at - 1]!.toLowerCase())) at--
  return Math.max(at, 0)
}

export const EXPORT_PRESETS = ["hubspot", "salesforce", "google_contacts", "mailchimp"] as const
export type ExportPreset = (typeof EXPORT_PRESETS)[number]

type Columns = readonly (readonly [header: string, of: (lead: LeadData) => ExportCell])[]

const HUBSPOT_STATUS: Readonly<Record<Status, string>> = {
  new: "New",
  contacted: "Attempted to Contact",
  qualified: "Open Deal",
  disqualified: "Unqualified",
  converted: "Connected",
}
const SALESFORCE_STATUS: Readonly<Record<Status, string>> = {
  new: "Open - Not Contacted",
  contacted: "Working - Contacted",
  qualified: "Qualified",
  disqualified: "Closed - Not Converted",
  converted: "Closed - Converted",
}

/** A person's first names and last name; a lead that is a company has neither. */
function personOf({ name, company }: LeadData): { first: string; last: string } {
  return company === name ? { first: "", last: "" } : splitName(name)
}
const first: Columns[number] = ["First Name", (lead) => personOf(lead).first]
const last: Columns[number] = ["Last Name", (lead) => personOf(lead).last]

const further = (lead: LeadData, list: ContactList) => furtherContacts(lead, list).map(({ value }) => value)
/** Numbered columns of Google for each of a list's values. */
const GOOGLE_MOST = 10

function googleColumns(name: string, list: ContactList): Columns {
  return Array.from({ length: GOOGLE_MOST - 1 }, (_, i) => i).flatMap(
    (i): Columns => [
      [`${name} ${i + 2} - Label`, (lead) => (further(lead, list)[i] === undefined ? null : "Other")],
      [`${name} ${i + 2} - Value`, (lead) => further(lead, list)[i] ?? null],
    ],
  )
}

/** Columns for emails and phones besides the first, as far as the program has room for them. */
export const FURTHER_COLUMNS: Readonly<Record<ExportPreset, Partial<Record<ContactList, Columns>>>> = {
  hubspot: {
    emails: [["Additional email addresses", (lead) => further(lead, "emails").join(";") || null]],
    phones: [["Mobile Phone Number", (lead) => further(lead, "phones")[0] ?? null]],
  },
  salesforce: {
    phones: [
      ["Mobile Phone", (lead) => further(lead, "phones")[0] ?? null],
      ["Other Phone", (lead) => further(lead, "phones")[1] ?? null],
    ],
  },
  google_contacts: { emails: googleColumns("E-mail", "emails"), phones: googleColumns("Phone", "phones") },
  mailchimp: {},
}

/** Columns of fields as they are, from `Header=field` between commas. */
const asTheyAre = (columns: string): Columns =>
  columns.split(/,\s+/).map((column) => {
    const [header, field] = column.split("=") as [string, PlainField]
    return [header, (lead) => lead[field]]
  })
type PlainField = {
  [F in keyof LeadData]-?: LeadData[F] extends string | null ? F : never
}[keyof LeadData]

export const PRESET_COLUMNS: Readonly<Record<ExportPreset, Columns>> = {
  hubspot: [
    ...[first, last],
    ...asTheyAre(`Email=email, Phone Number=phone, Company Name=company, Job Title=job_title,
      Website URL=website, Street Address=address, City=city, State/Region=state, Postal Code=postal_code,
      Country/Region=country, Industry=category`),
    ["Lead Status", ({ status }) => HUBSPOT_STATUS[status]],
    ...asTheyAre("LinkedIn URL=linkedin_url, Message=description"),
  ],
  salesforce: [
    first,
    ["Last Name", (lead) => personOf(lead).last || lead.name],
    ["Company", ({ company, name }) => company ?? name],
    ...asTheyAre(`Title=job_title, Email=email, Phone=phone, Website=website, Street=address, City=city,
      State/Province=state, Zip/Postal Code=postal_code, Country=country, Lead Source=source`),
    ["Lead Status", ({ status }) => SALESFORCE_STATUS[status]],
    ...asTheyAre("Industry=category, Description=description"),
  ],
  google_contacts: [
    ...[first, last],
    ...asTheyAre("Organization Name=company, Organization Title=job_title, Notes=description"),
    ["Labels", ({ tags }) => [...tags, "* myContacts"].join(" ::: ")],
    ["E-mail 1 - Label", ({ email }) => (email ? "* Work" : null)],
    ...asTheyAre("E-mail 1 - Value=email"),
    ["Phone 1 - Label", ({ phone }) => (phone ? "Work" : null)],
    ...asTheyAre("Phone 1 - Value=phone"),
    ["Address 1 - Label", ({ address, city }) => (address || city ? "Work" : null)],
    ...asTheyAre(`Address 1 - Street=address, Address 1 - City=city, Address 1 - Region=state,
      Address 1 - Postal Code=postal_code, Address 1 - Country=country`),
    ["Website 1 - Label", ({ website }) => (website ? "Work" : null)],
    ...asTheyAre("Website 1 - Value=website"),
  ],
  mailchimp: [
    ["Email Address", ({ email }) => email],
    ...[first, last],
    ...asTheyAre("Company=company, Phone Number=phone"),
    [
      "Address",
      ({ address, city, postal_code, country }) =>
        [address, city, postal_code, country].filter(Boolean).join("  ") || null,
    ],
    ["Tags", ({ tags }) => tags.map((tag) => `"${tag.replaceAll('"', "'")}"`).join(",") || null],
  ],
}
