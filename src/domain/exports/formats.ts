// Exports: all matching leads as one file, streamed while it is generated.

import { type CardProperty, cardText, escaped, structured } from "../../formats/vcard/write-vcard.ts"
import { contactsOf } from "../../lead/contacts.ts"
import type { LeadData } from "../../lead/lead.ts"
import { partOf } from "../leads/list/fields.ts"
import { joinLeads } from "../leads/list/list.ts"
import { csvChunks } from "./csv.ts"
import { type ExportSource, slices } from "./source.ts"
import { xlsxChunks } from "./xlsx.ts"

// Whole leads are copied, so their bytes alone bound a slice; leads with selected fields are parsed.
const COLUMNS = 1
const SPEED = 4
const PARSED_SPEED = 1
const [FIRST, NEXT] = ["[\n", ",\n"]

/** A JSON array of leads, one lead a line. Whole leads are neither parsed nor converted to strings. */
async function* jsonChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  const { shown } = source
  let before = FIRST
  for await (const slice of slices(source, COLUMNS, shown ? PARSED_SPEED : SPEED)) {
    yield shown
      ? Buffer.from(before + slice.map((lead) => partOf(lead, shown)).join(NEXT))
      : joinLeads(slice, { before, between: NEXT, behind: "" })
    before = NEXT
  }
  yield Buffer.from(before === FIRST ? "[]\n" : "\n]\n")
}

// Exports of leads as vCards, for address books.

/** As slow to write as a row of so many cells. */
const CARD_COLUMNS = 20
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
async function* vcfChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  for await (const slice of slices(source, CARD_COLUMNS))
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
  const property = { name, parameters: [["TYPE", types]] as const, value: escaped(value) }
  return label !== null && type === undefined ? { ...property, label } : property
}

function addressOf({ address, city, state, postal_code, country }: LeadData): CardProperty[] {
  const parts = [address, city, state, postal_code, country]
  if (parts.every((part) => part === null)) return []
  return [{ name: "ADR", parameters: [["TYPE", "WORK"]], value: structured([null, null, ...parts]) }]
}

export type { ExportSource } from "./source.ts"
export { XLSX_MAX_ROWS } from "./xlsx.ts"

export const EXPORT_FORMATS = ["csv", "json", "xlsx", "vcf"] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The Content-Type of each export format. */
export const EXPORT_CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  vcf: "text/vcard; charset=utf-8",
}

const WRITERS: Record<ExportFormat, (source: ExportSource) => AsyncGenerator<Uint8Array>> = {
  csv: csvChunks,
  json: jsonChunks,
  xlsx: xlsxChunks,
  vcf: vcfChunks,
}

/** The file name of an export: the date of `now` (Unix seconds) in UTC, as in `leads-2026-11-21.csv`. */
export function exportFileName(format: ExportFormat, now: number): string {
  return `leads-${new Date(now * 1000).toISOString().slice(0, 10)}.${format}`
}

/**
 * The file as a stream of bytes. Reads from the source only as fast as the stream is read. Cancelling the stream ends
 * the source's iterator. A failing source fails the stream, so that an HTTP connection is cut and no client takes
 * half a file for a whole one.
 */
export function exportStream(format: ExportFormat, source: ExportSource): ReadableStream<Uint8Array> {
  const leads = source.chunks[Symbol.asyncIterator]()
  const bytes = WRITERS[format]({ ...source, chunks: { [Symbol.asyncIterator]: () => leads } })
  // A generator that was never started ends without calling the iterator.
  return streamOf(bytes, () => leads.return?.())
}

/** Bytes as a stream, which are made as they are read. */
export function streamOf(
  bytes: AsyncGenerator<Uint8Array>,
  cancelled?: () => Promise<unknown> | undefined,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await bytes.return(undefined)
        await cancelled?.()
      },
    },
    { highWaterMark: 0 },
  )
}
