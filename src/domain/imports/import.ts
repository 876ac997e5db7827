// Leads out of a file: every row goes the way of POST /leads, some hundred in each transaction.

import * as v from "valibot"
import { AppError } from "../../core/errors.ts"
import { Line, oneOf, RequiredLine } from "../../core/fields.ts"
import { type Context, operation } from "../../core/operation.ts"
import { Upload } from "../../core/upload.ts"
import { IMPORT_FORMATS, type ImportFormat } from "../../formats/kinds.ts"
import { IMPORT_CONTENT_TYPES, openFile } from "../../formats/open.ts"
import type { ImportRow, Table } from "../../formats/rows.ts"
import type { Transaction } from "../../store/store.ts"
import { inBatch } from "../changes/batch.ts"
import {
  type MergePolicy,
  ON_DUPLICATE,
  type OnDuplicate,
  TAG_POLICIES,
  type TagPolicy,
} from "../leads/merging.ts"
import type { Pushed } from "../leads/write.ts"
import type { Outcome } from "../outcome.ts"
import { perStore } from "../scoring/rule-sets.ts"
import { type Columns, createColumns } from "./columns.ts"
import { isKnownName } from "./names.ts"
import { DECIMALS, type Decimal } from "./numbers.ts"
import { UNKNOWN, type Unknown } from "./plan.ts"
import { pushRows as push } from "./push.ts"
import { openRehearsal } from "./rehearsal.ts"
import {
  countOutcome,
  countWarnings,
  ERRORS_MAX,
  ImportOutput,
  type ImportReport,
  MERGES_MAX,
  newTally,
  PREVIEW_MAX,
  soFar,
  type Tally,
  warningsOf,
} from "./report.ts"
import type { LeadRow } from "./row-leads.ts"
import { FIELDS, type Wording } from "./targets.ts"

/** Bytes of a body. It is read while it comes, so this only keeps a mistake from going on forever. */
const BODY_MAX = 2 * 1024 * 1024 * 1024
/** Rows that tell the types of attributes. */
const SAMPLE = 1_000
/** Rows in the largest transaction. */
const ROWS_MAX = 5_000
/** How long a transaction may hold up other requests, and the rows that are worth one all the same. */
const PACE: Pace = { milliseconds: 50, rows: 100 }

/** Fields that a merge must not touch: names in one text with commas, or one in each. */
export const Keep = v.pipe(
  v.array(Line),
  v.transform((texts) =>
    texts.flatMap((text) => text.split(",").map((name) => name.trim())).filter((name) => name !== ""),
  ),
  v.check(
    (names) => names.every((name) => FIELDS.includes(name) || name.startsWith("attr:")),
    `must be lead fields, or attr:NAME: ${FIELDS.join(", ")}`,
  ),
)

export interface ImportOptions {
  format?: ImportFormat | undefined
  map?: readonly string[] | undefined
  map_value?: readonly string[] | undefined
  unknown?: Unknown | undefined
  source?: string | undefined
  sheet?: string | undefined
  encoding?: string | undefined
  decimal?: Decimal | undefined
  on_duplicate?: OnDuplicate | undefined
  tags?: TagPolicy | undefined
  keep?: readonly string[] | undefined
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
  const { dry_run = false } = options
  const { format, table, close } = await openFile(file, { ...options, knows: isKnownName })
  const tally = newTally()
  try {
    const sample = await take(table.rows, SAMPLE)
    const columns = createColumns(table.names, sample, table.typing, {
      map: options.map ?? [],
      mapValue: options.map_value ?? [],
      unknown: options.unknown,
      decimal: options.decimal,
      source: options.source,
      wording: watch.wording ?? "query",
    })
    const room = await roomOf(ctx)
    await pushRows(inBatch(ctx), {
      sample,
      table,
      columns,
      tally,
      watch,
      isDry: dry_run,
      policy: policyOf(options),
    })
    const { warned, withoutRoom, ...counts } = tally
    return {
      id: null,
      dry_run,
      format,
      preset: columns.preset,
      sheet: table.sheet?.name ?? null,
      decimal: columns.decimal,
      ...counts,
      errors_truncated: tally.rejected > ERRORS_MAX,
      warnings_truncated: warningsOf(tally) > tally.warnings.length,
      columns: columns.known(),
      summary: {
        rows: tally.total,
        created: tally.created,
        merged: tally.merged,
        skipped: tally.skipped,
        rejected: tally.rejected,
        without_room: withoutRoom,
        warnings: warned,
        room: room && { ...room, fits: withoutRoom === 0 },
      },
    }
  } catch (error) {
    if (!(error instanceof AppError) || dry_run || tally.total === 0) throw error
    throw new AppError(error.kind, `${error.message}. ${soFar(tally)}`, { cause: error })
  } finally {
    await close()
  }
}

function policyOf({ on_duplicate = "overwrite", tags = "add", keep = [] }: ImportOptions): MergePolicy {
  return { onDuplicate: on_duplicate, tags, keep }
}

/** What the plan has left before the first row; null without a limit. */
async function roomOf(ctx: Context) {
  const { key, plan, limits } = ctx.caller.account
  if (limits.leads === null) return null
  const used = await ctx.store.read.accounts.countLeads(key)
  return { plan, leads_limit: limits.leads, leads_used: used, leads_left: Math.max(0, limits.leads - used) }
}

