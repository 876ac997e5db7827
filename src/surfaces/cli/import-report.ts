// Reports of imports and dry runs for people.
import type { ImportReport } from "../../domain/imports/run/report.ts"
import { counted, excerpt, grouped } from "../../text/text.ts"
import { columns, type Io, statusLine } from "./command.ts"

const REDRAW_MS = 100
const WIDTH = 24

/** A line on the terminal that shows how far an import is; nothing elsewhere. `part` is 0 to 1, when it is known. */
export function progressLine(io: Io, part: () => number | undefined) {
  const began = performance.now()
  const { draw, clear } = statusLine(io, REDRAW_MS)
  const update = (rows: number) => draw(() => line(rows, (performance.now() - began) / 1000, part()))
  return { update, clear }
}

function line(rows: number, seconds: number, part: number | undefined): string {
  const speed = `${formatCount(rows)} rows  ${formatCount(rows / Math.max(seconds, 0.001))} rows/s`
  if (part === undefined) return speed
  const filled = Math.round(Math.min(1, part) * WIDTH)
  const bar = `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`
  const left = part > 0 ? seconds / part - seconds : 0
  return `${bar} ${String(Math.floor(Math.min(1, part) * 100)).padStart(3)} %  ${speed}  ${minutes(left)} left`
}

