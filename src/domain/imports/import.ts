// Imports leads from a file: every row is pushed like POST /leads, some hundred in each transaction.
import * as v from "valibot"
import { IMPORT_CONTENT_TYPES } from "../../formats/any/open.ts"
import { spoolFolder } from "../../formats/spool.ts"
import { described } from "../../lead/described.ts"
import { Line, OptionalFlag, oneOf } from "../../lead/fields.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { Tally } from "../../runtime/tally.ts"
import { Upload } from "../../runtime/upload.ts"
import type { PushTransaction } from "../../store/contract/store.ts"
import { inBatch } from "../batch.ts"
import { IMPORT_ID, JOB_ID } from "../examples.ts"
import { ON_SUPPRESSED_WORDS } from "../leads/write/account-settings.ts"
import { type Context, operation, toolOf } from "../operation.ts"
import type { Wording } from "./detect/mapping.ts"
import { UNKNOWN } from "./detect/plan.ts"
import { type ImportOptions, importEntries } from "./reader/options.ts"
import { ImportStartedOutput, startBackground } from "./run/background.ts"
import { becameOfImport } from "./run/cut-off.ts"
import { mappingWords, rememberMapping } from "./run/mappings.ts"
import { garbageCollection, type Pace, refsOf, untilWanted } from "./run/push.ts"
import { beginRecord, type ForegroundRecord } from "./run/record.ts"
import { failureOf, importedBefore } from "./run/records.ts"
import { exampleReport, ImportOutput, type ImportReport, mergeCounter } from "./run/report.ts"
import {
  fillTransaction,
  type ImportSession,
  type ImportTally,
  newTally,
  openImportSession,
  pushAhead,
  type ReadRow,
  reportOf,
  shortReport,
  soFar,
  warningGroups,
  warnOfFile,
} from "./run/session.ts"
import { spooledUnderWay } from "./run/under-way.ts"
import { undoImportById } from "./undo.ts"

/** Bytes of a body. It is read as a stream, so the limit only stops a runaway upload. */
const BODY_MAX = 2 * 1024 * 1024 * 1024
/** A commit writes most pages of the indexes, so a transaction of more rows would delay readers for longer. */
const PACE: Pace = { among: 50, alone: 2_000, rows: 1_500 }
/** Other processes may wait for the locks of this one, which cannot know of it. */
const PACE_ELSEWHERE: Pace = { among: 50, alone: 50, rows: 1_000 }
/** A dry run holds no lock, so only its memory limits a batch. */
const PACE_DRY_RUN: Pace = { among: Infinity, alone: Infinity, rows: 100 }

/** Callbacks and options of the caller that waits for an import. */
export interface ImportWatch {
  /** Syntax of hints in messages. */
  wording?: Wording
  /** The pace of the next transaction. */
  pace?(): Promise<Pace>
  progress?(tally: Readonly<ImportTally>, bytesRead: number): void
  /** Takes rows that were rejected, with their names and values. */
  rejected?(row: ReadRow, message: string): void
  /** Ends the import after the current transaction. */
  isStopped?(): boolean
  /** No other requests are served by this process. */
  isAlone?: true
}

/**
 * Imports a file. Throws `bad_request` when it cannot be read, or not to its end: rows imported by then stay, and the
 * message says how many. Rows that fail alone are errors in the report.
 */
export async function importLeads(
  ctx: Context,
  file: Upload,
  asked: ImportOptions = {},
  watch: ImportWatch = {},
): Promise<ImportReport> {
  const upload = spooledUnderWay(ctx, file)
  try {
    return await importUpload(ctx, upload.file, asked, watch)
  } finally {
    await upload.end()
  }
}

