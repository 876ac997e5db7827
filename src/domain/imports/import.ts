// Leads out of a file: every row goes the way of POST /leads, some hundred in each transaction.
import * as v from "valibot"
import { AppError, badRequest } from "../../core/errors.ts"
import { Line, oneOf, RequiredLine } from "../../core/fields.ts"
import { type Context, operation } from "../../core/operation.ts"
import { Upload } from "../../core/upload.ts"
import { IMPORT_FORMATS, type ImportFormat } from "../../formats/kinds.ts"
import { formatOf, IMPORT_CONTENT_TYPES, openTable } from "../../formats/open.ts"
import type { ImportRow, Table } from "../../formats/rows.ts"
import type { Transaction } from "../../store/store.ts"
import { inBatch } from "../changes/batch.ts"
import { pushAll, readLead } from "../leads/batch.ts"
import type { Pushed } from "../leads/write.ts"
import { attempt, type Outcome } from "../outcome.ts"
import { type Columns, createColumns, findUnknown, UNKNOWN, type Unknown } from "./columns.ts"
import { openRehearsal } from "./rehearsal.ts"
import {
  countOutcome,
  ERRORS_MAX,
  ImportOutput,
  type ImportReport,
  newTally,
  soFar,
  type Tally,
} from "./report.ts"
import type { Wording } from "./targets.ts"

/** Bytes of a body. It is read while it comes, so this only keeps a mistake from going on forever. */
const BODY_MAX = 2 * 1024 * 1024 * 1024
/** Rows that tell the types of attributes. */
const SAMPLE = 1_000
/** Rows in the largest transaction. */
const ROWS_MAX = 5_000
/** How long a transaction may hold up other requests, and the rows that are worth one all the same. */
const PACE: Pace = { milliseconds: 50, rows: 100 }

export interface ImportOptions {
  format?: ImportFormat | undefined
  map?: readonly string[] | undefined
  unknown?: Unknown | undefined
  source?: string | undefined
  sheet?: string | undefined
  dry_run?: boolean | undefined
}

/** How large transactions are: about so long, but of at least so many rows. */
export interface Pace {
  milliseconds: number
  rows: number
}

/** What somebody who waits for an import wants of it. */
export interface ImportWatch {
  /** How options are spelled for who reads the messages. */
  wording?: Wording
  /** For the next transaction. */
  pace?(): Promise<Pace>
  progress?(tally: Readonly<Tally>): void
  rejected?(row: ImportRow, message: string): void
  /** Ends the import after the transaction under way. */
  isStopped?(): boolean
}

/**
 * Imports a file. Throws `bad_request` when it cannot be read, or no further: what was imported by then stays, and the
 * message says how much. Rows that fail alone are told of in the report.
 */
export async function importLeads(
  ctx: Context,
  file: Upload,
  options: ImportOptions = {},
  watch: ImportWatch = {},
): Promise<ImportReport> {
  const { map = [], unknown, source, sheet, dry_run = false } = options
  const format = formatOf(options.format, file)
  const table = await openTable(file, format, sheet)
  const tally = newTally()
  try {
    const { wording = "query" } = watch
    const sample = await take(table.rows, SAMPLE)
    const columns = createColumns(table.names, sample, table.typing, { map, unknown, source, wording })
    await pushRows(inBatch(ctx), { sample, table, columns, tally, watch, isDry: dry_run })
    return {
      dry_run,
      format,
      ...tally,
      errors_truncated: tally.rejected > ERRORS_MAX,
      columns: columns.known(),
    }
  } catch (error) {
    if (!(error instanceof AppError) || dry_run || tally.total === 0) throw error
    throw new AppError(error.kind, `${error.message}. ${soFar(tally)}`, { cause: error })
  } finally {
    await table.rows.return?.()
  }
}

