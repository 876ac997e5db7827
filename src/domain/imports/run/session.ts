// The session of an import: the open file, its columns, and the counts so far.

import type { Upload } from "../../../core/upload.ts"
import { openFile } from "../../../formats/open.ts"
import type { SourceRow, Table } from "../../../formats/rows.ts"
import type { MergePolicy } from "../../leads/write/merging.ts"
import type { Context } from "../../operation.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import { createColumns, type ImportColumns } from "../detect/columns.ts"
import { isKnownName } from "../detect/header.ts"
import type { Wording } from "../detect/mapping.ts"
import { type UsedMapping, withNamed, withRemembered } from "../mappings.ts"
import { type ImportOptions, importPolicy } from "../options.ts"
import type { PushedRow } from "./push.ts"
import {
  countOutcome,
  countWarnings,
  ERRORS_MAX,
  type ImportReport,
  type ImportTally,
  PREVIEW_MAX,
  warningCount,
} from "./report.ts"

/** Rows that columns are detected from. */
const SAMPLE = 1_000

export interface ImportSession {
  format: ImportReport["format"]
  columns: ImportColumns
  table: Table
  /** The options, with those of the mapping. */
  options: ImportOptions
  policy: MergePolicy
  mapping: UsedMapping | null
  /** What the plan had left before the first row; null for a plan without a limit. */
  room: Room | null
  /** All rows in batches. Can be called once. */
  rows(): AsyncGenerator<SourceRow[]>
  close(): Promise<void>
}

export interface Room {
  plan: string
  leads_limit: number
  leads_used: number
  leads_left: number
}

/** Opens a file and detects its columns. Throws `bad_request`, and `not_found` for a mapping. */
export async function openSession(
  ctx: Context,
  file: Upload,
  asked: ImportOptions,
  wording: Wording = "query",
): Promise<ImportSession> {
  const named = await withNamed(ctx, asked)
  const { format, table, close } = await openFile(file, { ...named, knows: isKnownName })
  try {
    const sample = await take(table.rows, SAMPLE)
    const { options, used } = await withRemembered(ctx, named, table.names)
    const columns = createColumns(table.names, sample, table.typing, {
      map: options.map ?? [],
      mapValue: options.map_value ?? [],
      unknown: options.unknown,
      decimal: options.decimal,
      source: options.source,
      wording,
    })
    return {
      format,
      columns,
      table,
      options,
      policy: importPolicy(options),
      mapping: used,
      room: await roomOf(ctx),
      rows: () => chained(sample, table.rows),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A row with its lead. */
export interface ReadRow {
  row: SourceRow
  lead: ConvertedRow
}

/** A row that is pushed or rejected: no footnote. */
export interface PushableRow extends ReadRow {
  lead: Exclude<ConvertedRow, { footnote: unknown }>
}

/** Counts the outcomes of pushed rows. */
export function countPushed(
  tally: ImportTally,
  ready: readonly PushableRow[],
  pushed: readonly PushedRow[],
): void {
  for (const [i, { outcome, warnings }] of pushed.entries()) {
    const { row, lead } = ready[i]!
    countOutcome(tally, row.line, outcome)
    if ("error" in outcome) continue
    if ("warnings" in lead) countWarnings(tally, lead.warnings)
    for (const warning of warnings) countWarnings(tally, [{ line: row.line, ...warning }])
    if ("lead" in lead && tally.preview.length < PREVIEW_MAX) tally.preview.push(lead.lead)
  }
}

/** The report of an import. */
export function reportOf(
  { format, columns, table, mapping, room }: ImportSession,
  tally: ImportTally,
  { id, dry_run }: { id: string | null; dry_run: boolean },
): ImportReport {
  const { warned, withoutRoom, ...counts } = tally
  return {
    id,
    dry_run,
    format,
    preset: columns.preset,
    mapping,
    sheet: table.sheet?.name ?? null,
    decimal: columns.decimal,
    ...counts,
    errors_truncated: tally.rejected > ERRORS_MAX,
    warnings_truncated: warningCount(tally) > tally.warnings.length,
    columns: columns.reports(),
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
}

async function roomOf(ctx: Context): Promise<Room | null> {
  const { key, plan, limits } = ctx.caller.account
  if (limits.leads === null) return null
  const used = await ctx.store.read.accounts.countLeads(key)
  return { plan, leads_limit: limits.leads, leads_used: used, leads_left: Math.max(0, limits.leads - used) }
}

/** Reads the first rows: at least `least` where there are so many. */
async function take(rows: AsyncIterator<SourceRow[]>, least: number): Promise<SourceRow[]> {
  const taken: SourceRow[] = []
  while (taken.length < least) {
    const next = await rows.next()
    if (next.done) break
    taken.push(...next.value)
  }
  return taken
}

async function* chained(first: SourceRow[], rows: AsyncIterator<SourceRow[]>): AsyncGenerator<SourceRow[]> {
  yield first
  for (let next = await rows.next(); !next.done; next = await rows.next()) yield next.value
}
