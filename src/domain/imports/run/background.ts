// Background imports: a job that works in slices and resumes after a restart.

import * as v from "valibot"
import type { Json } from "../../../lead/lead.ts"
import { AppError } from "../../../runtime/errors.ts"
import { Upload } from "../../../runtime/upload.ts"
import type { ImportRow, Transaction } from "../../../store/contract/store.ts"
import type { JsonText } from "../../../text/json-text.ts"
import { grouped } from "../../../text/text.ts"
import { inBatch } from "../../batch.ts"
import { type JobKind, type JobSlice, startJob, workAnswer } from "../../job-kind.ts"
import { checkStorage } from "../../leads/write/write.ts"
import type { Context } from "../../operation.ts"
import { ColumnOutput } from "../cells/told.ts"
import { countRemote } from "../reader/open-remote.ts"
import type { ImportOptions } from "../reader/options.ts"
import { rememberMapping } from "./mappings.ts"
import { garbageCollection, refsOf } from "./push.ts"
import {
  asItIs,
  endEarly,
  failureOf,
  IMPORT_KIND,
  importedBefore,
  insertRecord,
  kept as keptForm,
  keptReport,
  type Progress,
} from "./records.ts"
import { roomEntries } from "./report.ts"
import {
  fillTransaction,
  type ImportSession,
  type ImportTally,
  newTally,
  openImportSession,
  pushAhead,
  type ReadRow,
  reportOf,
  warnOfFile,
} from "./session.ts"
import { refuseTooManyRunning, uploadUnderWay } from "./under-way.ts"

/** Rows that are read ahead of a slice, and rows after which the report is saved. */
const AHEAD = 2_000
const KEEP_EVERY = 2_000
/** How often the file is opened to go on at one place. */
const OPENINGS_MAX = 3

interface Input {
  import_id: string
  /** Name of the stored file. */
  kept: string
  file_name: string | null
  content_type: string | null
  options: ImportOptions
  /** Whose file it is, and how many bytes; older jobs lack them. */
  account?: number
  bytes?: number
}

/** The answer of a background import. */
export const ImportStartedOutput = v.strictObject({
  id: v.string(),
  job: v.string(),
  name: v.string(),
  preset: v.nullable(v.string()),
  columns: v.array(ColumnOutput),
  room: v.nullable(v.strictObject(roomEntries)),
})

/**
 * Stores the file and starts the job. Throws `conflict` when the account already runs too many,
 * `storage_limit_reached`, and `storage_full`.
 */
export async function startBackground(ctx: Context, file: Upload, options: ImportOptions): Promise<JsonText> {
  await checkStorage(ctx, ctx.store.read)
  const upload = await uploadUnderWay(ctx, file)
  try {
    const name = await ctx.files.keep(upload.bytes, file.size)
    return await startKept(ctx, file, options, { kept: name, bytes: upload.size() })
  } finally {
    await upload.end()
  }
}

/** Starts the job of a file that is kept, or removes it. */
async function startKept(
  ctx: Context,
  file: Upload,
  options: ImportOptions,
  { kept, bytes }: { kept: string; bytes: number },
): Promise<JsonText> {
  const account = ctx.caller.account.key
  try {
    // A file that cannot be read fails the request, not the job.
    const session = await openImportSession(
      ctx,
      await uploadOf(ctx, kept, file.fileName, file.contentType),
      options,
    )
    await session.file.close()
    const { id, job, name } = await ctx.store.write(account, async (tx) => {
      // It counts for good, as an account's transactions come one after the other.
      refuseTooManyRunning(await tx.imports.countRunning(account))
      await checkStorage(ctx, tx)
      const id = tx.newId("imp_")
      const { fileName: file_name = null, contentType: content_type = null } = file
      const input: Input = { import_id: id, kept, file_name, content_type, options, account, bytes }
      const started = { kind: IMPORT_KIND, input: input as unknown as Json, of: null }
      const job = await startJob(inBatch(ctx, id), tx, started)
      return { id, job, name: await insertRecord(ctx, tx, id, { file, options, session, job }) }
    })
    const { preset, columns } = session.file
    return workAnswer({ id, job, name, preset, columns, room: session.room })
  } catch (error) {
    await ctx.files.remove(kept)
    throw error
  }
}

async function uploadOf(
  ctx: Context,
  kept: string,
  fileName?: string | null,
  contentType?: string | null,
): Promise<Upload> {
  const blob = await ctx.files.open(kept)
  if (!blob) throw new AppError("conflict", "The file of this import is not there any more: import it again")
  return new Upload(blob.stream(), contentType ?? undefined, fileName ?? undefined, blob)
}

interface Open {
  session: ImportSession
  rows: AsyncGenerator<ReadRow[]>
  ahead: ReadRow[]
  tally: ImportTally
  /** Rows done. */
  done: number
  of: number
  keptAt: number
  collect(rows: number): void
}

/** Open files of this process, by import. */
const opened = new Map<string, Open>()

export const importJob: JobKind = {
  name: IMPORT_KIND,
  async run(slice) {
    const input = slice.input as unknown as Input
    const { import_id: id } = input
    try {
      const open = await at(slice, input)
      if (await workOn(slice, input, open)) await end(slice.ctx, input, open)
    } catch (error) {
      await opened.get(id)?.session.file.close()
      opened.delete(id)
      if (error instanceof AppError && error.status < 500) await fail(slice.ctx, input, error)
      // The job failed or was stopped: its file is not read again.
      const row = await slice.ctx.store.read.imports.find(slice.ctx.caller.account.key, id)
      if (row?.state !== "running") await slice.ctx.files.remove(input.kept)
      throw error
    }
  },
}

