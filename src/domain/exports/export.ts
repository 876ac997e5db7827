import * as v from "valibot"
import type { Condition, LeadFilter, LeadSort } from "../../filters/lead-query.ts"
import { CONTACTS, type ContactList } from "../../lead/contacts.ts"
import { described } from "../../lead/described.ts"
import { OptionalFlag, oneOf } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { LeadReads, StoredLead } from "../../store/contract/store.ts"
import { Download } from "../../text/json-text.ts"
import { fold } from "../../text/text.ts"
import { exampleCsv, exampleLead } from "../examples.ts"
import { FieldNames, parseFields } from "../leads/list/fields.ts"
import { listWords } from "../leads/list/filter-words.ts"
import { LeadOutput } from "../leads/list/lead-output.ts"
import { type ListSelection, leadSelectionEntries, sortOf } from "../leads/list/list.ts"
import { selectionOf } from "../leads/list/selection.ts"
import { operation, question, type ReadContext } from "../operation.ts"
import {
  EXPORT_CONTENT_TYPES,
  EXPORT_FORMATS,
  type ExportFormat,
  exportFileName,
  exportStream,
} from "./formats.ts"
import { EXPORT_PRESETS } from "./presets.ts"
import { DATE_FORMS, DATES_DEFAULT, shapeOfFields, shapeOfPreset } from "./shape.ts"
import { typedAttributes } from "./typed-attributes.ts"

/**
 * Leads after which garbage is collected, since exports otherwise take 30 MB more. A collection takes some 25 ms:
 * every 16,000 leads it cost 2 us a lead, a third of a JSON export. Parsed leads leave more garbage.
 */
const COLLECTED: Record<ExportFormat, number> = { csv: 64_000, json: 64_000, xlsx: 16_000, vcf: 16_000 }

/** Options of tables. */
const tableEntries = {
  fields: FieldNames,
  preset: v.optional(oneOf(EXPORT_PRESETS)),
  dates: v.optional(oneOf(DATE_FORMS)),
  bom: OptionalFlag,
}
const TableOptions = v.strictObject(tableEntries)
type Wanted = ListSelection & {
  format: ExportFormat
  /** The number of leads after which the file ends. */
  most?: number | undefined
} & v.InferOutput<typeof TableOptions>

/** Exports the selected leads as a file that is generated while it is read. Throws `bad_request`. */
export async function exportLeads(
  ctx: ReadContext,
  { fields, preset, dates, bom, most = Number.POSITIVE_INFINITY, ...selection }: Wanted,
): Promise<Download> {
  const account = ctx.caller.account.key
  const { leads } = ctx.store.readThrough
  const { format } = selection
  const { filter, segment } = await selectionOf(ctx, selection)
  const sort = sortOf(selection, segment)
  if (fields && preset)
    throw badRequest("fields and preset both say which columns there are: give one of them")
  if (format === "vcf" && (fields || preset || bom))
    throw badRequest("fields, preset and bom are for tables: vCards have properties of their own")
  if (format === "json" && (preset || bom))
    throw badRequest("preset and bom are for tables: use format csv or xlsx")
  const isTable = format === "csv" || format === "xlsx"
  const lists = isTable && !fields ? await furtherLists(leads, account, filter) : []
  const shape = preset ? shapeOfPreset(preset, lists) : fields && isTable ? shapeOfFields(fields) : undefined
  const shown = fields && !isTable ? parseFields(fields) : undefined
  const [count, attributeNames] = await Promise.all([
    format === "xlsx" ? leads.count(account, filter) : 0,
    !isTable || shape ? [] : leads.attributeNames(account, filter),
  ])
  const attributeTypes =
    attributeNames.length > 0 && isTable
      ? await typedAttributes(leads, account, { filter, sort }, format)
      : undefined
  const times = dates ?? (isTable ? DATES_DEFAULT[format] : undefined)
  // Programs, which read Unix seconds, read ids as well.
  const isForPeople = isTable && !preset && times !== "unix"
  const names = isForPeople ? await namesByIds(ctx) : undefined
  const progress = { leads: 0 }
  const chunks = chunksOf(ctx, { filter, sort, most }, COLLECTED[format], progress)
  const stream = exportStream(format, {
    eventLoop: ctx.eventLoop,
    ...{ count, attributeNames, ...(attributeTypes && { attributeTypes }), lists, chunks, shape, shown, bom },
    ...(names && { names }),
    zone: ctx.caller.account.time_zone,
    dates: times,
    ...(leads.plainLines && { plainLines: leads.plainLines }),
  })
  return new Download(EXPORT_CONTENT_TYPES[format], exportFileName(format, ctx.now), stream, progress)
}

