// The session of an import: the open file, its columns, and the counts so far.

import { ATTRIBUTE_NAME_MAX, type Said } from "../../../lead/fields.ts"
import { isMemberId, ownersAmong } from "../../../lead/owner-names.ts"
import type { ErrorKind } from "../../../runtime/errors.ts"
import type { Upload } from "../../../runtime/upload.ts"
import type { PushTransaction } from "../../../store/contract/store.ts"
import { excerpt, grouped } from "../../../text/text.ts"
import type { NamesByPhone } from "../../leads/write/ask.ts"
import { pushedKeys } from "../../leads/write/dedup.ts"
import type { MergePolicy } from "../../leads/write/lead-data.ts"
import type { OwnIds } from "../../leads/write/own-ids.ts"
import type { Pushed } from "../../leads/write/push.ts"
import type { Context } from "../../operation.ts"
import { ORDER_OF } from "../cells/numbers.ts"
import type { ImportWarning } from "../cells/told.ts"
import type { WarningKind } from "../cells/values.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import type { Wording } from "../detect/mapping.ts"
import { openRemote, type RemoteFile, type SentRow } from "../reader/open-remote.ts"
import { type ImportOptions, importPolicy } from "../reader/options.ts"
import { type UsedMapping, withNamed, withRemembered } from "./mappings.ts"
import { type PushedRow, pushRows } from "./push.ts"
import { type ImportReport, noMerges, type PlannedMerges, type roomEntries } from "./report.ts"

export interface ImportSession {
  file: RemoteFile
  /** The options, with those of the mapping. */
  options: ImportOptions
  policy: MergePolicy
  mapping: UsedMapping | null
  /** The plan's remaining leads before the first row; null for a plan without a limit. */
  room: Room | null
  /** All rows in batches. Can be called once. */
  rows(): AsyncGenerator<ReadRow[]>
}

type Room = Said<typeof roomEntries>

/** How a file is opened for those who look at its rows. */
interface OpenAs {
  /** How options are spelled in messages. */
  wording?: Wording | undefined
  /** Each row comes with its values as they stand in the file. */
  keepsValues?: boolean
}

/**
 * Opens a file in a process of its own, which detects its columns and converts its rows. Throws `bad_request`,
 * `not_found` for a mapping, and `file_too_costly`.
 */
