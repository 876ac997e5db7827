// Rejected rows as a file that can be corrected and imported: the rows as they were, why in front.
import type { ImportReport } from "../core/types.ts"

const REASON = "rejected_because"
/** Files above are not read again only for this. */
const BYTES_MOST = 64 * 1024 * 1024

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Rows of a delimited text by the line on which each begins; a quoted cell may go over several. */
function rowsOf(text: string): Map<number, string> {
  const rows = new Map<number, string>()
  let isQuoted = false
  let line = 1
  let from = 0
  let fromLine = 1
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at]
    if (sign === '"') isQuoted = !isQuoted
    if (sign !== "\n" && sign !== undefined) continue
    line++
    if (isQuoted && sign !== undefined) continue
    rows.set(fromLine, text.slice(from, at).replace(/\r$/, ""))
    from = at + 1
    fromLine = line
  }
  return rows
}

function delimiterOf(header: string): string {
  const counted = [",", ";", "\t", "|"].map((sign) => [sign, header.split(sign).length] as const)
  return counted.toSorted((a, b) => b[1] - a[1])[0]![0]
}

/** With the rows themselves where the file is at hand and a table of text; else with their lines alone. */
export async function rejectedCsv({ errors, format }: ImportReport, file?: File): Promise<string> {
  const rows =
    file && format === "csv" && file.size <= BYTES_MOST && !/\.(gz|zip)$/i.test(file.name)
      ? rowsOf((await file.text()).replace(/^\uFEFF/, ""))
      : undefined
  const header = rows && [...rows.values()].find((row) => row.trim() !== "")
  if (!rows || header === undefined) {
    return `line,problem\n${errors.map(({ line, message }) => `${line},${cell(message)}`).join("\n")}\n`
  }
  const delimiter = delimiterOf(header)
  const lines = errors.map(({ line, message }) => `${cell(message)}${delimiter}${rows.get(line) ?? ""}`)
  return `${[`${REASON}${delimiter}${header}`, ...lines].join("\n")}\n`
}
