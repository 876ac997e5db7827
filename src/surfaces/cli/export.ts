import { closeSync, fsyncSync, openSync, statSync, writeSync } from "node:fs"
import { resolve } from "node:path"
import * as v from "valibot"
import { exportLeads } from "../../domain/exports/export.ts"
import { EXPORT_FORMATS, type ExportFormat } from "../../domain/exports/formats.ts"
import { EXPORT_PRESETS } from "../../domain/exports/presets.ts"
import { DATE_FORMS } from "../../domain/exports/shape.ts"
import { Line, oneOf } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import { fileCare } from "../../store/open.ts"
import { putInPlace } from "../../store/shared/disk.ts"
import { counted } from "../../text/text.ts"
import { refuseTarget } from "./backup.ts"
import { command } from "./command.ts"
import { flag, maybeChoice, option, Several, SeveralOrNone } from "./config.ts"
import { ACCOUNT, ADMIN, withLocalContext } from "./database.ts"
import { formatCount } from "./import-report.ts"

export const exportCommand = command({
  name: "export",
  about: "Export leads to a CSV, JSON, XLSX or vCard file",
  argument: { name: "[FILE]", about: "the file to write (default: standard output)", optional: true },
  options: {
    account: ACCOUNT,
    format: option(
      "FORMAT",
      `${EXPORT_FORMATS.join(", ")}; what FILE ends in when left out, else csv`,
      maybeChoice(EXPORT_FORMATS),
    ),
    filter: option("FILTER", "only leads that match, repeatable: and.gte.rating.4", Several, { many: true }),
    sortBy: option("FIELD", "such as rating or attr:seats (default: created_at)", v.optional(Line)),
    sortOrder: option(
      "ORDER",
      "ASC or DESC",
      v.optional(v.pipe(v.string(), v.toUpperCase(), oneOf(["ASC", "DESC"]))),
    ),
    fields: option("FIELDS", "columns, such as name,email,attr:seats (default: all)", SeveralOrNone, {
      many: true,
    }),
    preset: option(
      "NAME",
      `a table that another program takes: ${EXPORT_PRESETS.join(", ")}`,
      maybeChoice(EXPORT_PRESETS),
    ),
    dates: option(
      "FORM",
      "times in tables: excel (default) for spreadsheets, iso or unix for programs",
      maybeChoice(DATE_FORMS),
    ),
    bom: flag("add a BOM to a CSV for Excel"),
    force: flag("replace FILE when it exists"),
    ...ADMIN,
  },
  examples: ["leaddb export best.xlsx --filter and.gte.score.70 --sort-by score --sort-order DESC"],
  async run(
    { json: isForPrograms, force, format: formatName, filter, sortBy, sortOrder, ...options },
    [named],
    io,
  ) {
    const format = formatOf(formatName, named)
    const target = named === undefined ? undefined : resolve(named)
    if (target === undefined && isForPrograms)
      throw badRequest("--json needs a FILE: what is exported goes to standard output without one")
    if (target === undefined && format === "xlsx" && io.isTerminal.out) {
      throw badRequest("a workbook cannot be shown: name a FILE")
    }
    if (target !== undefined) refuseTarget(target, force)
    const { fields, preset, dates = "excel", bom, ...where } = options
    return withLocalContext(where, async (ctx) => {
      const selection = {
        ...{ format, filter, sort_by: sortBy, sort_order: sortOrder },
        ...{ fields, preset, dates, bom: bom || undefined },
      }
      const { stream, progress } = await exportLeads(ctx, selection)
      if (target === undefined) {
        await io.send(stream)
        return 0
      }
      await writeWhole(target, stream)
      const { leads } = progress
      const bytes = statSync(target).size
      return {
        json: { export: { file: target, format, leads, bytes } },
        text: `Exported ${counted(leads, "lead")} to ${target}: ${formatCount(bytes)} bytes.\n`,
      }
    })
  },
})

function formatOf(said: ExportFormat | undefined, named: string | undefined): ExportFormat {
  if (said) return said
  if (named === undefined) return "csv"
  const ending = /\.(\w+)$/.exec(named)?.[1]?.toLowerCase()
  const format = EXPORT_FORMATS.find((one) => one === ending)
  if (!format)
    throw badRequest(
      `FILE must end in one of ${EXPORT_FORMATS.map((one) => `.${one}`).join(", ")}, or --format says what it is`,
    )
  return format
}

/** Writes under a temporary name, so that a half-written file is never seen under its own. */
async function writeWhole(target: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = fileCare.beginPartial(target)
  const handle = openSync(partial.path, "w")
  try {
    for await (const chunk of bytes) for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at)
    fsyncSync(handle)
    putInPlace(partial.path, target)
  } finally {
    closeSync(handle)
    partial.end()
  }
}
