import { existsSync, statSync } from "node:fs"
import { basename } from "node:path"
import * as v from "valibot"
import { csvLines } from "../../domain/exports/csv.ts"
import type { ExportCell } from "../../domain/exports/presets.ts"
import { DATE_ORDERS, DECIMALS } from "../../domain/imports/cells/numbers.ts"
import { REASON_COLUMN } from "../../domain/imports/detect/mapping.ts"
import { UNKNOWN } from "../../domain/imports/detect/plan.ts"
import { type ImportWatch, importLeads } from "../../domain/imports/import.ts"
import { type ImportOptions, Keep, ON_IMPORT_DUPLICATE } from "../../domain/imports/reader/options.ts"
import type { Pace } from "../../domain/imports/run/push.ts"
import type { ImportReport } from "../../domain/imports/run/report.ts"
import type { ReadRow } from "../../domain/imports/run/session.ts"
import { ON_SUPPRESSED } from "../../domain/leads/write/account-settings.ts"
import { TAG_POLICIES } from "../../domain/leads/write/lead-data.ts"
import type { Context } from "../../domain/operation.ts"
import { formatOf } from "../../formats/any/open.ts"
import { IMPORT_FORMATS } from "../../formats/kinds.ts"
import { Line, oneOf, RequiredLine } from "../../lead/fields.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { Upload } from "../../runtime/upload.ts"
import type { Store } from "../../store/contract/store.ts"
import { command, type Io } from "./command.ts"
import { flag, maybeChoice, option, Several } from "./config.ts"
import { ACCOUNT, ADMIN, withLocalContext } from "./database.ts"
import { dryRunText, formatCount, outcomeText, progressLine, roomText } from "./import-report.ts"

interface RejectedRows {
  add(row: ReadRow, message: string): void
  /** The file they were written to; undefined when there were none. */
  close(): Promise<string | undefined>
}

/**
 * Writes the rows that were rejected beside the file they came from, each with the reason in front: JSON lines for JSON,
 * else CSV. Corrected, the file can be imported as it is. An earlier one is left alone, as somebody may be at it.
 */
function rejectedRowsFile(file: string, isJson: boolean): RejectedRows {
  const path = freePath(file, isJson ? "ndjson" : "csv")
  let sink: Bun.FileSink | undefined
  let hasHeader = false
  return {
    add({ line, names = [], values = [] }, message) {
      sink ??= Bun.file(path).writer()
      const reason = `line ${line}: ${message}`
      if (isJson) {
        const cells = Object.fromEntries(names.map((name, i) => [name, values[i]]))
        sink.write(`${JSON.stringify({ [REASON_COLUMN]: reason, ...cells })}\n`)
        return
      }
      const rows: ExportCell[][] = [[reason, ...values.map((value) => value as ExportCell)]]
      if (!hasHeader) rows.unshift([REASON_COLUMN, ...names])
      hasHeader = true
      sink.write(csvLines(rows).join(""))
    },
    async close() {
      await sink?.end()
      return sink && path
    },
  }
}

function freePath(file: string, ending: string): string {
  for (let number = 1; ; number++) {
    const path = `${file}.rejected${number > 1 ? `-${number}` : ""}.${ending}`
    if (!existsSync(path)) return path
  }
}

/** Large transactions cost less a row; small ones let others who write have their turn. */
const ALONE: Pace = { among: 500, alone: 500, rows: 4_000 }
const AMONG: Pace = { among: 40, alone: 40, rows: 1_000 }
/** How long after the last write of others they count as being there. */
const AMONG_MS = 10_000

