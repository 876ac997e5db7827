import { badRequest } from "../../core/errors.ts"
import { excerpt } from "../../core/text.ts"
import { type ImportRow, ragged, type Table } from "../rows.ts"
import { decodeText } from "../text.ts"
import { type CsvRecord, csvScanner } from "./scanner.ts"

const DELIMITERS = [",", ";", "\t", "|"]
/** How many lines tell the delimiter. */
const LINES = 20

/** A CSV file with a header. Throws `bad_request` when it has none. */
export async function readCsv(bytes: AsyncIterable<Uint8Array>): Promise<Table> {
  const texts = decodeText(bytes)
  const start = await texts.next()
  if (start.done) throw badRequest("the file is empty: the first line must name the columns")
  const { delimiter, from } = dialectOf(start.value)
  const scanner = csvScanner(delimiter)
  if (from > 0) scanner.push(start.value.slice(0, from), false)
  let records = scanner.push(start.value.slice(from), false)
  while (records.length === 0) {
    const next = await texts.next()
    records = scanner.push(next.done ? "" : next.value, next.done === true)
    if (next.done) break
  }
  const header = records.shift()
  if (!header) throw badRequest("the file is empty: the first line must name the columns")
  if (header.problem) throw badRequest(`line ${header.line}, which must name the columns, ${header.problem}`)
  const names = header.cells.map((name) => name.trim())
  return { typing: "none", names, rows: rowsOf(names, records, texts, scanner) }
}

async function* rowsOf(
  names: readonly string[],
  first: CsvRecord[],
  texts: AsyncGenerator<string>,
  scanner: ReturnType<typeof csvScanner>,
): AsyncGenerator<ImportRow[]> {
  const asRows = (records: CsvRecord[]) => records.flatMap((record) => rowOf(names, record))
  yield asRows(first)
  for await (const text of texts) yield asRows(scanner.push(text, false))
  yield asRows(scanner.push("", true))
}

/** None for a row of empty cells, as spreadsheets leave them behind. */
function rowOf(names: readonly string[], { line, cells, problem }: CsvRecord): ImportRow | [] {
  if (problem !== undefined) return { line, names, values: cells, problem }
  if (cells.length === names.length)
    return cells.some((cell) => cell !== "") ? { line, names, values: cells } : []
  if (cells.every((cell) => cell.trim() === "")) return []
  const isLonger = cells.length > names.length
  if (isLonger && cells.slice(names.length).every((cell) => cell.trim() === "")) {
    return { line, names, values: cells.slice(0, names.length) }
  }
  return { line, names, values: cells, problem: ragged(cells.length, names.length) }
}

/** The delimiter, and where the file begins after a line such as `sep=;` that says it to Excel. */
function dialectOf(text: string): { delimiter: string; from: number } {
  const said = /^sep=(.)\r?\n/i.exec(text)
  if (said) {
    if (said[1] === '"') throw badRequest(`the delimiter cannot be ${excerpt(said[1])}`)
    return { delimiter: said[1]!, from: said[0].length }
  }
  // Without what stands in quotes, which may hold anything.
  const lines = text
    .slice(0, 100_000)
    .replaceAll(/"[^"]*"/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, LINES)
  const header = lines[0] ?? ""
  let best = { delimiter: ",", fits: 0, columns: 0 }
  for (const delimiter of DELIMITERS) {
    const columns = header.split(delimiter).length - 1
    if (columns === 0) continue
    const fits = lines.filter((line) => line.split(delimiter).length - 1 === columns).length
    if (fits > best.fits || (fits === best.fits && columns > best.columns))
      best = { delimiter, fits, columns }
  }
  return { delimiter: best.delimiter, from: 0 }
}
