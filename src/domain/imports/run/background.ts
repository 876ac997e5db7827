// Background imports: a job that works in slices and resumes after a restart.
import * as v from "valibot"
import { AppError } from "../../../core/errors.ts"
import { JsonText } from "../../../core/json-text.ts"
import type { Json } from "../../../core/lead.ts"
import { Upload } from "../../../core/upload.ts"
import { openFile } from "../../../formats/open.ts"
import type { SourceRow } from "../../../formats/rows.ts"
import type { Transaction } from "../../../store/contract/store.ts"
import { inBatch } from "../../changes/batch.ts"
import { type JobKind, type JobSlice, startJob } from "../../jobs/kind.ts"
import type { Context } from "../../operation.ts"
import { isKnownName } from "../detect/header.ts"
import { rememberMapping } from "../mappings.ts"
import type { ImportOptions } from "../options.ts"
import { endEarly, IMPORT_KIND, type KeptReport, newRecord } from "../records.ts"
import { garbageCollection } from "./garbage.ts"
import { pushRows, refsOf } from "./push.ts"
import { ColumnOutput, countWarnings, type ImportTally, newTally } from "./report.ts"
import {
  countPushed,
  type ImportSession,
  openSession,
  type PushableRow,
  type ReadRow,
  reportOf,
} from "./session.ts"

/** Background imports of one account at a time. */
const RUNNING_MAX = 3
/** Rows that are read ahead of a slice, and rows after which the report is saved. */
const AHEAD = 2_000
const KEEP_EVERY = 2_000

interface Input {
  import_id: string
  /** Name of the stored file. */
  kept: string
  file_name: string | null
  content_type: string | null
  options: ImportOptions
}

/** The state that a slice leaves for the next: the rows done, and their counts. */
interface Progress {
  rows: number
  tally: Omit<ImportTally, "errors" | "warnings" | "preview" | "merges">
}

const count = v.pipe(v.number(), v.integer())

/** The answer of a background import. */
export const ImportStartedOutput = v.strictObject({
  id: v.string(),
  job: v.string(),
  name: v.string(),
  preset: v.nullable(v.string()),
  columns: v.array(ColumnOutput),
  room: v.nullable(
    v.strictObject({ plan: v.string(), leads_limit: count, leads_used: count, leads_left: count }),
  ),
})

