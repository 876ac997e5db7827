// The do-not-contact list as a CSV file: its export, and imports of such files or of any list of emails.
import * as v from "valibot"
import { readCsv } from "../../formats/csv/read-csv.ts"
import type { SourceRow, Table } from "../../formats/rows.ts"
import { described } from "../../lead/described.ts"
import { RequiredLine, whole } from "../../lead/fields.ts"
import { parse } from "../../lead/parse.ts"
import type { SuppressionKind } from "../../lead/suppression-keys.ts"
import { AppError } from "../../runtime/errors.ts"
import { Upload } from "../../runtime/upload.ts"
import { Download } from "../../text/json-text.ts"
import { fold } from "../../text/text.ts"
import { csvLines } from "../exports/csv.ts"
import { streamOf } from "../exports/formats.ts"
import { type Context, operation } from "../operation.ts"
import { addSent, EntryInput, kindOf, readEntry } from "./entry.ts"

/** Bytes of a file of a million emails. */
const BODY_MAX = 64 * 1024 * 1024
/** Entries of a transaction. */
const TOGETHER = 2_000
/** Refused rows that the answer names. */
const ERRORS_MAX = 100
const PAGE = 1_000
const HEADER = ["kind", "value", "reason", "created_at"] as const

/** All entries, or those of a kind, newest first, read page by page while the file is sent. */
export function exportEntries(ctx: Context, kind: SuppressionKind | undefined): Download {
  const day = new Date(ctx.now * 1000).toISOString().slice(0, 10)
  const stream = streamOf(entryLines(ctx, kind))
  return new Download("text/csv; charset=utf-8", `do-not-contact-${day}.csv`, stream, { leads: 0 })
}

async function* entryLines(ctx: Context, kind: SuppressionKind | undefined): AsyncGenerator<Uint8Array> {
  let after: string | undefined
  do {
    const page = { kind, after, limit: PAGE }
    const rows = await ctx.store.read.suppressions.list(ctx.caller.account.key, page)
    const lines = rows.map((row) => [row.kind, row.value, row.reason, row.created_at])
    const text = csvLines(after === undefined ? [[...HEADER], ...lines] : lines).join("")
    if (text !== "") yield Buffer.from(text)
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id
    await ctx.eventLoop.yield()
  } while (after !== undefined)
}

/** Names of columns, folded and without anything but letters. */
const COLUMNS = {
  kind: ["kind", "type"],
  value: ["value", "entry"],
  email: ["email", "emailaddress", "mail"],
  domain: ["domain", "domainname"],
  phone: ["phone", "phonenumber", "mobile", "tel", "telefon"],
  hash: ["hash"],
  reason: ["reason", "note", "comment"],
}

type Role = keyof typeof COLUMNS
type Roles = readonly (Role | undefined)[]

const ROLES = Object.keys(COLUMNS) as Role[]

function rolesOf(names: readonly string[]): Roles {
  const plain = names.map((name) => fold(name).replaceAll(/[^\p{L}]/gu, ""))
  const roles = plain.map((name) => ROLES.find((role) => COLUMNS[role].includes(name)))
  const hasValues = roles.some((role) => role !== undefined && role !== "kind" && role !== "reason")
  // A column without a known name: its values tell what they are.
  return hasValues ? roles : roles.map((role, i) => (i === 0 ? "value" : role))
}

/** The entries of a row: one of each cell with a contact. */
function entriesIn(roles: Roles, { values }: SourceRow): { kind?: string; value: string; reason?: string }[] {
  const cell = (role: string) => textOf(values[roles.indexOf(role as "kind")])
  const kind = roles.includes("kind") ? cell("kind").toLowerCase() : ""
  const reason = roles.includes("reason") ? cell("reason") : ""
  return roles.flatMap((role, i) => {
    const value = textOf(values[i])
    if (value === "" || role === undefined || role === "kind" || role === "reason") return []
    const said = role === "value" ? kind : role
    return { value, ...(said && { kind: said }), ...(reason && { reason }) }
  })
}

/** Without the apostrophe that keeps spreadsheets from reading a formula. */
const textOf = (value: unknown) =>
  String(value ?? "")
    .trim()
    .replace(/^'(?=[=+\-@])/, "")

const ImportedOutput = v.strictObject({
  added: whole(0),
  existing: whole(0),
  rejected: whole(0),
  errors: v.array(v.strictObject({ line: whole(1), message: v.string() })),
})
type Imported = v.InferOutput<typeof ImportedOutput>

export const importSuppressions = operation({
  name: "import_suppressions",
  about: "Add the entries of a CSV file to the do-not-contact list",
  tag: "Do not contact",
  note: "Takes an export of `GET /suppressions?format=csv`, and any CSV with a column `email`, `domain`, `phone` or `value`, or without names of columns. A bad row is left out and named; what is on the list already stays as it is. At most 64 MiB.",
  example: {
    body: "kind,value,reason\nemail,anna@example.com,asked by phone\ndomain,example.org,\n",
    answers: { 200: { added: 2, existing: 0, rejected: 0, errors: [] } },
  },
  access: "write",
  http: "POST /suppressions/import",
  input: described(
    v.strictObject({
      reason: v.optional(RequiredLine),
      file: v.instance(Upload, "is required: send it as the body"),
    }),
    { reason: "The default reason of a row." },
  ),
  query: ["reason"],
  upload: { name: "file", types: ["text/csv"] },
  bodyMax: BODY_MAX,
  paced: true,
  output: described(ImportedOutput, {
    added: "New entries.",
    existing: "Entries that were on the list already.",
    rejected: "Rows that were left out.",
    "errors[].line": "Line of the file, from 1.",
    "errors[].message": "Why.",
    errors: "Why, for the first 100.",
  }),
  run: (ctx, { file, reason }) => importEntries(ctx, file, reason),
})

async function importEntries(ctx: Context, file: Upload, reason: string | undefined): Promise<Imported> {
  const { default_country } = ctx.caller.account
  const report: Imported = { added: 0, existing: 0, rejected: 0, errors: [] }
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  let waiting: ReturnType<typeof readEntry>[] = []
  async function store(): Promise<void> {
    if (waiting.length === 0) return
    const { added } = await addSent(ctx, waiting)
    report.added += added
    report.existing += waiting.length - added
    waiting = []
  }
  const table = await readCsv(file.bytes)
  for await (const { roles, row } of rowsOf(table)) {
    for (const sent of entriesIn(roles, row)) {
      try {
        const entry = parse(EntryInput, { ...(reason && { reason }), ...sent })
        waiting.push(readEntry(entry, default_country))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        report.rejected++
        if (report.errors.length < ERRORS_MAX) report.errors.push({ line: row.line, message: error.message })
      }
    }
    if (waiting.length >= TOGETHER) await store()
    await yieldIfDue()
  }
  await store()
  return report
}

/** The rows of a file. Where the first line names no columns, it is a row like the others. */
async function* rowsOf({ names = [], rows }: Table): AsyncGenerator<{ roles: Roles; row: SourceRow }> {
  const roles = rolesOf(names)
  if (names.some((name) => /[@\d.]/.test(name) && kindOf(name.trim()) !== undefined))
    yield { roles, row: { line: 1, names, values: [...names] } }
  for await (const some of rows) for (const row of some) yield { roles, row }
}
