import { existsSync } from "node:fs"
import type { ExportCell } from "../../domain/exports/columns.ts"
import { csvLines } from "../../domain/exports/csv.ts"
import { REASON_COLUMN } from "../../domain/imports/detect/mapping.ts"
import type { ReadRow } from "../../domain/imports/run/session.ts"

interface RejectedRows {
  add(row: ReadRow, message: string): void
  /** The file they were written to; undefined when there were none. */
  close(): Promise<string | undefined>
}

/**
 * Writes the rows that were rejected beside the file they came from, each with the reason in front: JSON lines for JSON,
 * else CSV. Corrected, the file can be imported as it is. An earlier one is left alone, as somebody may be at it.
 */
export function rejectedRowsFile(file: string, isJson: boolean): RejectedRows {
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
