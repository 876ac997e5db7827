import { AppError, badRequest } from "../../runtime/errors.ts"
import { DEPTH_MAX, parseExact } from "../../text/exact-json.ts"
import { ROW_MAX, ROW_TOO_LONG, type SourceRow, type Table } from "../rows.ts"
import { decodeText } from "../text.ts"

/** A file of one JSON object a line. */
export function readNdjson(bytes: AsyncIterable<Uint8Array>, encoding?: string): Table {
  return { typing: "all", rows: rowsOf(bytes, encoding) }
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<SourceRow[]> {
  let rest = ""
  let line = 0
  let isPassing = false
  for await (const text of decodeText(bytes, encoding)) {
    const rows: SourceRow[] = []
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const one of lines) {
      line++
      if (!isPassing && one.trim() !== "") rows.push(jsonRow(line, one))
      isPassing = false
    }
    if (rest.length > ROW_MAX) {
      if (!isPassing) rows.push({ line: line + 1, names: [], values: [], problem: ROW_TOO_LONG })
      isPassing = true
      rest = ""
    }
    yield rows
  }
  if (!isPassing && rest.trim() !== "") yield [jsonRow(line + 1, rest)]
}

const RAW = ["line"]
const TOO_DEEP = `is nested too deep: at most ${DEPTH_MAX} levels are taken`

/** Throws `bad_request` where all of the rows are nested too deep: then the file is no list of leads. */
export function refuseAllDeep(rows: readonly SourceRow[]): void {
  const said = rows.filter(({ notice }) => notice === undefined)
  if (said.length > 0 && said.every(({ problem }) => problem === TOO_DEEP))
    throw badRequest(`Line ${said[0]!.line} of the file ${TOO_DEEP}`)
}

/** The row of a JSON text. What cannot be read is kept as text, in a column of its own. */
export function jsonRow(line: number, text: string): SourceRow {
  if (text.length > ROW_MAX) return { line, names: [], values: [], problem: ROW_TOO_LONG }
  let value: unknown
  try {
    // GeoJSON text sequences have a separator before each record.
    value = parseExact(text.charCodeAt(0) === 0x1e ? text.slice(1) : text)
  } catch (error) {
    if (error instanceof AppError) return { line, names: RAW, values: [text], problem: TOO_DEEP }
    const reason = (error as Error).message.replace("JSON Parse error: ", "")
    return { line, names: RAW, values: [text], problem: `is not valid JSON: ${reason}` }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { line, names: RAW, values: [text], problem: "is not a JSON object" }
  }
  return { line, names: Object.keys(value), values: Object.values(value) }
}