async function importUpload(
  ctx: Context,
  file: Upload,
  asked: ImportOptions,
  watch: ImportWatch,
): Promise<ImportReport> {
  const { dry_run = false } = asked
  const session = await openImportSession(ctx, file, asked, {
    wording: watch.wording,
    keepsValues: watch.rejected !== undefined,
  })
  const tally: ImportTally = { ...newTally(), ...(hasDetails(asked) && { warningGroups: warningGroups() }) }
  let record: ForegroundRecord | undefined
  try {
    record = dry_run ? undefined : await beginRecord(ctx, file, session)
    await pushAll(ctx, session, tally, watch, record)
    const before = await importedBefore(ctx, session.file.digest, record?.id)
    if (before) warnOfFile(tally, before)
    const report = reportOf(session, tally, {
      ...{ id: record?.id ?? null, dry_run },
      details: hasDetails(asked),
    })
    await record?.end(report)
    if (!dry_run) await rememberMapping(ctx, session.options, session.file.names)
    return report
  } catch (error) {
    const id = record?.id ?? null
    await record?.end(reportOf(session, tally, { id, dry_run }), failureOf(error)).catch(() => undefined)
    if (!(error instanceof AppError) || dry_run || tally.total === 0) throw error
    throw new AppError(error.kind, `${error.message}. ${soFar(tally, error.kind)}`, { cause: error })
  } finally {
    record?.stop()
    await session.file.close()
  }
}

const hasDetails = ({ dry_run = false, details = false }: ImportOptions) => dry_run && details

async function pushAll(
  request: Context,
  session: ImportSession,
  tally: ImportTally,
  watch: ImportWatch,
  record: ForegroundRecord | undefined,
): Promise<void> {
  const ctx = inBatch(request, record?.id)
  const { account } = ctx.caller
  const overlay = record ? undefined : ctx.store.overlay(account, spoolFolder())
  const merges = overlay && mergeCounter(tally.merges, overlay)
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  const collect = garbageCollection(watch.isAlone ? "synchronous" : "concurrent")
  const ahead: ReadRow[] = []
  const nextPace = async () =>
    overlay ? PACE_DRY_RUN : ((await watch.pace?.()) ?? (ctx.store.isElsewhere ? PACE_ELSEWHERE : PACE))
  let pace = await nextPace()

  /** Pushes converted rows, as many as one transaction should hold. */
  async function pushSome(): Promise<void> {
    const isPlan = merges !== undefined && !merges.isComplete()
    const push = (tx: PushTransaction) => {
      const isWanted = untilWanted(ctx, yieldIfDue, pace)
      const isEnough = () => {
        collect(0.5)
        return isWanted()
      }
      return pushAhead(ctx, tx, session, { ahead, tally }, isEnough, isPlan)
    }
    const done = overlay
      ? await overlay.write(push)
      : await ctx.store.write(account.key, async (tx) => {
          const done = await push(tx)
          await record?.note(tx, done.tally, refsOf(done.pushed))
          return done
        })
    ahead.splice(0, done.taken)
    Object.assign(tally, done.tally)
    pace = await nextPace()
    for (const [i, { outcome, isSkipped }] of done.pushed.entries()) {
      if (isSkipped) continue
      const row = done.rows[i]!
      if ("error" in outcome) watch.rejected?.(row, outcome.error)
      else merges?.note(row, outcome.value)
    }
    watch.progress?.(tally, session.file.bytes)
  }

  try {
    for await (const rows of session.rows()) {
      for (const row of rows) {
        ahead.push(row)
        collect(0.5)
        const pause = yieldIfDue()
        if (pause) await pause
        if (ahead.length >= pace.rows) await pushSome()
      }
      while (fillTransaction(ahead)) await pushSome()
      if (watch.isStopped?.()) return
    }
    while (ahead.length > 0 && !watch.isStopped?.()) await pushSome()
  } finally {
    overlay?.close()
  }
}