export const importCommand = command({
  name: "import",
  about: "Import leads from a CSV, JSON, NDJSON, XLSX or vCard file",
  argument: { name: "FILE", about: "the file, or - for standard input" },
  options: {
    account: ACCOUNT,
    format: option(
      "FORMAT",
      `${IMPORT_FORMATS.join(", ")}; what FILE ends in when left out`,
      maybeChoice(IMPORT_FORMATS),
    ),
    map: option(
      "COLUMN:TARGET",
      "map a column, repeatable: Firm:name, Seats:attr:seats:number, Junk:- skips it",
      Several,
      { many: true },
    ),
    mapValue: option(
      "WORD=VALUE",
      "map a value, repeatable: 'Hot lead=qualified' (a status), 'Tags:vip=VIP', 'Seats:ten=10'",
      Several,
      { many: true },
    ),
    unknown: option(
      "POLICY",
      "unmatched columns: attributes (default), ignore, refuse",
      maybeChoice(UNKNOWN),
    ),
    source: option("NAME", "default source", v.optional(RequiredLine)),
    sheet: option(
      "NAME",
      "the sheet of a workbook, or all (default: the one whose columns look like leads)",
      v.optional(Line),
    ),
    header: option(
      "true|false",
      "whether the first row names the columns (default: detected)",
      v.optional(
        v.pipe(
          v.string(),
          oneOf(["true", "false"]),
          v.transform((said) => said === "true"),
        ),
      ),
    ),
    encoding: option(
      "NAME",
      "of a text file, such as windows-1252 (default: detected)",
      v.optional(RequiredLine),
    ),
    decimal: option("SIGN", "decimal sign, point or comma (default: detected)", maybeChoice(DECIMALS)),
    dateOrder: option(
      "ORDER",
      "of dates such as 03/04/2024: dmy, mdy or ymd (default: detected)",
      maybeChoice(DATE_ORDERS),
    ),
    onDuplicate: option(
      "POLICY",
      "if the lead already exists: overwrite (default), fill, skip, ask (keep doubtful ones apart)",
      maybeChoice(ON_IMPORT_DUPLICATE),
    ),
    onSuppressed: option(
      "POLICY",
      "if the lead is on the do-not-contact list: skip, mark (default: rejected)",
      maybeChoice(ON_SUPPRESSED),
    ),
    tags: option("POLICY", "tags on existing leads: add (default), replace", maybeChoice(TAG_POLICIES)),
    keep: option("FIELDS", "fields that a merge must not touch: source,name", v.pipe(Several, Keep), {
      many: true,
    }),
    name: option("NAME", "the import's name (default: the name of FILE)", v.optional(RequiredLine)),
    mapping: option("NAME", "a saved mapping to use", v.optional(RequiredLine)),
    saveMapping: option("NAME", "keep the mapping under this name", v.optional(RequiredLine)),
    yes: flag("skip the confirmation on a terminal"),
    dryRun: flag("show what would happen without changing anything"),
    ...ADMIN,
  },
  examples: [
    "leaddb import contacts.csv --source newsletter --dry-run",
    "leaddb import scraped.xlsx --source fair --map Firm:name --on-duplicate fill",
    "leaddb import - < clipboard.txt",
  ],
  async run({ data, database, secretKey, account, json: isForPrograms, ...given }, [named = ""], io) {
    const { yes, dryRun, mapValue, onDuplicate, onSuppressed, saveMapping, ...options } = given
    const input = inputOf(io, named)
    const format = formatOf(options.format, input.open())
    const settings: ImportOptions = {
      ...{ ...options, format, dry_run: dryRun, save_mapping: saveMapping },
      ...{ map_value: mapValue, on_duplicate: onDuplicate, on_suppressed: onSuppressed },
    }
    return withLocalContext({ data, database, secretKey, account }, async (ctx, store) => {
      const began = performance.now()
      const { watch, progress, isStopped } = watchOf(io, input, store)
      const look = async (options: ImportOptions) => {
        const report = await importLeads(ctx, input.open(), { ...options, dry_run: true }, watch)
        progress.clear()
        return report
      }
      const isAsked =
        io.isTerminal.input &&
        io.isTerminal.err &&
        !(isForPrograms || dryRun || yes) &&
        input.path !== undefined
      const agreed = isAsked ? await ask(io, ctx, settings, look) : settings
      if (!agreed) return 0
      if (!isAsked && !dryRun && input.path !== undefined && ctx.caller.account.limits.leads !== null)
        io.err(roomText(await look(settings), ctx.caller.account.id))
      const rejected =
        input.path !== undefined && !dryRun
          ? rejectedRowsFile(input.path, format?.includes("json") === true)
          : undefined
      let report: ImportReport
      try {
        report = await importLeads(ctx, input.open(), agreed, {
          ...watch,
          ...(rejected && { rejected: rejected.add }),
        })
      } finally {
        progress.clear()
        await rejected?.close()
      }
      const rejectedFile = await rejected?.close()
      const seconds = (performance.now() - began) / 1000
      const room = dryRun ? roomText(report, ctx.caller.account.id) : ""
      const stopped = `leaddb: stopped: ${formatCount(report.total)} rows are ${dryRun ? "checked" : "in"}; import the file again to go on, what is in is merged\n`
      return {
        json: { import: { ...report, rejected_file: rejectedFile ?? null, stopped: isStopped() } },
        text: outcomeText(basename(named), { report, rejectedFile, seconds }) + room,
        warning: isStopped() ? stopped : "",
        exitCode: isStopped() ? 130 : report.rejected > 0 ? 1 : 0,
      }
    })
  },
})