/** Opens the file at the row where the last slice ended. */
async function at({ ctx, progress }: JobSlice, input: Input): Promise<Open> {
  const last = progress as unknown as Progress | null
  const current = opened.get(input.import_id)
  if (current && current.done === (last?.rows ?? 0)) return current
  await current?.session.file.close()
  const upload = () => uploadOf(ctx, input.kept, input.file_name, input.content_type)
  const behind = last?.rows ?? 0
  const row = await noteOpening(ctx, input.import_id, behind)
  // One file reader after the other: two imports that each hold one and wait for a second would wait for ever.
  const of = row?.total ?? (await countRemote(ctx, await upload(), input.options))
  const session = await openImportSession(ctx, await upload(), input.options)
  const told = row && keptReport(row).report
  const lists = told && { errors: told.errors, warnings: told.warnings, preview: told.preview }
  const open: Open = {
    session,
    rows: session.rows(),
    ahead: [],
    tally: { ...newTally(), ...lists, ...last?.tally },
    done: 0,
    of,
    keptAt: behind,
    collect: garbageCollection(),
  }
  // Skipped rows count as filled in the report of columns.
  try {
    while (open.done < behind && (await readAhead(open)))
      open.done += open.ahead.splice(0, behind - open.done).length
  } catch (error) {
    await session.file.close()
    throw error
  }
  opened.set(input.import_id, open)
  return open
}

/**
 * Notes that the file is opened to go on after so many rows. Throws `file_too_costly` where it was cut off there three
 * times: with the process that went on, or by what is in the file.
 */
async function noteOpening(ctx: Context, id: string, rows: number): Promise<ImportRow | undefined> {
  const account = ctx.caller.account.key
  return ctx.store.write(account, async (tx) => {
    const row = await tx.imports.find(account, id)
    if (!row) return undefined
    const { opened } = keptReport(row)
    const times = opened?.rows === rows ? opened.times + 1 : 1
    if (times > OPENINGS_MAX) {
      const message = `The import was cut off ${OPENINGS_MAX} times after ${grouped(rows)} rows: look at the rows behind them`
      throw new AppError("file_too_costly", message)
    }
    await tx.imports.update(account, id, {
      report: keptForm({ ...keptReport(row), opened: { rows, times } }),
    })
    return row
  })
}

/** False when there are no more rows. */
async function readAhead({ ahead, rows }: Open): Promise<boolean> {
  while (ahead.length < AHEAD && !fillTransaction(ahead)) {
    const next = await rows.next()
    if (next.done) break
    ahead.push(...next.value)
  }
  return ahead.length > 0
}

/** Runs one slice; true when all rows are imported. */
async function workOn(slice: JobSlice, { import_id: id }: Input, open: Open): Promise<boolean> {
  const { ctx, isEnough, commit } = slice
  const account = ctx.caller.account.key
  const isOver = !(await readAhead(open))
  const before = isOver ? await importedBefore(ctx, open.session.file.digest, id) : undefined
  let after = { done: open.done, tally: open.tally, keptAt: open.keptAt }
  await commit(async (tx) => {
    const { pushed, taken, tally } = await pushAhead(ctx, tx, open.session, open, isEnough)
    if (before) warnOfFile(tally, before)
    const done = open.done + taken
    // Listed errors and warnings are saved at once, since a restart does not find them again.
    const isKept = isOver || done - open.keptAt >= KEEP_EVERY || listed(tally) > listed(open.tally)
    await tx.imports.addLeads(account, id, refsOf(pushed))
    await tx.imports.update(account, id, {
      done,
      total: open.of,
      ...(isKept && { report: await reportNow(ctx, tx, id, open.session, tally) }),
      ...(isOver && { state: "done", ended_at: ctx.now }),
    })
    after = { done, tally, keptAt: isKept ? done : open.keptAt }
    const { errors: _, warnings: __, preview: ___, merges: ____, ...counts } = tally
    const progress: Progress = { rows: done, tally: counts }
    return { done: taken, progress: progress as unknown as Json, of: open.of, isOver }
  })
  open.ahead.splice(0, after.done - open.done)
  open.collect(after.done - open.done)
  Object.assign(open, after)
  return isOver
}

const listed = ({ errors, warnings }: ImportTally) => errors.length + warnings.length

async function reportNow(
  ctx: Context,
  tx: Transaction,
  id: string,
  session: ImportSession,
  tally: ImportTally,
): Promise<Json> {
  const row = await tx.imports.find(ctx.caller.account.key, id)
  const began = row ? keptReport(row).began : null
  const report = reportOf(session, tally, { id, dry_run: false })
  return keptForm({ report, error: null, digest: session.file.digest, began })
}

async function end(ctx: Context, { import_id, kept }: Input, { session }: Open): Promise<void> {
  opened.delete(import_id)
  await session.file.close()
  await ctx.files.remove(kept)
  await rememberMapping(ctx, session.options, session.file.names)
}

async function fail(ctx: Context, { import_id }: Input, error: AppError): Promise<void> {
  const account = ctx.caller.account.key
  await ctx.store.write(account, async (tx) => {
    const row = await tx.imports.find(account, import_id)
    if (row) await endEarly(ctx, tx, await asItIs(tx, account, row), failureOf(error))
  })
}
