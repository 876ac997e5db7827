import { statSync } from "node:fs"
import { basename } from "node:path"
import * as v from "valibot"
import { Several } from "../../config.ts"
import { badRequest } from "../../core/errors.ts"
import { Line, oneOf, RequiredLine } from "../../core/fields.ts"
import { counted, excerpt } from "../../core/text.ts"
import { Upload } from "../../core/upload.ts"
import { type ImportOptions, type ImportWatch, importLeads, type Pace } from "../../domain/imports/import.ts"
import { UNKNOWN } from "../../domain/imports/plan.ts"
import type { ImportReport } from "../../domain/imports/report.ts"
import { IMPORT_FORMATS } from "../../formats/kinds.ts"
import { formatOf } from "../../formats/open.ts"
import type { Store } from "../../store/store.ts"
import { columns, json } from "./columns.ts"
import { command, type Io } from "./command.ts"
import { ADMIN, existingFile, Switch } from "./database.ts"
import { count, progressLine } from "./import-progress.ts"
import { ACCOUNT } from "./keys.ts"
import { withLocalContext } from "./local-context.ts"
import { type RejectedRows, rejectedRows } from "./rejected-rows.ts"

/** Large transactions cost less a row; small ones let others who write have their turn. */
const ALONE: Pace = { milliseconds: 500, rows: 2_000 }
const AMONG: Pace = { milliseconds: 40, rows: 100 }
/** How long after the last write of others they count as being there. */
const AMONG_MS = 10_000
/** Rejected rows that are shown. */
const SHOWN = 10

export const importCommand = command({
  name: "import",
  about: "Import leads from a CSV, JSON, NDJSON or XLSX file",
  argument: { name: "FILE", about: "the file, or - for standard input" },
  options: {
    account: ACCOUNT,
    format: {
      value: "FORMAT",
      about: `${IMPORT_FORMATS.join(", ")}; what FILE ends in when left out`,
      schema: v.optional(v.pipe(v.string(), oneOf(IMPORT_FORMATS))),
    },
    map: {
      value: "COLUMN:TARGET",
      many: true,
      about: "what a column is, repeatable: Firm:name, Seats:attr:seats:number, Junk:- leaves it out",
      schema: Several,
    },
    unknown: {
      value: "POLICY",
      about: "columns that are no lead field: attributes (when left out), ignore, refuse",
      schema: v.optional(v.pipe(v.string(), oneOf(UNKNOWN))),
    },
    source: { value: "NAME", about: "the source of rows without one", schema: v.optional(RequiredLine) },
    sheet: {
      value: "NAME",
      about: "the sheet of a workbook; the first when left out",
      schema: v.optional(Line),
    },
    dryRun: { about: "only say what would happen", schema: Switch },
    ...ADMIN,
  },
  examples: [
    "leaddb import contacts.csv --source newsletter --dry-run",
    "leaddb import scraped.xlsx --source google_maps --map Firm:name --unknown attributes",
  ],
  async run(io, { data, account, json: asJson, dryRun, ...options }, [named = ""]) {
    const file = existingFile(data)
    const input = inputOf(io, named)
    const format = formatOf(options.format, input.open())
    const settings: ImportOptions = { ...options, format, dry_run: dryRun }
    const rejected =
      input.path !== undefined && !dryRun
        ? rejectedRows(input.path, format?.includes("json") === true)
        : undefined
    return withLocalContext(file, account, async (ctx, store) => {
      const began = performance.now()
      const { watch, progress, isStopped } = watchOf(io, input, store, rejected)
      let report: ImportReport
      try {
        report = await importLeads(ctx, input.open(), settings, watch)
      } finally {
        progress.clear()
        await rejected?.close()
      }
      const outcome = {
        report,
        rejectedFile: await rejected?.close(),
        seconds: (performance.now() - began) / 1000,
      }
      if (asJson)
        io.out(
          json({ import: { ...report, rejected_file: outcome.rejectedFile ?? null, stopped: isStopped() } }),
        )
      else io.out(told(basename(named), outcome))
      if (isStopped()) {
        io.err(
          `leaddb: stopped: ${count(report.total)} rows are ${dryRun ? "checked" : "in"}; import the file again to go on, what is in is merged\n`,
        )
        return 130
      }
      return report.rejected > 0 ? 1 : 0
    })
  },
})

interface Input {
  path?: string
  /** Bytes, when they are known. */
  size?: number
  /** Bytes that were read of it. */
  read(): number
  /** Begins at the beginning; standard input only once. */
  open(): Upload
}

function inputOf(io: Io, named: string): Input {
  let read = 0
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    read = 0
    for await (const chunk of bytes) {
      read += chunk.length
      yield chunk
    }
  }
  if (named === "-") return { read: () => read, open: () => new Upload(counted(io.input())) }
  const stat = statSync(named, { throwIfNoEntry: false })
  if (!stat) throw new Error(`there is no file ${named}`)
  if (stat.isDirectory()) throw badRequest(`FILE must be a file, and ${named} is a folder`)
  const blob = Bun.file(named)
  // A pipe such as <(...) can be read only once, from its beginning.
  const isFile = stat.isFile()
  return {
    ...(isFile && { path: named, size: stat.size }),
    read: () => read,
    open: () => new Upload(counted(blob.stream()), undefined, basename(named), isFile ? blob : undefined),
  }
}

function watchOf(io: Io, input: Input, store: Store, rejected: RejectedRows | undefined) {
  let stopped = false
  let others = Number.NEGATIVE_INFINITY
  void store.changedElsewhere()
  void io.stopRequested().then(() => {
    stopped = true
  })
  const progress = progressLine(io, () =>
    input.size && input.read() > 0 ? input.read() / input.size : undefined,
  )
  const watch: ImportWatch = {
    wording: "flags",
    async pace() {
      if (await store.changedElsewhere()) others = performance.now()
      return performance.now() - others < AMONG_MS ? AMONG : ALONE
    },
    progress: ({ total }) => progress.update(total),
    isStopped: () => stopped,
    ...(rejected && { rejected: rejected.add }),
  }
  return { watch, progress, isStopped: () => stopped }
}

interface Outcome {
  report: ImportReport
  rejectedFile: string | undefined
  seconds: number
}

function told(name: string, { report, rejectedFile, seconds }: Outcome): string {
  const { dry_run, total, created, merged, merged_by, potential_duplicates, rejected, errors } = report
  const done = dry_run ? "Dry run of" : "Imported"
  const would = dry_run ? "Would be " : ""
  const rows = [
    [
      `${would}${dry_run ? "created" : "Created"}`,
      count(created),
      potential_duplicates > 0 ? `${count(potential_duplicates)} with the name and city of another lead` : "",
    ],
    [
      `${would}${dry_run ? "merged" : "Merged"}`,
      count(merged),
      merged > 0
        ? `email ${count(merged_by.email)}, source_id ${count(merged_by.source_id)}, phone ${count(merged_by.phone)}`
        : "",
    ],
    [
      `${would}${dry_run ? "rejected" : "Rejected"}`,
      count(rejected),
      rejectedFile ? `written to ${rejectedFile}` : "",
    ],
  ]
  const shown = errors.slice(0, SHOWN).map(({ line, message }) => [`line ${line}`, excerpt(message, 200)])
  const more = rejected > shown.length ? `  and ${count(rejected - shown.length)} more\n` : ""
  const speed = `${count(total / Math.max(seconds, 0.001))} rows/s`
  return `${done} ${name === "-" ? "standard input" : name}: ${counted(total, "row")} in ${seconds.toFixed(1)} s (${speed}).\n${columns(rows)}${columns(shown, "  ")}${more}`
}