export const importLeadsOperation = operation({
  name: "import_leads",
  about: "Import leads from a CSV, JSON, NDJSON, XLSX or vCard file",
  tag: "Imports",
  errors: ["not_found", "conflict", "file_too_costly", "storage_limit_reached"],
  note: `Every row is handled like \`POST /leads\`: duplicates are merged, also those within the file, and an invalid row fails alone. The file is the body, with its content type, or the \`file\` of a form; it is streamed and has at most 2 GiB, a row 1 MiB.

The format is detected: CSV separated by comma, semicolon, tab or bar, in any usual encoding, JSON (an array, or an object around one), lines of JSON, XLSX, vCards, and ZIP or gzip of these. Columns are recognised by their names in seven languages, by the program that wrote them, and by their values; unmatched columns become attributes with the type of their values. \`map\` overrides this: \`Firm:name\`, \`Seats:attr:seats:number\`, \`Junk:-\` to skip one. Exports can be imported again. A value that does not fit its column is left out with a warning; only a row without any possible name is rejected.

The mapping is remembered for the next file with the same header; \`save_mapping\` saves it under a name, \`mapping\` uses it. With \`background\` the answer is 202 with the import's id as soon as the file is saved; the import continues in the background, even after a restart.

Rows are saved in many small transactions, so that other requests are served in between. When the upload breaks off, saved rows are kept and the message says how many; importing the whole file again merges it. When the service itself is cut off, the import ends as \`interrupted\`: it is listed with its counts and can be undone, and a repeat with the same \`Idempotency-Key\` answers with its report so far, \`state\` and \`error\`. An import is one request of the limit and one \`leads.created\` or \`leads.updated\` event for each transaction; the plan's batch size does not apply, its leads do. With \`dry_run\` nothing is changed and the answer is the report that the import would give.`,
  says: {
    202: "The import runs in the background: `GET /imports/{id}` shows its progress.",
    200: "The report, even when rows were rejected.",
  },
  example: {
    body: "Company,E-Mail,City,Seats,Rating\nTrattoria Da Nino,nino@example.com,Berlin,40,great\n,,Berlin,,\n",
    answers: {
      200: exampleReport,
      202: {
        id: IMPORT_ID,
        job: JOB_ID,
        name: "fair.csv",
        preset: null,
        columns: [{ column: "Company", target: "name", example: "Trattoria Da Nino", filled: 0 }],
        room: null,
      },
    },
  },
  access: "write",
  http: "POST /leads/import",
  input: described(
    v.strictObject({
      ...importEntries,
      background: OptionalFlag,
      file: v.instance(Upload, "is required: send it as the body"),
    }),
    {
      name: "Name of the import; defaults to the file's name.",
      format: "Format of the file.",
      map: mappingWords.map,
      map_value: mappingWords.map_value,
      unknown: {
        type: "string",
        enum: [...UNKNOWN],
        default: "attributes",
        description: "Unmatched columns: keep as attributes, ignore, or refuse.",
      },
      source: "Default source.",
      sheet:
        "Sheet of a workbook, by name, or `all` for those that look like leads; defaults to the one that looks most like them.",
      header:
        "Whether the first row names the columns; detected by default. `false` calls them `Column 1` and so on.",
      encoding: "Encoding of a text file, such as `windows-1252`; detected by default.",
      decimal: "Decimal separator; detected by default. `dot` is the older name of `point`.",
      date_order: "What comes first in dates such as 03/04/2024; detected by default.",
      on_duplicate:
        "If the lead already exists: `overwrite` its fields (default), `fill` only empty fields, `skip` it, or `ask`: a merge by a shared mailbox (`info@`) or by a phone that several have becomes a pair of the duplicates queue where the names differ, and leads of another source keep their name, source and source_id.",
      on_suppressed: ON_SUPPRESSED_WORDS,
      tags: "Tags on existing leads: `add` (default) or replace.",
      keep: "Fields that a merge must not touch: `source,name`.",
      mapping: "The name of a saved mapping to use.",
      save_mapping: "The name under which the mapping is kept.",
      dry_run: "Changes nothing; returns what would happen.",
      details:
        "With `dry_run`: also the values of statuses and tags, warnings by value, and the options of the mapping.",
      background: "Answers 202 at once and runs in the background.",
    },
  ),
  query: [...Object.keys(importEntries), "background"],
  upload: { name: "file", types: Object.keys(IMPORT_CONTENT_TYPES) },
  bodyMax: BODY_MAX,
  paced: true,
  output: described(v.union([ImportOutput, ImportStartedOutput]), {
    id: "Id of the import.",
    name: "Name of the import.",
    job: "Id of the job.",
    preset: "The program whose files look so; null for any other.",
    columns: "Where each column goes.",
    "room.plan": "Name of the plan.",
    "room.leads_limit": "Leads that it keeps.",
    "room.leads_used": "Leads it has.",
    "room.leads_left": "Leads it can still take.",
    room: "Room that the plan has left; null without a limit.",
  }),
  otherStatuses: [202],
  becameOf: becameOfImport,
  async run(ctx, { file, background = false, ...options }) {
    if (!background) return withShare(ctx, () => importLeads(ctx, file, options))
    if (options.dry_run) throw badRequest("a dry run answers at once: send it without background")
    return startBackground(ctx, file, options)
  },
})