export async function openImportSession(
  ctx: Context,
  upload: Upload,
  asked: ImportOptions,
  { wording = "query", keepsValues = false }: OpenAs = {},
): Promise<ImportSession> {
  const named = await withNamed(ctx, asked)
  const file = await openRemote(ctx, upload, named)
  try {
    const { options, used } = await withRemembered(ctx, named, file.names)
    const { key, time_zone: zone } = ctx.caller.account
    const members = await ctx.store.read.members.list(key)
    const ownerOf = ownersAmong(members)
    const ids = new Set(members.map(({ id }) => id))
    await file.choose(
      {
        map: options.map ?? [],
        mapValue: options.map_value ?? [],
        unknown: options.unknown,
        decimal: options.decimal === "point" ? "dot" : options.decimal,
        order: options.date_order && ORDER_OF[options.date_order],
        zone,
        source: options.source,
        countsValues: asked.dry_run === true && asked.details === true,
        definitions: await ctx.store.read.attributeDefinitions.list(key),
        stages: await ctx.store.read.stages.list(key),
        members: members.map(({ name }) => name),
        wording,
      },
      keepsValues,
    )
    const policy = { ...importPolicy(options), ownIds: ownIdsOf(file, options) }
    const ahead = (rows = file.rows()) => (policy.asks ? withNamesAhead(ctx, rows, policy.asks) : rows)
    return {
      ...{ file, options, policy, mapping: used, room: await roomOf(ctx) },
      rows: () => withOwners(ahead(), ownerOf, ids),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The header by which our own files and those made for us have the source_id, folded to its letters. */
const OUR_HEADER = "sourceid"

/** Ids of a column that was recognised as those of the file's program; undefined where a person or our own header says source_id. */
function ownIdsOf({ columns, preset }: RemoteFile, options: ImportOptions): OwnIds | undefined {
  const ids = columns.filter(({ target }) => target === "source_id").map(({ column }) => column)
  const isSaid = options.map?.some((one) => one.trim().endsWith(":source_id"))
  const isOurs = ids.some((name) => name.toLowerCase().replace(/[^a-z]/g, "") === OUR_HEADER)
  if (ids.length === 0 || isSaid || isOurs) return undefined
  return { column: ids[0]!.slice(0, ATTRIBUTE_NAME_MAX), program: options.source ?? preset }
}

/**
 * Characters of rows that wait for one transaction, and are in it, whatever their number: a commit blocks the thread while
 * what was changed is written. Ordinary rows have some hundred each.
 */
const TRANSACTION_SIZE = 4 * 1024 * 1024

/** True when rows are as large as those of one transaction may be together. */
export const fillTransaction = (rows: readonly ReadRow[]) => sizeOf(rows) >= TRANSACTION_SIZE

/** Rows whose phones are known before the first of them is pushed, in a dry run as in an import, and their characters. */
const NAMES_AHEAD = 2_000
const NAMES_SIZE = 8 * 1024 * 1024

/** Reads ahead, so that a row is pushed when the names that the next rows have with its phone are known. */
async function* withNamesAhead(
  ctx: Context,
  batches: AsyncGenerator<ReadRow[]>,
  names: NamesByPhone,
): AsyncGenerator<ReadRow[]> {
  const { default_country } = ctx.caller.account
  const ahead: ReadRow[][] = []
  let rows = 0
  let size = 0
  for await (const batch of batches) {
    for (const { lead } of batch) if ("lead" in lead) names.add(pushedKeys(lead.lead, default_country))
    ahead.push(batch)
    rows += batch.length
    size += sizeOf(batch)
    while (ahead.length > 0 && (rows - ahead[0]!.length >= NAMES_AHEAD || size > NAMES_SIZE)) {
      const next = ahead.shift()!
      rows -= next.length
      size -= sizeOf(next)
      yield next
    }
  }
  yield* ahead
}

/** Gives leads to the members whom the file names as their owners; other names stay, and ids of others are left out. */
async function* withOwners(
  batches: AsyncGenerator<ReadRow[]>,
  ownerOf: (text: string) => string | undefined,
  ids: ReadonlySet<string>,
): AsyncGenerator<ReadRow[]> {
  for await (const batch of batches) {
    for (const row of batch) {
      const { lead, line } = row
      if (!("lead" in lead) || !lead.lead.owner) continue
      const owner = ownerOf(lead.lead.owner) ?? lead.lead.owner
      lead.lead.owner = owner
      if (!isMemberId(owner) || ids.has(owner)) continue
      lead.lead.owner = undefined
      const message = `owner "${excerpt(owner)}" is no member of this account: left out`
      const warning = { line, column: "owner", value: excerpt(owner), kind: "left_out", message } as const
      row.lead = { ...lead, warnings: [...lead.warnings, warning] }
    }
    yield batch
  }
}

function sizeOf(rows: readonly ReadRow[]): number {
  return rows.reduce((sum, { size }) => sum + size, 0)
}

/** A row with its lead. */
export type ReadRow = SentRow

/** A row that is pushed or rejected: no footnote. */
interface PushableRow extends ReadRow {
  lead: Exclude<ConvertedRow, { footnote: unknown }>
}

const isPushable = (row: ReadRow): row is PushableRow => !("footnote" in row.lead)

async function roomOf(ctx: Context): Promise<Room | null> {
  const { key, plan, limits } = ctx.caller.account
  if (limits.leads === null) return null
  const used = await ctx.store.read.accounts.countLeads(key)
  return { plan, leads_limit: limits.leads, leads_used: used, leads_left: Math.max(0, limits.leads - used) }
}

// The counts of an import, and its report.

/** Rejected rows in a report. */
const ERRORS_MAX = 1_000
/** Warnings in a report. */
const WARNINGS_MAX = 1_000
/** Leads in the preview of a dry run. */
const PREVIEW_MAX = 3
/** Rejected rows and warnings in the report of an import that is under way: it is written with every transaction. */
const INTERIM_MAX = 100

type Counts = Pick<
  ImportReport,
  "total" | "created" | "merged" | "merged_by" | "skipped" | "potential_duplicates" | "rejected"
>

/** What is counted of the rows so far. */
export interface RowCounts extends Counts {
  warned: Record<string, number>
  /** Only in a dry run. */
  warningGroups?: ReturnType<typeof warningGroups>
  withoutRoom: number
  asked: number
}

export interface ImportTally extends RowCounts, Pick<ImportReport, "errors" | "warnings" | "preview"> {
  merges: PlannedMerges
}

export function newTally(): ImportTally {
  return {
    ...{ total: 0, created: 0, merged: 0, merged_by: { email: 0, source_id: 0, phone: 0 } },
    ...{ skipped: 0, potential_duplicates: 0, rejected: 0, errors: [], warnings: [], preview: [] },
    ...{ merges: noMerges(), warned: {}, withoutRoom: 0, asked: 0 },
  }
}

function copyTally(tally: ImportTally): ImportTally {
  const { merged_by, errors, warnings, preview, warned } = tally
  return {
    ...tally,
    merged_by: { ...merged_by },
    errors: [...errors],
    warnings: [...warnings],
    preview: [...preview],
    warned: { ...warned },
  }
}

/**
 * Pushes rows that were read ahead, as many as one transaction should hold; the result is what they became, the `taken`
 * first ones that are done, footnotes among them, and the counts with them.
 */
export async function pushAhead(
  ctx: Context,
  tx: PushTransaction,
  { policy }: ImportSession,
  { ahead, tally: before }: { ahead: readonly ReadRow[]; tally: ImportTally },
  isEnough: () => boolean | Promise<boolean>,
  isPlan = false,
) {
  const rows = ahead.filter(isPushable)
  const leads = rows.map(({ lead }) => lead)
  const pushed = await pushRows(ctx, tx, leads, policy, isEnough, isPlan)
  const next = rows[pushed.length]
  const taken = next ? ahead.indexOf(next) : ahead.length
  const tally = copyTally(before)
  for (const { lead } of ahead.slice(0, taken)) if ("footnote" in lead) countWarnings(tally, [lead.footnote])
  countPushed(tally, rows, pushed)
  return { rows, pushed, taken, tally }
}

/** Counts the outcomes of pushed rows. */
function countPushed(tally: ImportTally, ready: readonly PushableRow[], pushed: readonly PushedRow[]): void {
  for (const [i, { outcome, warnings, isSkipped }] of pushed.entries()) {
    const { line, lead } = ready[i]!
    tally.total++
    if (isSkipped) {
      tally.skipped++
      continue
    }
    if ("error" in outcome) {
      tally.rejected++
      if (outcome.kind === "leads_limit_reached") tally.withoutRoom++
      if (tally.errors.length < ERRORS_MAX) tally.errors.push({ line, message: outcome.error })
      continue
    }
    countLead(tally, outcome.value)
    if ("warnings" in lead) countWarnings(tally, lead.warnings)
    for (const warning of warnings) countWarnings(tally, [{ line, ...warning }])
    if ("lead" in lead && tally.preview.length < PREVIEW_MAX) tally.preview.push(lead.lead)
  }
}

function countLead(tally: ImportTally, { merged, potentialDuplicate, isSkipped, asked }: Pushed): void {
  if (isSkipped) tally.skipped++
  else if (merged) {
    tally.merged++
    tally.merged_by[merged]++
  } else {
    tally.created++
    if (potentialDuplicate) tally.potential_duplicates++
    if (asked) tally.asked++
  }
}

/** Counts the warnings of a row. */
function countWarnings(tally: ImportTally, warnings: readonly ImportWarning[]): void {
  for (const warning of warnings) {
    tally.warned[warning.kind] = (tally.warned[warning.kind] ?? 0) + 1
    tally.warningGroups?.add(warning)
    if (tally.warnings.length < WARNINGS_MAX) tally.warnings.push(warning)
  }
}

/** Counts a warning about the whole file, which is listed before the others. */
export function warnOfFile(tally: ImportTally, warning: ImportWarning): void {
  countWarnings(tally, [warning])
  const others = tally.warnings.filter((one) => one !== warning)
  tally.warnings = [warning, ...others].slice(0, WARNINGS_MAX)
}

type WarningGroup = NonNullable<ImportReport["warning_groups"]>[number]

const GROUPS_MAX = 200
/** Kinds of which a single value can be mapped to another. */
const BY_VALUE: ReadonlySet<WarningKind> = new Set<WarningKind>(["status_kept", "kept_as_text", "left_out"])

/** The warnings of a dry run by kind, column and value, so that what many rows have in common is told once. */
export function warningGroups() {
  const groups = new Map<string, WarningGroup>()
  function add({ kind, column, value, line, message }: ImportWarning): void {
    const shownValue = BY_VALUE.has(kind) ? value : null
    const key = JSON.stringify([kind, column, shownValue])
    const whole = JSON.stringify([kind, column, null])
    const group = groups.get(key) ?? (groups.size < GROUPS_MAX ? undefined : groups.get(whole))
    if (group) {
      group.count++
      return
    }
    // Values beyond the bound count with their column, and columns beyond the next one in the summary alone.
    const isKept = groups.size < GROUPS_MAX
    if (groups.size >= 2 * GROUPS_MAX) return
    groups.set(isKept ? key : whole, {
      kind,
      column,
      value: isKept ? shownValue : null,
      count: 1,
      line,
      message,
    })
  }
  return { add, list: () => [...groups.values()].toSorted((a, b) => b.count - a.count) }
}

/** What a report says of its counts; `listed` are the warnings in its list. */
export function countedPart<T extends RowCounts>(
  tally: T,
  { listed, room, isAsking }: { listed: number; room: Room | null; isAsking: boolean },
) {
  const { warned, warningGroups, withoutRoom, asked, ...counts } = tally
  const { total: rows, created, merged, skipped, rejected } = tally
  return {
    ...counts,
    ...((isAsking || asked > 0) && { asked }),
    errors_truncated: rejected > ERRORS_MAX,
    warnings_truncated: Object.values(warned).reduce((sum, n) => sum + n, 0) > listed,
    ...(warningGroups && { warning_groups: warningGroups.list() }),
    summary: {
      ...{ rows, created, merged, skipped, rejected },
      without_room: withoutRoom,
      warnings: warned,
      room: room && { ...room, fits: withoutRoom === 0 },
    },
  }
}

/** The report of an import. */
export function reportOf(
  { file, mapping, room, policy }: ImportSession,
  tally: ImportTally,
  { id, dry_run, details = false }: { id: string | null; dry_run: boolean; details?: boolean },
): ImportReport {
  const { format, columns, guesses, dropped, preset, decimal, sheet } = file
  const isAsking = policy.asks !== undefined
  const { summary, ...counted } = countedPart(tally, { listed: tally.warnings.length, room, isAsking })
  return {
    ...{ id, dry_run, format, preset },
    mapping: mapping && (details ? mapping : { name: mapping.name, is_reused: mapping.is_reused }),
    ...{ sheet, decimal, ...counted },
    merges: dry_run ? tally.merges : null,
    columns: details ? columns : columns.map(({ values: _, ...column }) => column),
    guesses: [...guesses],
    dropped: [...dropped],
    summary,
  }
}

/** All counts of a report, and the beginning of its lists. */
export function shortReport(report: ImportReport, most = INTERIM_MAX): ImportReport {
  const { errors, warnings } = report
  return {
    ...report,
    errors: errors.slice(0, most),
    errors_truncated: report.errors_truncated || errors.length > most,
    warnings: warnings.slice(0, most),
    warnings_truncated: report.warnings_truncated || warnings.length > most,
  }
}

/** Says what was imported before an import failed. */
export function soFar({ total, created, merged, rejected }: ImportTally, failure: ErrorKind): string {
  const done = `${grouped(total)} rows were done before: ${grouped(created)} created, ${grouped(merged)} merged, ${grouped(rejected)} rejected. `
  const again =
    failure === "file_too_costly" ? "What is in is kept, and can be undone; its parts" : "The whole file"
  return `${done}${again} can be imported again: what is in is merged, not doubled`
}