/**
 * Shows a person what would become of the file, and takes changes of columns until they agree; undefined when they do
 * not.
 */
async function ask(
  io: Io,
  ctx: Context,
  settings: ImportOptions,
  look: (options: ImportOptions) => Promise<ImportReport>,
): Promise<ImportOptions | undefined> {
  const lines = linesOf(io.input())
  let now = settings
  let shown: ImportReport | undefined
  for (;;) {
    try {
      shown = await look(now)
      const { created, merged, skipped, rejected } = shown
      io.err(dryRunText(shown))
      io.err(`\n${roomText(shown, ctx.caller.account.id)}`)
      const skips = skipped > 0 ? `, ${formatCount(skipped)} skipped` : ""
      io.err(
        `Would be ${formatCount(created)} created, ${formatCount(merged)} merged${skips}, ${formatCount(rejected)} rejected.\n`,
      )
    } catch (error) {
      if (!shown || !(error instanceof AppError)) throw error
      io.err(`${error.message}\n`)
      now = settings
    }
    io.err("Import? [y]es, [n]o, or COLUMN:TARGET to change a column (Firm:name, Seats:attr:seats, Junk:-): ")
    const answer = ((await lines.next()).value ?? "n").trim()
    if (/^(y|yes)$/i.test(answer)) return now
    if (/^(n|no|)$/i.test(answer)) return undefined
    const column = answer.slice(0, answer.indexOf(":") + 1)
    const others = (now.map ?? []).filter((text) => column === "" || !text.startsWith(column))
    now = { ...now, map: [...others, answer] }
  }
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = ""
  for await (const chunk of input) {
    const lines = (rest + Buffer.from(chunk).toString()).split(/\r\n|\r|\n/)
    rest = lines.pop() ?? ""
    yield* lines
  }
}

interface Input {
  path?: string
  /** Bytes, when they are known. */
  size?: number
  /** Begins at the beginning; standard input only once. */
  open(): Upload
}

function inputOf(io: Io, named: string): Input {
  if (named === "-") return { open: () => new Upload(io.input()) }
  const stat = statSync(named, { throwIfNoEntry: false })
  if (!stat) throw new Error(`there is no file ${named}`)
  if (stat.isDirectory()) throw badRequest(`FILE must be a file, and ${named} is a folder`)
  const blob = Bun.file(named)
  // A pipe such as <(...) can be read only once, from its beginning.
  const isFile = stat.isFile()
  return {
    ...(isFile && { path: named, size: stat.size }),
    open: () => new Upload(blob.stream(), undefined, basename(named), isFile ? blob : undefined),
  }
}

function watchOf(io: Io, input: Input, store: Store) {
  let stopped = false
  let others = Number.NEGATIVE_INFINITY
  void store.changedElsewhere()
  void io.stopRequested().then(() => {
    stopped = true
  })
  let read = 0
  const progress = progressLine(io, () => (input.size && read > 0 ? read / input.size : undefined))
  const watch: ImportWatch = {
    wording: "flags",
    isAlone: true,
    async pace() {
      if (await store.changedElsewhere()) others = performance.now()
      return performance.now() - others < AMONG_MS ? AMONG : ALONE
    },
    progress({ total }, bytesRead) {
      read = bytesRead
      progress.update(total)
    },
    isStopped: () => stopped,
  }
  return { watch, progress, isStopped: () => stopped }
}