interface Import {
  sample: ImportRow[]
  table: Table
  columns: Columns
  tally: Tally
  watch: ImportWatch
  isDry: boolean
  policy: MergePolicy
}

interface Ready {
  row: ImportRow
  lead: Exclude<LeadRow, { footnote: unknown }>
}

async function pushRows(
  ctx: Context,
  { sample, table, columns, tally, watch, isDry, policy }: Import,
): Promise<void> {
  const rehearsal = isDry ? await openRehearsal(ctx) : undefined
  const { clock } = ctx
  let most = PACE.rows
  let rows: ImportRow[] = []

  async function flush(): Promise<void> {
    const ready = rows.flatMap((row): Ready[] => {
      const lead = columns.leadOf(row)
      if ("footnote" in lead) countWarnings(tally, [lead.footnote])
      return "footnote" in lead ? [] : [{ row, lead }]
    })
    const inputs = ready.map(({ lead }) => ("error" in lead ? lead : { value: lead.lead }))
    let took = 0
    const pushLeads = async (where: Context, tx: Transaction) => {
      const began = clock.monotonic()
      const all = await push(
        where,
        tx,
        ready.map(({ lead }) => lead),
        policy,
      )
      took = clock.monotonic() - began
      return all
    }
    const outcomes = rehearsal
      ? await rehearsal.write(inputs, pushLeads)
      : await ctx.store.write(ctx.caller.account.key, (tx) => pushLeads(ctx, tx))
    const pace = (await watch.pace?.()) ?? PACE
    const wanted = Math.min((rows.length * pace.milliseconds) / Math.max(took, 1), most * 2, ROWS_MAX)
    most = Math.round(Math.max(wanted, pace.rows))
    for (const [i, { outcome, warnings }] of outcomes.entries()) {
      const { row, lead } = ready[i]!
      await tell(row, outcome)
      if ("error" in outcome) continue
      if ("warnings" in lead) countWarnings(tally, lead.warnings)
      countWarnings(
        tally,
        warnings.map((warning) => ({ line: row.line, ...warning })),
      )
      if ("lead" in lead && tally.preview.length < PREVIEW_MAX) tally.preview.push(lead.lead)
    }
    rows = []
    watch.progress?.(tally)
  }

  async function tell(row: ImportRow, outcome: Outcome<Pushed>): Promise<void> {
    countOutcome(tally, row.line, outcome)
    if ("error" in outcome) watch.rejected?.(row, outcome.error)
    else if (isDry) await tellMerge(row, outcome.value)
  }

  /** Leads of the file itself are none that somebody has. */
  const fresh = new Set<string>()
  async function tellMerge({ line }: ImportRow, { id, merged }: Pushed): Promise<void> {
    if (!merged) fresh.add(id)
    if (!merged || fresh.has(id) || tally.merges.length >= MERGES_MAX) return
    const found = await ctx.store.read.leads.find(ctx.caller.account.key, id)
    if (found) tally.merges.push({ line, id, name: found.data().name, by: merged })
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
  paced: true,
  input: v.strictObject({
    format: v.optional(oneOf(IMPORT_FORMATS)),
    map: v.optional(v.array(Line)),
    map_value: v.optional(v.array(Line)),
    unknown: v.optional(oneOf(UNKNOWN)),
    source: v.optional(RequiredLine),
    sheet: v.optional(RequiredLine),
    encoding: v.optional(RequiredLine),
    decimal: v.optional(oneOf(DECIMALS)),
    on_duplicate: v.optional(oneOf(ON_DUPLICATE)),
    tags: v.optional(oneOf(TAG_POLICIES)),
    keep: v.optional(Keep),
    dry_run: v.optional(v.boolean("must be true or false")),
    file: v.instance(Upload, "is required: send it as the body"),
  }),
  query: [
    ...["format", "map", "map_value", "unknown", "source", "sheet", "encoding", "decimal"],
    ...["on_duplicate", "tags", "keep", "dry_run"],
  ],
  upload: { name: "file", types: Object.keys(IMPORT_CONTENT_TYPES) },
  bodyMax: BODY_MAX,
  output: ImportOutput,
  run: (ctx, { file, ...options }) => withShare(ctx, () => importLeads(ctx, file, options)),
})

/** Imports of an account at a time: each keeps the writer busy, and what it reads in memory. */
const IMPORTS_OF_ONE = 2
const running = new WeakMap<object, Map<number, number>>()

/** Throws `rate_limit_exceeded` for an account that imports enough already. */
async function withShare<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const { key } = ctx.caller.account
  const all = perStore(running, ctx)
  const own = all.get(key) ?? 0
  if (own >= IMPORTS_OF_ONE) {
    const message = `An account may have ${IMPORTS_OF_ONE} imports at a time: wait for one to end`
    throw new AppError("rate_limit_exceeded", message, { headers: { "Retry-After": "5" } })
  }
  all.set(key, own + 1)
  try {
    return await work()
  } finally {
    const left = all.get(key)! - 1
    if (left > 0) all.set(key, left)
    else all.delete(key)
  }
}
