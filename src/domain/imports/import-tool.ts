// The tool `import_leads`: imports a file from text, or from base64 for binary formats.

import * as v from "valibot"
import { Line, oneOf } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import { Upload } from "../../runtime/upload.ts"
import { toolOf } from "../operation.ts"
import { importLeads } from "./import.ts"
import { importEntries } from "./reader/options.ts"
import { undoImportById } from "./undo.ts"

/** Bytes of the largest file: a message holds at most 8 MiB. */
const FILE_MAX = 8 * 1024 * 1024
/** Errors and warnings that the answer lists, of each kind. */
const TOLD = 20

const { format, source, sheet, decimal, date_order, on_duplicate, on_suppressed, dry_run } = importEntries

export const importLeadsTool = toolOf({
  about: "Import a CSV, JSON, XLSX or vCard file, or undo an import",
  set: "imports",
  page: "import",
  words: {
    content: "The file, as text or base64",
    undo: "Id of an import to take back",
    format: "Detected when left out",
    source: "Default source",
    encoding: "base64 for XLSX",
    sheet: "Sheet of a workbook, or all",
    map: "Each COLUMN:FIELD or COLUMN:attr:NAME",
    decimal: "Detected when left out",
    date_order: "Of 03/04/2024; detected when left out",
    on_duplicate: "If the lead already exists",
    on_suppressed: "If on the do-not-contact list",
    dry_run: "Preview only",
  },
  bodyMax: FILE_MAX,
  input: v.strictObject({
    content: v.optional(v.pipe(v.string("must be text"), v.nonEmpty("is required"))),
    undo: v.optional(v.string("must be text")),
    encoding: v.optional(oneOf(["text", "base64"])),
    ...{ format, source, sheet },
    map: v.optional(v.array(Line, "must be a list of texts")),
    ...{ decimal, date_order, on_duplicate, on_suppressed, dry_run },
  }),
  async run(ctx, { content, undo, encoding = "text", ...options }) {
    if (undo !== undefined) {
      if (content !== undefined) throw badRequest("give content or undo, not both")
      return undoImportById(ctx, undo, { dry_run: options.dry_run })
    }
    if (content === undefined) throw badRequest("content is required, or undo with the id of an import")
    const bytes = encoding === "text" ? Buffer.from(content) : Buffer.from(content, "base64")
    if (bytes.length === 0) throw badRequest("content is no base64")
    const report = await importLeads(ctx, new Upload(once(bytes)), options)
    const { errors, warnings, merges } = report
    return {
      ...report,
      errors: errors.slice(0, TOLD),
      errors_truncated: report.errors_truncated || errors.length > TOLD,
      warnings: warnings.slice(0, TOLD),
      warnings_truncated: report.warnings_truncated || warnings.length > TOLD,
      merges: merges && { ...merges, samples: merges.samples.slice(0, TOLD) },
    }
  },
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
