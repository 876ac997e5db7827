// Records of imports.

import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { count, Line, whole } from "../../../lead/fields.ts"
import type { Json } from "../../../lead/lead.ts"
import { AppError, notFound } from "../../../runtime/errors.ts"
import type { Upload } from "../../../runtime/upload.ts"
import { IMPORT_STATES, type ImportRow, type Reads, type Transaction } from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import { IMPORT_ID, NOW } from "../../examples.ts"
import { type Context, operation } from "../../operation.ts"
import type { ImportWarning } from "../cells/told.ts"
import type { ImportOptions } from "../reader/options.ts"
import { COUNT_WORDS, exampleReport, ImportOutput, type ImportReport } from "./report.ts"
import { countedPart, type ImportSession, newTally, type RowCounts, reportOf } from "./session.ts"

const EXAMPLE_KEY = "key_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3"
const exampleImport = {
  ...{ id: IMPORT_ID, name: "fair.csv", file_name: "fair.csv", state: "done" },
  ...{ actor_id: EXAMPLE_KEY, key_id: EXAMPLE_KEY, preset: null },
  ...{ created: 0, merged: 1, skipped: 0, rejected: 1, warnings: 0 },
  progress: { done: 2, of: 2, rate: 900, seconds_left: 0 },
  ...{ job: null, undo_job: null, error: null, code: null },
  ...{ created_at: NOW, ended_at: NOW, undone_at: null },
}

const time = v.nullable(count)
const text = v.nullable(v.string())

const summaryEntries = {
  ...{ id: v.string(), name: v.string(), file_name: text, state: v.picklist(IMPORT_STATES) },
  ...{ actor_id: v.string(), key_id: v.string(), preset: text },
  ...{ created: count, merged: count, skipped: count, rejected: count, warnings: count },
  progress: v.strictObject({
    ...{ done: count, of: v.nullable(count), rate: v.nullable(v.number()) },
    seconds_left: v.nullable(v.number()),
  }),
  ...{ job: text, undo_job: text, error: text, code: text },
  ...{ created_at: count, ended_at: time, undone_at: time },
}
/** Descriptions of an import, alone and in a list. */
const summaryWords = {
  id: "`imp_` and a UUID.",
  name: "For people; defaults to the file's name.",
  file_name: "As it was sent.",
  state: "State of the import; `interrupted`: cut off, and nothing goes on with it.",
  actor_id: "Who imported.",
  key_id: "With which API key.",
  preset: "The program whose files look so; null for any other.",
  ...COUNT_WORDS,
  warnings: "How many warnings there are.",
  "progress.done": "Rows processed.",
  "progress.of": "Rows in all; null while unknown.",
  "progress.rate": "Rows a second.",
  "progress.seconds_left": "Seconds until it is done.",
  progress: "Progress.",
  job: "Id of its job; null for an import without one.",
  undo_job: "Id of the job that undoes it; null without one.",
  error: "Reason of the failure.",
  code: "The code of that error, as REST answers it; null where there is none.",
  ended_at: "Unix seconds.",
  undone_at: "Unix seconds.",
}
export const ImportRecordOutput = named("Import", v.strictObject(summaryEntries), summaryWords)
export const ImportDetailOutput = v.strictObject({ ...summaryEntries, report: v.nullable(ImportOutput) })

interface NewImport {
  /** Made from this file; the import is named after it unless the options name it. */
  file: Upload
  options: ImportOptions
  session: ImportSession
  job?: string
  aliveUntil?: number
}

/** Inserts the row of a new import, by which a repeat of the request finds it. The result is its name. */
export async function insertRecord(
  ctx: Context,
  tx: Transaction,
  id: string,
  { file, options, session, job, aliveUntil }: NewImport,
): Promise<string> {
  const account = ctx.caller.account.key
  const report = reportOf(session, newTally(), { id, dry_run: false })
  const name = options.name ?? file.fileName ?? "leads"
  await tx.imports.insert(account, {
    id,
    name: name.slice(0, 1_000),
    file_name: file.fileName ?? null,
    state: "running",
    actor_id: ctx.caller.actorId,
    key_id: ctx.caller.keyId,
    ...{ job: job ?? null, undo_job: null, done: 0, total: null },
    report: kept({ report, error: null, began: ctx.clock.now() }),
    ...{ created_at: ctx.now, ended_at: null, undone_at: null, alive_until: aliveUntil ?? null },
  })
  if (ctx.visit?.mark) await tx.idempotency.runsImport(account, ctx.visit.mark, id)
  return name
}