function minutes(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`
}

export function formatCount(n: number): string {
  return grouped(Math.round(n))
}

/** Rejected rows and merges that are shown. */
const SHOWN = 10
const EXAMPLE_MAX = 40

interface ImportOutcome {
  report: ImportReport
  rejectedFile: string | undefined
  seconds: number
}

const clip = (text: string) => excerpt(text, EXAMPLE_MAX)

/** Rows on lines of their own, then how many more of `total` there are. */
export function listed(rows: readonly (readonly string[])[], total: number): string {
  const more = total > rows.length ? `  and ${formatCount(total - rows.length)} more\n` : ""
  return `${columns(rows, "  ")}${more}`
}

/** How each column was mapped, and the detected format. */
export function mappingText({
  columns: all,
  preset,
  mapping,
  sheet,
  format,
  decimal,
  total,
}: ImportReport): string {
  const kind = [
    preset === null ? `Read as ${format.toUpperCase()}` : `Read as ${format.toUpperCase()} of ${preset}`,
    ...(sheet === null ? [] : [`sheet "${excerpt(sheet)}"`]),
    ...(decimal === "comma" ? ["a comma before fractions"] : []),
    ...(mapping?.is_reused
      ? [`mapped as the same header was before${mapping.name ? ` (${mapping.name})` : ""}`]
      : []),
    ...(mapping && !mapping.is_reused ? [`mapping ${mapping.name}`] : []),
  ]
  const rows = all.map(({ column, target, example, filled }) => {
    return [clip(column), clip(example ?? ""), target === "-" ? "left out" : target, filled]
  })
  return `${kind.join(", ")}: ${counted(total, "row")}.\n${columns([["COLUMN", "EXAMPLE", "GOES TO", "FILLED"], ...rows])}`
}

/** The first leads as they would be. */
function previewText({ preview }: ImportReport): string {
  const leads = preview.map(({ attributes, ...fields }, i) => {
    const values = Object.entries(fields).map(([field, value]) => [
      field,
      excerpt(Array.isArray(value) ? value.join(", ") : String(value), 100),
    ])
    const more = (attributes ?? []).map(({ name, value }) => [
      `attr:${clip(name)}`,
      excerpt(typeof value === "object" ? JSON.stringify(value) : String(value), 100),
    ])
    return `\nLead ${i + 1}\n${columns([...values, ...more], "  ")}`
  })
  return leads.join("")
}

function mergesText({ merges, merged }: ImportReport): string {
  if (!merges || merges.samples.length === 0) return ""
  const rows = merges.samples.slice(0, SHOWN).map(({ rows, lead_id, name, reason, changes }) => {
    const into = lead_id ?? `line ${rows[0]}`
    return [`line ${rows.at(-1)}`, clip(name), into, clip(reason), excerpt(changesText(changes), 100)]
  })
  const counts = `${formatCount(merges.into_leads)} into existing leads, ${formatCount(merges.within_file)} within the file`
  return `\nWould be merged: ${counts}\n${listed(rows, merged)}`
}

/** Changed fields, those whose value is replaced first. */
function changesText(changes: NonNullable<ImportReport["merges"]>["samples"][number]["changes"]): string {
  return Object.entries(changes)
    .toSorted(([, [a]], [, [b]]) => Number(a === null) - Number(b === null))
    .map(([field, [before, after]]) =>
      before === null ? `+${field}` : `${field}: ${short(before)} → ${short(after)}`,
    )
    .join(", ")
}

const short = (value: unknown) => excerpt(typeof value === "string" ? value : JSON.stringify(value), 30)

const KINDS: Readonly<Record<string, string>> = {
  left_out: "values left out",
  cut: "values cut to size",
  kept_as_text: "values kept as text",
  status_kept: "statuses kept as an attribute",
  name_made: "leads named by what they can be reached by",
  row_shape: "rows with too few or too many cells, or none of a lead, or remarks on the file",
  conflict: "emails or ids that belong to another lead",
  imported_before: "imports of the same file before",
  missing: "required attributes without a value",
  too_many: "attributes beyond the most that a lead keeps",
}

function warningsText({ warnings, summary }: ImportReport): string {
  const kinds = Object.entries(summary.warnings)
  if (kinds.length === 0) return ""
  const rows = kinds.map(([kind, n]) => [n, KINDS[kind] ?? kind])
  const shown = warnings.slice(0, SHOWN).map(({ line, message }) => [`line ${line}`, excerpt(message, 160)])
  const all = kinds.reduce((sum, [, n]) => sum + n, 0)
  return `\nWarnings\n${columns(rows, "  ")}${listed(shown, all)}`
}

/** What was guessed, and the words for no value that were left out. */
function guessesText({ guesses, dropped }: ImportReport): string {
  const guessed = guesses.slice(0, SHOWN).map(({ column, what, reason, example }) => {
    return [clip(column), `taken for ${what}: ${reason}`, clip(example)]
  })
  const leftOut = dropped.slice(0, SHOWN).map(({ column, count, example }) => {
    return [clip(column), formatCount(count), excerpt(example, 20)]
  })
  return (
    (guessed.length > 0 ? `\nGuessed\n${columns(guessed, "  ")}` : "") +
    (leftOut.length > 0 ? `\nLeft out as no value\n${columns(leftOut, "  ")}` : "")
  )
}

/** Explains which leads the plan has no room for, and what to do about it; empty when all fit. */
export function roomText({ summary }: ImportReport, account: string): string {
  const { room } = summary
  if (!room || room.fits) return ""
  const wanted = summary.created + summary.without_room
  return (
    `The ${room.plan} plan keeps ${counted(room.leads_limit, "lead")} and has room for ${formatCount(room.leads_left)}: ` +
    `${formatCount(room.leads_left)} of ${counted(wanted, "new lead")} fit. ` +
    `More room: leaddb accounts set-plan --account ${account} --plan enterprise\n`
  )
}

/** All that a dry run found out, for a person to decide by. */
export function dryRunText(report: ImportReport): string {
  return `${mappingText(report)}${previewText(report)}${mergesText(report)}${guessesText(report)}${warningsText(report)}`
}

/** How an import can be looked at and taken back. */
function undoHint({ id }: ImportReport): string {
  return id === null ? "" : `\nTake it back with: leaddb imports undo ${id}\n`
}

export function outcomeText(name: string, { report, rejectedFile, seconds }: ImportOutcome): string {
  const { dry_run, total, created, merged, merged_by, skipped, potential_duplicates, rejected, errors } =
    report
  const done = dry_run ? "Dry run of" : "Imported"
  const would = (word: string) => (dry_run ? `Would be ${word}` : `${word[0]!.toUpperCase()}${word.slice(1)}`)
  const alike = `${formatCount(potential_duplicates)} with the name and city of another lead`
  const by = `email ${formatCount(merged_by.email)}, source_id ${formatCount(merged_by.source_id)}, phone ${formatCount(merged_by.phone)}`
  const rows = [
    [would("created"), formatCount(created), potential_duplicates > 0 ? alike : ""],
    [would("merged"), formatCount(merged), merged > 0 ? by : ""],
    ...(skipped > 0 ? [[would("skipped"), formatCount(skipped), "they repeat leads"]] : []),
    [would("rejected"), formatCount(rejected), rejectedFile ? `written to ${rejectedFile}` : ""],
  ]
  const shown = errors.slice(0, SHOWN).map(({ line, message }) => [`line ${line}`, excerpt(message, 200)])
  const speed = `${formatCount(total / Math.max(seconds, 0.001))} rows/s`
  const text = dry_run
    ? `\n${dryRunText(report)}`
    : `\n${mappingText(report)}${guessesText(report)}${warningsText(report)}${undoHint(report)}`
  return `${done} ${name === "-" ? "standard input" : name}: ${counted(total, "row")} in ${seconds.toFixed(1)} s (${speed}).\n${columns(rows)}${listed(shown, rejected)}${text}`
}