/** The columns of a file that nothing is known of, with the attributes that they would be. Throws as `importLeads`. */
export async function unknownColumns(
  file: Upload,
  { map = [], ...options }: ImportOptions,
): Promise<{ column: string; target: string }[]> {
  const table = await openTable(file, formatOf(options.format, file), options.sheet)
  try {
    return findUnknown(table.names, await take(table.rows, SAMPLE), table.typing, map)
  } finally {
    await table.rows.return?.()
  }
}

interface Import {
  sample: ImportRow[]
  table: Table
  columns: Columns
  tally: Tally
  watch: ImportWatch
  isDry: boolean
}

async function pushRows(
  ctx: Context,
  { sample, table, columns, tally, watch, isDry }: Import,
): Promise<void> {
  const rehearsal = isDry ? await openRehearsal(ctx) : undefined
  const { clock } = ctx
  let most = PACE.rows
  let rows: ImportRow[] = []

  async function flush(): Promise<void> {
    const inputs = rows.map((row) => attempt(() => leadOf(columns, row)))
    let took = 0
    const push = async (where: Context, tx: Transaction) => {
      const began = clock.monotonic()
      const all = await pushAll(where, tx, inputs)
      took = clock.monotonic() - began
      return all
    }
    const outcomes = rehearsal
      ? await rehearsal.write(inputs, push)
      : await ctx.store.write(ctx.caller.account.key, (tx) => push(ctx, tx))
    const pace = (await watch.pace?.()) ?? PACE
    const wanted = Math.min((rows.length * pace.milliseconds) / Math.max(took, 1), most * 2, ROWS_MAX)
    most = Math.round(Math.max(wanted, pace.rows))
    for (const [i, outcome] of outcomes.entries()) tell(rows[i]!, outcome)
    rows = []
    watch.progress?.(tally)
  }

  function tell(row: ImportRow, outcome: Outcome<Pushed>): void {
    countOutcome(tally, row.line, outcome)
    if ("error" in outcome) watch.rejected?.(row, outcome.error)
  }

  try {
    for await (const batch of chained(sample, table.rows)) {
      for (const row of batch) {
        rows.push(row)
        if (rows.length >= most) await flush()
      }
      if (watch.isStopped?.()) return
    }
    if (rows.length > 0) await flush()
  } finally {
    await rehearsal?.close()
  }
}

function leadOf(columns: Columns, row: ImportRow) {
  if (row.problem !== undefined) throw badRequest(`the row ${row.problem}`)
  return readLead(columns.leadOf(row))
}

/** The first rows, at least so many where there are. */
async function take(rows: AsyncIterator<ImportRow[]>, least: number): Promise<ImportRow[]> {
  const taken: ImportRow[] = []
  while (taken.length < least) {
    const next = await rows.next()
    if (next.done) break
    taken.push(...next.value)
  }
  return taken
}

async function* chained(first: ImportRow[], rows: AsyncIterator<ImportRow[]>): AsyncGenerator<ImportRow[]> {
  yield first
  for (let next = await rows.next(); !next.done; next = await rows.next()) yield next.value
}

export const importLeadsOperation = operation({
  name: "import_leads",
  about: "Import leads from a CSV, JSON, NDJSON or XLSX file",
  access: "write",
  http: "POST /leads/import",
  input: v.strictObject({
    format: v.optional(oneOf(IMPORT_FORMATS)),
    map: v.optional(v.array(Line)),
    unknown: v.optional(oneOf(UNKNOWN)),
    source: v.optional(RequiredLine),
    sheet: v.optional(RequiredLine),
    dry_run: v.optional(v.boolean("must be true or false")),
    file: v.instance(Upload, "is required: send it as the body"),
  }),
  query: ["format", "map", "unknown", "source", "sheet", "dry_run"],
  upload: { name: "file", types: Object.keys(IMPORT_CONTENT_TYPES) },
  bodyMax: BODY_MAX,
  output: ImportOutput,
  run: (ctx, { file, ...options }) => importLeads(ctx, file, options),
})
