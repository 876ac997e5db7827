// Exports: all matching leads as one file, streamed while it is generated.

import { partOf } from "../leads/list/fields.ts"
import { joinLeads } from "../leads/list/list.ts"
import { csvChunks } from "./csv.ts"
import { type ExportSource, slices } from "./source.ts"
import { vcfChunks } from "./vcf.ts"
import { xlsxChunks } from "./xlsx.ts"

// Whole leads are copied, so their bytes alone bound a slice; leads with selected fields are parsed.
const COLUMNS = 1
const SPEED = 4
const PARSED_SPEED = 1
const [FIRST, NEXT] = ["[\n", ",\n"]

/** A JSON array of leads, one lead a line. Whole leads are neither parsed nor converted to strings. */
async function* jsonChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  const { shown } = source
  let before = FIRST
  for await (const slice of slices(source, COLUMNS, shown ? PARSED_SPEED : SPEED)) {
    yield shown
      ? Buffer.from(before + slice.map((lead) => partOf(lead, shown)).join(NEXT))
      : joinLeads(slice, { before, between: NEXT, behind: "" })
    before = NEXT
  }
  yield Buffer.from(before === FIRST ? "[]\n" : "\n]\n")
}

export type { ExportSource } from "./source.ts"
export { XLSX_MAX_ROWS } from "./xlsx.ts"

export const EXPORT_FORMATS = ["csv", "json", "xlsx", "vcf"] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The Content-Type of each export format. */
export const EXPORT_CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  vcf: "text/vcard; charset=utf-8",
}

const WRITERS: Record<ExportFormat, (source: ExportSource) => AsyncGenerator<Uint8Array>> = {
  csv: csvChunks,
  json: jsonChunks,
  xlsx: xlsxChunks,
  vcf: vcfChunks,
}

/** The file name of an export: the date of `now` (Unix seconds) in UTC, as in `leads-2026-11-21.csv`. */
export function exportFileName(format: ExportFormat, now: number): string {
  return `leads-${new Date(now * 1000).toISOString().slice(0, 10)}.${format}`
}

/**
 * The file as a stream of bytes. Reads from the source only as fast as the stream is read. Cancelling the stream ends
 * the source's iterator. A failing source fails the stream, so that an HTTP connection is cut and no client takes
 * half a file for a whole one.
 */
export function exportStream(format: ExportFormat, source: ExportSource): ReadableStream<Uint8Array> {
  const leads = source.chunks[Symbol.asyncIterator]()
  const bytes = WRITERS[format]({ ...source, chunks: { [Symbol.asyncIterator]: () => leads } })
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await bytes.return(undefined)
        // A generator that was never started ends without calling the iterator.
        await leads.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