// How far a background import is: its job keeps the counts of each slice, in the transaction of its rows. The report beside
// its row is written less often.

/** The state that a slice leaves for the next: the rows done, and their counts. */
export interface Progress {
  rows: number
  tally: RowCounts
}

/** The report of an import, stored next to its row. */
interface KeptReport {
  report: ImportReport | null
  error: string | null
  /** SHA-256 of the file; older reports lack it. */
  digest?: string | null
  /** The code of the error, as REST would answer with it. */
  code?: string
  /** Where the file was opened to go on, and how often from there. */
  opened?: { rows: number; times: number }
  /** Unix milliseconds when the first rows were pushed. */
  began: number | null
}

/** A report as it is stored. */
export const kept = (report: KeptReport) => report as unknown as Json

export function keptReport(row: ImportRow): KeptReport {
  const saved = row.report as unknown as KeptReport
  if (!saved.report) return saved
  // Reports of older versions lack what was guessed, and have an empty list of merges.
  const { guesses = [], dropped = [], merges } = saved.report
  return {
    ...saved,
    report: { ...saved.report, guesses, dropped, merges: Array.isArray(merges) ? null : merges },
  }
}

/** The row of an import with the counts of all rows that are in. */
export async function asItIs(
  { jobs }: Pick<Reads, "jobs">,
  account: number,
  row: ImportRow,
): Promise<ImportRow> {
  if (row.state !== "running" || row.job === null) return row
  const progress = (await jobs.progress(account, row.job)) as Progress | undefined
  const saved = keptReport(row)
  if (!progress || !saved.report) return row
  const { warnings, asked, summary } = saved.report
  const isAsking = asked !== undefined
  const counted = countedPart(progress.tally, { listed: warnings.length, room: summary.room, isAsking })
  return {
    ...row,
    done: progress.rows,
    report: kept({ ...saved, report: { ...saved.report, ...counted } }),
  }
}

/** The job kind of background imports. */
export const IMPORT_KIND = "import"
/** Imports that are read at once, newest first: reports are long, and what is looked for is rarely old. */
const LOOKED_AT = 5
const RUNNING_MAX = 1_000

/** Finds one of the newest imports of an account, among `most`. `pause` is awaited between those that are read at once. */
async function findImport(
  imports: Pick<Transaction["imports"], "list">,
  account: number,
  { most, pause }: { most: number; pause?: () => Promise<void> | undefined },
  isMeant: (row: ImportRow) => boolean,
): Promise<ImportRow | undefined> {
  let after: string | undefined
  for (let looked = 0; looked < most; looked += LOOKED_AT) {
    const rows = await imports.list(account, LOOKED_AT, after)
    const row = rows.find(isMeant)
    if (row || rows.length < LOOKED_AT) return row
    after = rows.at(-1)!.id
    await pause?.()
  }
  return undefined
}

/** The import of a running job, with the counts of all rows that are in. */
export async function runningImportOf(
  ctx: Context,
  tx: Transaction,
  job: string,
): Promise<ImportRow | undefined> {
  const account = ctx.caller.account.key
  const isMeant = (row: ImportRow) => row.job === job && row.state === "running"
  const record = await findImport(tx.imports, account, { most: RUNNING_MAX }, isMeant)
  return record && asItIs(tx, account, record)
}

/** Imports among which the same file is looked for, newest first. */
const BEFORE_MAX = 50

/** The warning about a file whose bytes were imported before; undefined where they were not, or it was undone. */
export async function importedBefore(
  { store, caller, now, eventLoop }: Context,
  digest: string | null,
  ownId: string | null = null,
): Promise<ImportWarning | undefined> {
  if (digest === null) return undefined
  const row = await findImport(
    store.read.imports,
    caller.account.key,
    { most: BEFORE_MAX, pause: eventLoop.yieldEvery() },
    (one) => one.id !== ownId && one.state === "done" && keptReport(one).digest === digest,
  )
  if (!row) return undefined
  const minutes = Math.max(1, Math.round((now - row.created_at) / 60))
  const days = `${Math.round(minutes / 1440)} days`
  const hours = minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : days
  const ago = minutes < 120 ? `${minutes} min` : hours
  const message = `this file was imported ${ago} ago as "${excerpt(row.name)}" (${row.id}): its rows repeat those`
  return { line: 1, column: "", value: row.id, kind: "imported_before", message }
}

