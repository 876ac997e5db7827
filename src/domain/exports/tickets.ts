// Tickets of exports: signed URLs that download an export later, without a key.

import { timingSafeEqual } from "node:crypto"
import * as v from "valibot"
import type { ContactList } from "../../core/contacts.ts"
import { AppError, badRequest, notFound } from "../../core/errors.ts"
import { FileLink } from "../../core/json-text.ts"
import type { AttributeType } from "../../core/lead.ts"
import { BASE_PATH } from "../../core/paths.ts"
import { exampleCsv, exampleLead } from "../examples.ts"
import { parseFields, partOf } from "../leads/list/fields.ts"
import { type ListSelection, sortOf } from "../leads/list/list.ts"
import { selectionOf } from "../leads/list/selection.ts"
import { LeadOutput } from "../leads/output.ts"
import { type Caller, type Context, contextOf, operation, question } from "../operation.ts"
import { headerTexts, STANDARD_COLUMNS } from "./columns.ts"
import { exportQuestion, furtherLists } from "./export.ts"
import { EXPORT_CONTENT_TYPES, EXPORT_FORMATS, type ExportFormat, exportFileName } from "./formats.ts"
import { shapeOfFields } from "./shape.ts"
import { typedAttributes } from "./typed-attributes.ts"

/** Seconds for which a ticket is valid. */
const LIFETIME_S = 15 * 60
const SAMPLE = 3
/** Base64url characters of the signature: 96 bits. */
const SIGNATURE_LENGTH = 16
/** Bytes before the JSON of a ticket's payload: the ids of the account and the key, the end, and the format. */
const HEAD = 16 + 16 + 4 + 1
/** URI prefix under which MCP clients read an export. */
export const EXPORT_URI = "export://"

type Wanted = ListSelection & { format: ExportFormat; fields?: string[] | undefined }
/** Contents of a ticket behind its head, by short names: agents pay for each character. */
const TicketRest = v.strictObject({
  f: v.optional(v.array(v.string())),
  q: v.optional(v.string()),
  s: v.optional(v.string()),
  o: v.optional(v.string()),
  g: v.optional(v.string()),
  c: v.optional(v.array(v.string())),
  /** The caller where it has no API key. */
  k: v.optional(v.string()),
})

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
  const ticket = ticketOf(ctx, wanted, until)
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
  return fields ? shapeOfFields(fields).headers : headerTexts(attributes, lists, types)
}

/** A lead without its empty fields. */
function withoutNothing(lead: object): object {
  return Object.fromEntries(
    Object.entries(lead).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

function ticketOf(
  ctx: Context,
  { format, filter, q, sort_by, sort_order, segment, fields }: Wanted,
  until: number,
): string {
  const { account, keyId } = ctx.caller
  const isKey = keyId.startsWith(KEY_PREFIX)
  const head = Buffer.alloc(HEAD)
  head.set(uuidBytes(account.id), 0)
  if (isKey) head.set(uuidBytes(keyId), 16)
  head.writeUInt32BE(until, 32)
  head[HEAD - 1] = EXPORT_FORMATS.indexOf(format)
  const rest: v.InferOutput<typeof TicketRest> = {
    ...(filter?.length && { f: [...filter] }),
    ...(q !== undefined && { q }),
    ...(sort_by !== undefined && { s: sort_by }),
    ...(sort_order !== undefined && { o: sort_order }),
    ...(segment !== undefined && { g: segment }),
    ...(fields && { c: [...fields] }),
    ...(!isKey && { k: keyId }),
  }
  const json = Object.keys(rest).length > 0 ? JSON.stringify(rest) : ""
  const payload = Buffer.concat([head, Buffer.from(json)]).toString("base64url")
  return signatureOf(ctx, payload) + payload
}

const ACCOUNT_PREFIX = "acc_"
const KEY_PREFIX = "key_"

/** The bytes of an id's UUID. */
function uuidBytes(id: string): Uint8Array {
  return Buffer.from(id.slice(-36).replaceAll("-", ""), "hex")
}

function idOf(prefix: string, bytes: Buffer): string {
  const hex = bytes.toString("hex")
  return `${prefix}${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function signatureOf({ secret }: Pick<Context, "secret">, payload: string): string {
  return new Bun.CryptoHasher("sha256", secret)
    .update(`export ${payload}`)
    .digest("base64url")
    .slice(0, SIGNATURE_LENGTH)
}

interface Opened {
  caller: Caller
  wanted: Wanted
}

/** The request of a ticket, valid while its key is. Throws `not_found` after it has expired. */
async function readTicket(ctx: Context, ticket: string): Promise<Opened> {
  const payload = ticket.slice(SIGNATURE_LENGTH)
  const signed = Buffer.from(ticket.slice(0, SIGNATURE_LENGTH))
  const expected = Buffer.from(signatureOf(ctx, payload))
  if (signed.length !== expected.length || !timingSafeEqual(signed, expected))
    throw badRequest("This is no address of an export: use it unchanged")
  const bytes = Buffer.from(payload, "base64url")
  const json = bytes.subarray(HEAD).toString()
  const rest = v.safeParse(TicketRest, json === "" ? {} : JSON.parse(json))
  const format = EXPORT_FORMATS[bytes[HEAD - 1]!]
  if (!rest.success || format === undefined) throw notFound("Export")
  const { f: filter, q, s: sort_by, o: sort_order, g: segment, c: fields, k: other } = rest.output
  const keyId = other ?? idOf(KEY_PREFIX, bytes.subarray(16, 32))
  const until = bytes.readUInt32BE(32)
  if (ctx.now > until)
    throw new AppError(
      "not_found",
      "This address worked for 15 minutes, which are over: make the export again",
    )
  const account = await ctx.store.read.accounts.find(idOf(ACCOUNT_PREFIX, bytes.subarray(0, 16)))
  if (!account) throw notFound("Export")
  const key = keyId === "local" ? undefined : await ctx.store.read.apiKeys.find(account.key, keyId)
  if (!key && keyId !== "local") throw notFound("Export")
  const caller: Caller = { account, keyId, role: "viewer", actorId: keyId }
  if (key?.segment) caller.segment = key.segment
  const wanted = { format, filter, q, sort_by, sort_order, segment, fields }
  return { caller, wanted }
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