/** Concurrent imports of an account: each one keeps the writer busy and its rows in memory. */
const IMPORTS_OF_ONE = 2
const running = new WeakMap<object, Tally<number>>()

/** Throws `rate_limit_exceeded` for an account that already runs this many imports. */
async function withShare<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const { key } = ctx.caller.account
  const imports = running.getOrInsertComputed(ctx.store, () => new Tally())
  if (imports.of(key) >= IMPORTS_OF_ONE) {
    const message = `An account may have ${IMPORTS_OF_ONE} imports at a time: wait for one to end`
    throw new AppError("rate_limit_exceeded", message, { headers: { "Retry-After": "5" } })
  }
  imports.enter(key)
  try {
    return await work()
  } finally {
    imports.leave(key)
  }
}

// The tool `import_leads`: imports a file from text, or from base64 for binary formats.

/** Bytes of the largest file: a message holds at most 8 MiB. */
const FILE_MAX = 8 * 1024 * 1024
/** Errors and warnings that the answer lists, of each kind. */
const TOLD = 20

const { format, source, sheet, decimal, date_order, on_duplicate, on_suppressed, dry_run } = importEntries

export const importLeadsTool = toolOf({
  about: "Import a CSV, JSON, XLSX or vCard file, or undo an import",
  set: "imports",
  page: "import",
  words: {
    content: "The file, as text or base64",
    undo: "Id of an import to take back",
    format: "Detected when left out",
    source: "Default source",
    encoding: "base64 for XLSX",
    sheet: "Sheet of a workbook, or all",
    map: "Each COLUMN:FIELD or COLUMN:attr:NAME",
    decimal: "Detected when left out",
    date_order: "Of 03/04/2024; detected when left out",
    on_duplicate: "If the lead already exists",
    on_suppressed: "If on the do-not-contact list",
    dry_run: "Preview only",
  },
  bodyMax: FILE_MAX,
  input: v.strictObject({
    content: v.optional(v.pipe(v.string("must be text"), v.nonEmpty("is required"))),
    undo: v.optional(v.string("must be text")),
    encoding: v.optional(oneOf(["text", "base64"])),
    ...{ format, source, sheet },
    map: v.optional(v.array(Line, "must be a list of texts")),
    ...{ decimal, date_order, on_duplicate, on_suppressed, dry_run },
  }),
  async run(ctx, { content, undo, encoding = "text", ...options }) {
    if (undo !== undefined) {
      if (content !== undefined) throw badRequest("give content or undo, not both")
      return undoImportById(ctx, undo, { dry_run: options.dry_run })
    }
    if (content === undefined) throw badRequest("content is required, or undo with the id of an import")
    const bytes = encoding === "text" ? Buffer.from(content) : Buffer.from(content, "base64")
    if (bytes.length === 0) throw badRequest("content is no base64")
    const report = await importLeads(ctx, new Upload(once(bytes)), options)
    const { merges } = report
    return {
      ...shortReport(report, TOLD),
      merges: merges && { ...merges, samples: merges.samples.slice(0, TOLD) },
    }
  },
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