/** Why an import ended before its last row, as its record says it. */
export type Failure = Pick<KeptReport, "error" | "code">

export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError))
    return { error: "Something went wrong on our side", code: "internal_error" }
  return { error: error.message, code: error.toRest().code }
}

/** Ends an import before its last row: imported rows stay and can be undone; `reason` says why it ended. */
export async function endEarly(
  ctx: Context,
  tx: Transaction,
  row: ImportRow,
  reason: Failure,
): Promise<void> {
  await tx.imports.update(ctx.caller.account.key, row.id, {
    ...{ state: "failed", ended_at: ctx.now },
    report: kept({ ...keptReport(row), ...reason }),
  })
}

/** Seconds after which the rate of an import tells how long the rest takes. */
const STEADY_S = 3

function importOutput(ctx: Context, row: ImportRow) {
  const { report, error, code = null, began } = keptReport(row)
  const seconds = began === null ? 0 : ((row.ended_at ? row.ended_at * 1000 : ctx.clock.now()) - began) / 1000
  const rate = seconds > 0 && row.done > 0 ? Math.round(row.done / seconds) : null
  const isRunning = row.state === "running"
  // The first rows wait for all that is loaded at first, and would foretell minutes.
  const isSteady = isRunning && seconds >= STEADY_S
  const left = isSteady && rate && row.total !== null ? Math.round((row.total - row.done) / rate) : null
  const { id, name, file_name, state, actor_id, key_id, job, undo_job } = row
  const { created = 0, merged = 0, skipped = 0, rejected = 0 } = report ?? {}
  const warnings = Object.values(report?.summary.warnings ?? {}).reduce((sum, n) => sum + n, 0)
  const progress = { done: row.done, of: row.total, rate, seconds_left: isRunning ? left : 0 }
  return {
    ...{ id, name, file_name, state, actor_id, key_id, preset: report?.preset ?? null },
    ...{ created, merged, skipped, rejected, warnings, progress, job, undo_job, error, code },
    ...{ created_at: row.created_at, ended_at: row.ended_at, undone_at: row.undone_at },
  }
}

export const listImports = operation({
  name: "list_imports",
  about: "Imports, newest first",
  tag: "Imports",
  note: "A page begins behind `after`, the id of the last import of the page before.",
  example: { answers: { 200: { imports: [exampleImport], count: 1 } } },
  access: "read",
  http: "GET /imports",
  input: described(v.strictObject({ limit: v.optional(whole(1, 1_000)), after: v.optional(Line) }), {
    after: "Id of the last import of the page before.",
  }),
  output: described(v.strictObject({ imports: v.array(ImportRecordOutput), count }), {
    imports: "Newest first.",
  }),
  async run(ctx, { limit = 50, after }) {
    const rows = await ctx.store.read.imports.list(ctx.caller.account.key, limit, after)
    const imports: ReturnType<typeof importOutput>[] = []
    for (const row of rows)
      imports.push(importOutput(ctx, await asItIs(ctx.store.read, ctx.caller.account.key, row)))
    return { imports, count: rows.length }
  },
})

/** Throws `not_found` for a missing import and one of another account. */
export async function getImportRow(ctx: Context, id: string): Promise<ImportRow> {
  const row = await ctx.store.read.imports.find(ctx.caller.account.key, id)
  if (!row) throw notFound("Import")
  return row
}

export const getImport = operation({
  name: "get_import",
  about: "One import: how far it is, what it did, its columns and warnings",
  tag: "Imports",
  note: "While it runs, `done` counts on; once it has ended, the answer stays the same until the import is undone.",
  example: {
    answers: {
      200: { ...exampleImport, report: { ...exampleReport, id: IMPORT_ID, dry_run: false, merges: null } },
    },
  },
  access: "read",
  http: "GET /imports/:id",
  input: described(v.strictObject({ id: v.string() }), { id: "`imp_` and a UUID." }),
  output: described(ImportDetailOutput, {
    ...summaryWords,
    report: "The report; null until the first rows are imported.",
  }),
  async run(ctx, { id }) {
    const row = await asItIs(ctx.store.read, ctx.caller.account.key, await getImportRow(ctx, id))
    const isBefore = row.state === "running" && row.done === 0
    return { ...importOutput(ctx, row), report: isBefore ? null : keptReport(row).report }
  },
})
