// Tickets of exports: short addresses that download an export later, without a key.

import * as v from "valibot"
import type { ContactList } from "../../lead/contacts.ts"
import type { AttributeType } from "../../lead/lead.ts"
import { AppError, notFound } from "../../runtime/errors.ts"
import { BASE_PATH } from "../../runtime/paths.ts"
import { FileLink } from "../../text/json-text.ts"
import { heldKey } from "../access/api-keys.ts"
import { exampleCsv, exampleLead } from "../examples.ts"
import { parseFields, partOf } from "../leads/list/fields.ts"
import { LeadOutput } from "../leads/list/lead-output.ts"
import { type ListSelection, sortOf } from "../leads/list/list.ts"
import { selectionOf } from "../leads/list/selection.ts"
import { type Caller, type Context, contextOf, operation, question } from "../operation.ts"
import { exportQuestion, furtherLists } from "./export.ts"
import { EXPORT_CONTENT_TYPES, type ExportFormat, exportFileName } from "./formats.ts"
import { allColumns, STANDARD_COLUMNS, shapeOfFields } from "./shape.ts"
import { typedAttributes } from "./typed-attributes.ts"

/** Seconds for which a ticket is valid. */
const LIFETIME_S = 15 * 60
const SAMPLE = 3
/** Tickets of an account that are kept; older ones end before their time. */
const TICKETS_MAX = 1_000
/** URI prefix under which MCP clients read an export. */
export const EXPORT_URI = "export://"

type Wanted = ListSelection & { format: ExportFormat; fields?: string[] | undefined }
/** Describes an export for an answer. Throws `bad_request`. */
export const exportSummaryQuestion = question({
  name: "export_summary",
  async run(ctx, wanted: Wanted) {
    const account = ctx.caller.account.key
    const { leads } = ctx.store.read
    const { filter, warnings, segment } = await selectionOf(ctx, wanted)
    const sort = sortOf(wanted, segment)
    const [rows, { rows: first }, names] = await Promise.all([
      leads.count(account, filter),
      leads.list(account, { filter, sort, limit: SAMPLE, after: undefined }),
      wanted.format === "json" || wanted.format === "vcf" ? [] : leads.attributeNames(account, filter),
    ])
    const shown = wanted.fields && parseFields(wanted.fields)
    const sample = first.map((lead) => withoutNothing(JSON.parse(shown ? partOf(lead, shown) : lead.json())))
    const { format } = wanted
    const isWhole = (format === "csv" || format === "xlsx") && !wanted.fields
    const lists = isWhole ? await furtherLists(leads, account, filter) : []
    const types = isWhole ? await typedAttributes(leads, account, { filter, sort }, format) : undefined
    return { rows, columns: columnsOf(wanted, names, lists, types), sample, warnings }
  },
})

/** Returns a link to an export, valid for 15 minutes, with its size. Throws `bad_request`. */
export async function linkExport(ctx: Context, wanted: Wanted): Promise<FileLink> {
  const { warnings, ...summary } = await ctx.questions.ask(exportSummaryQuestion, ctx, wanted)
  const until = ctx.now + LIFETIME_S
  const ticket = await ticketOf(ctx, wanted, until)
  const fileName = exportFileName(wanted.format, ctx.now)
  const origin = ctx.origin()
  const data = {
    ...summary,
    file_name: fileName,
    mime_type: EXPORT_CONTENT_TYPES[wanted.format].split(";", 1)[0]!,
    resource: EXPORT_URI + ticket,
    ...(origin !== undefined && { url: `${origin}${BASE_PATH}/exports/${ticket}`, expires_at: until }),
    ...(warnings.length > 0 && { warnings }),
    message: "Nothing is cut: the resource, or the url without a key, gives all rows as a file",
  }
  const open = () => ctx.questions.ask(exportQuestion, ctx, wanted)
  return new FileLink(data, data.resource, fileName, data.mime_type, open)
}

/** Names of the file's columns. Throws `bad_request` for an unknown field. */
function columnsOf(
  { format, fields }: Wanted,
  attributes: readonly string[],
  lists: readonly ContactList[],
  types: ReadonlyMap<string, AttributeType> | undefined,
): string[] {
  if (format === "vcf") return []
  if (format === "json") return fields ? [...fields] : [...STANDARD_COLUMNS, "attributes"]
  return (fields ? shapeOfFields(fields) : allColumns(attributes, lists, types)).headers
}

/** A lead without its empty fields. */
function withoutNothing(lead: object): object {
  return Object.fromEntries(
    Object.entries(lead).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

/** Keeps what an address stands for, so that it is short whatever is selected. Returns the ticket in it. */
async function ticketOf(ctx: Context, wanted: Wanted, expires_at: number): Promise<string> {
  const { account, keyId: key_id } = ctx.caller
  const ticket = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url")
  const { format, filter, q, sort_by, sort_order, segment, fields } = wanted
  const request = JSON.stringify({ format, filter, q, sort_by, sort_order, segment, fields })
  await ctx.store.write(account.key, (tx) =>
    tx.exportTickets.insert(
      account.key,
      { hash: hashOf(ticket), key_id, wanted: request, expires_at },
      { now: ctx.now, most: TICKETS_MAX },
    ),
  )
  return ticket
}

const hashOf = (ticket: string) => new Bun.CryptoHasher("sha256").update(ticket).digest()

interface Opened {
  caller: Caller
  wanted: Wanted
}

/** The request of a ticket, valid while its key is. Throws `not_found` after it has expired. */
async function readTicket(ctx: Context, ticket: string): Promise<Opened> {
  const row = await ctx.store.read.exportTickets.find(hashOf(ticket))
  if (!row || ctx.now > row.expires_at)
    throw new AppError(
      "not_found",
      "No export has this address. One works for 15 minutes: use it unchanged, or make the export again",
    )
  const account = await ctx.store.read.accounts.find(row.account_id)
  if (!account) throw notFound("Export")
  const { key_id: keyId } = row
  const key = keyId === "local" ? undefined : await heldKey(ctx.store.read, account.key, keyId, ctx.now)
  if (!key && keyId !== "local") throw notFound("Export")
  const caller: Caller = { account, keyId, role: "viewer", actorId: keyId }
  if (key?.segment) caller.segment = key.segment
  return { caller, wanted: JSON.parse(row.wanted) }
}

/** Same check with an API key; other accounts' tickets are not found. */
export const readExport = operation({
  name: "read_export",
  about: "Read an export by its ticket",
  tag: "Exports",
  access: "read",
  forSegments: true,
  input: v.strictObject({ ticket: v.string("must be text") }),
  async run(ctx, { ticket }) {
    const opened = await readTicket(ctx, ticket)
    if (opened.caller.account.id !== ctx.caller.account.id) throw notFound("Export")
    return ctx.questions.ask(exportQuestion, ctx, opened.wanted)
  },
})

export const downloadExport = operation({
  name: "download_export",
  about: "Download an export by the signed address that a tool gave",
  tag: "Exports",
  errors: ["not_found"],
  says: { 200: "The file." },
  example: { answers: { 200: [exampleLead] }, text: exampleCsv },
  access: "open",
  http: "GET /exports/:ticket",
  input: v.strictObject({ ticket: v.string("must be text") }),
  files: Object.values(EXPORT_CONTENT_TYPES),
  output: v.array(LeadOutput),
  async run(ctx, { ticket }) {
    const { caller, wanted } = await readTicket(ctx, ticket)
    return ctx.questions.ask(exportQuestion, contextOf(ctx, caller, ctx.visit), wanted)
  },
})