/** Stores the file and starts the job. Throws `conflict` when the account already runs too many. */
export async function startBackground(ctx: Context, file: Upload, options: ImportOptions): Promise<JsonText> {
  const account = ctx.caller.account.key
  if ((await ctx.store.read.imports.countRunning(account)) >= RUNNING_MAX)
    throw new AppError("conflict", `${RUNNING_MAX} imports are under way already: wait for one to end`)
  const kept = await ctx.files.keep(file.bytes)
  try {
    // A file that cannot be read fails the request, not the job.
    const session = await openSession(
      ctx,
      await uploadOf(ctx, kept, file.fileName, file.contentType),
      options,
    )
    await session.close()
    const { id, job, name } = await ctx.store.write(account, async (tx) => {
      const id = tx.newId("imp_")
      const name = options.name ?? file.fileName ?? "leads"
      const input: Input = {
        import_id: id,
        kept,
        file_name: file.fileName ?? null,
        content_type: file.contentType ?? null,
        options,
      }
      const job = await startJob(inBatch(ctx, id), tx, {
        kind: IMPORT_KIND,
        input: input as unknown as Json,
        of: null,
      })
      await tx.imports.insert(account, newRecord(ctx, { id, name, fileName: file.fileName, job }))
      return { id, job, name }
    })
    const { preset, room } = { preset: session.columns.preset, room: session.room }
    return new JsonText(
      JSON.stringify({ id, job, name, preset, columns: session.columns.reports(), room }),
      202,
    )
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
  rows: AsyncGenerator<SourceRow[]>
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
      await opened.get(id)?.session.close()
      opened.delete(id)
      if (error instanceof AppError && error.status < 500) await fail(slice.ctx, input, error.message)
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
  const known = opened.get(input.import_id)
  if (known && known.done === (last?.rows ?? 0)) return known
  await known?.session.close()
  const upload = () => uploadOf(ctx, input.kept, input.file_name, input.content_type)
  const session = await openSession(ctx, await upload(), input.options)
  const row = await ctx.store.read.imports.find(ctx.caller.account.key, input.import_id)
  const told = (row?.report as unknown as KeptReport | undefined)?.report
  const lists = told && {
    errors: told.errors,
    warnings: told.warnings,
    preview: told.preview,
    merges: told.merges,
  }
  const open: Open = {
    session,
    rows: session.rows(),
    ahead: [],
    tally: { ...newTally(), ...lists, ...last?.tally },
    done: 0,
    of: row?.total ?? (await countRows(ctx, await upload(), input.options)),
    keptAt: last?.rows ?? 0,
    collect: garbageCollection(),
  }
  // Skipped rows count as filled in the report of columns.
  const behind = last?.rows ?? 0
  while (open.done < behind && (await readAhead(ctx, open)))
    open.done += open.ahead.splice(0, behind - open.done).length
  opened.set(input.import_id, open)
  return open
}

async function countRows({ eventLoop }: Context, file: Upload, options: ImportOptions): Promise<number> {
  const { table, close } = await openFile(file, { ...options, knows: isKnownName })
  let count = 0
  try {
    for (let next = await table.rows.next(); !next.done; next = await table.rows.next()) {
      count += next.value.length
      await eventLoop.yield()
    }
  } finally {
    await close()
  }
  return count
}

/** False when there are no more rows. */
async function readAhead({ eventLoop }: Context, { ahead, rows, session }: Open): Promise<boolean> {
  const yieldIfDue = eventLoop.yieldEvery()
  while (ahead.length < AHEAD) {
    const next = await rows.next()
    if (next.done) break
    for (const row of next.value) {
      ahead.push({ row, lead: session.columns.leadOf(row) })
      await yieldIfDue()
    }
  }
  return ahead.length > 0
}

/** Runs one slice; true when all rows are imported. */
async function workOn(slice: JobSlice, { import_id: id }: Input, open: Open): Promise<boolean> {
  const { ctx, isEnough, commit } = slice
  const account = ctx.caller.account.key
  const isOver = !(await readAhead(ctx, open))
  const leads = open.ahead.filter(isLead)
  let after = { done: open.done, tally: open.tally, keptAt: open.keptAt }
  await commit(async (tx) => {
    const rows = leads.map(({ lead }) => lead)
    const pushed = await pushRows(ctx, tx, rows, open.session.policy, isEnough)
    const next = leads[pushed.length]
    const taken = next ? open.ahead.indexOf(next) : open.ahead.length
    const tally = copyOf(open.tally)
    for (const { lead } of open.ahead.slice(0, taken))
      if ("footnote" in lead) countWarnings(tally, [lead.footnote])
    countPushed(tally, leads, pushed)
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

const isLead = (row: ReadRow): row is PushableRow => !("footnote" in row.lead)

const listed = ({ errors, warnings }: ImportTally) => errors.length + warnings.length

async function reportNow(
  ctx: Context,
  tx: Transaction,
  id: string,
  session: ImportSession,
  tally: ImportTally,
): Promise<Json> {
  const row = await tx.imports.find(ctx.caller.account.key, id)
  const began = (row?.report as unknown as KeptReport | undefined)?.began ?? null
  const kept: KeptReport = { report: reportOf(session, tally, { id, dry_run: false }), error: null, began }
  return kept as unknown as Json
}

function copyOf(tally: ImportTally): ImportTally {
  const { merged_by, errors, warnings, preview, merges, warned } = tally
  return {
    ...tally,
    merged_by: { ...merged_by },
    errors: [...errors],
    warnings: [...warnings],
    preview: [...preview],
    merges: [...merges],
    warned: { ...warned },
  }
}

async function end(ctx: Context, { import_id, kept }: Input, { session }: Open): Promise<void> {
  opened.delete(import_id)
  await session.close()
  await ctx.files.remove(kept)
  await rememberMapping(ctx, session.options, session.table.names)
}

async function fail(ctx: Context, { import_id }: Input, error: string): Promise<void> {
  const account = ctx.caller.account.key
  await ctx.store.write(account, async (tx) => {
    const row = await tx.imports.find(account, import_id)
    if (row) await endEarly(ctx, tx, row, error)
  })
}