/** The names of stages and members by their ids, but those that two have; another account has other ids. */
async function namesByIds(ctx: ReadContext): Promise<ReadonlyMap<string, string>> {
  const { key } = ctx.caller.account
  const { stages, members } = ctx.store.readThrough
  const all = (await Promise.all([stages.list(key), members.list(key)])).flat()
  const counts = new Map<string, number>()
  for (const { name } of all) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1)
  return new Map(all.flatMap(({ id, name }) => (counts.get(fold(name)) === 1 ? [[id, name]] : [])))
}

/** The lists that some of the leads have more than one of, or a label. */
export async function furtherLists(
  leads: Pick<LeadReads, "count">,
  account: number,
  { all, any }: LeadFilter,
): Promise<ContactList[]> {
  const lists: ContactList[] = []
  for (const [list, field] of CONTACTS) {
    const text = { operator: "contains" as const, values: [""] }
    const some: Condition = { on: "contact", not: false, field, text }
    if ((await leads.count(account, { all: [...all, some], any })) > 0) lists.push(list)
  }
  return lists
}

/** Pages of leads; `progress` gets the number read so far. */
async function* chunksOf(
  ctx: ReadContext,
  { most, ...selection }: { filter: LeadFilter; sort: LeadSort; most: number },
  collected: number,
  progress: { leads: number },
): AsyncGenerator<StoredLead[]> {
  for await (const rows of ctx.store.readThrough.leads.walk(ctx.caller.account.key, selection)) {
    const room = most - progress.leads
    if (rows.length >= room) {
      if (room > 0) yield rows.slice(0, room)
      progress.leads = most
      return
    }
    yield rows
    progress.leads += rows.length
    if (progress.leads % collected < rows.length) Bun.gc(true)
  }
}

/** A file of leads. */
export const exportQuestion = question({
  name: "export",
  run: (ctx, wanted: Wanted) => exportLeads(ctx, wanted),
})

export const exportLeadsOperation = operation({
  name: "export_leads",
  about: "Export all matching leads as a CSV, JSON, XLSX or vCard file",
  tag: "Exports",
  note: `All matching leads in one answer, without pages. Filters and sort are those of \`GET /leads\`. A workbook, and a CSV whose dates are not Unix seconds, name owners and stages.`,
  says: { 200: "The file." },
  example: { answers: { 200: [exampleLead] }, text: exampleCsv },
  access: "read",
  forSegments: true,
  http: "GET /leads/export",
  input: described(
    v.strictObject({ ...leadSelectionEntries, format: oneOf(EXPORT_FORMATS), ...tableEntries }),
    {
      ...listWords,
      format: "Format of the file.",
      fields:
        "Only these: names with commas between them, `attr:<name>` too. In lists with the id, and leads lack the others.",
      preset: "Columns in the format of another program.",
      dates:
        "Times in tables: `unix` seconds (default of a CSV), `iso` as `2026-11-22T09:05:00Z`, `excel` as spreadsheets read them, in the account's time zone (default of a workbook).",
      bom: "Adds a BOM for Excel to a CSV.",
    },
  ),
  files: Object.values(EXPORT_CONTENT_TYPES),
  output: v.array(LeadOutput),
  run: (ctx, wanted) => ctx.questions.ask(exportQuestion, ctx, wanted),
})
