import { badRequest } from "../../runtime/errors.ts"
import { excerpt } from "../../text/text.ts"
import { commonest, type HeaderHints, headed } from "../header.ts"
import { noticeRow, ragged, type SourceRow, type Table } from "../rows.ts"
import { decodeText, type GuessedEncoding } from "../text.ts"
import { type CsvRecord, csvScanner } from "./scanner.ts"

const DELIMITERS = [",", ";", "\t", "|"]
/** How many lines tell the delimiter. */
const LINES = 40
/** How many records tell which of them is the header. */
const FIRST = 60
/** Characters after which no more of them are read. */
const FIRST_SIZE = 4 * 1024 * 1024
const EMPTY = "the file is empty: the first line must name the columns"

interface CsvHints extends HeaderHints {
  encoding?: string | undefined
}

/** A CSV file with a header, perhaps below a title. Throws `bad_request` when it has none. */
export async function readCsv(bytes: AsyncIterable<Uint8Array>, hints?: CsvHints): Promise<Table> {
  let guess: GuessedEncoding | undefined
  const texts = decodeText(bytes, hints?.encoding, (encoding) => {
    guess = encoding
  })
  const start = await texts.next()
  if (start.done) throw badRequest(EMPTY)
  const { delimiter, from } = dialectOf(start.value)
  const scanner = csvScanner(delimiter)
  if (from > 0) scanner.push(start.value.slice(0, from), false)
  const records = scanner.push(start.value.slice(from), false)
  let size = start.value.length
  while (records.length < FIRST && size < FIRST_SIZE) {
    const next = await texts.next()
    size += next.value?.length ?? 0
    records.push(...scanner.push(next.done ? "" : next.value, next.done === true))
    if (next.done) break
  }
  const head = headed(records.slice(0, FIRST), hints)
  if (!head) throw badRequest(EMPTY)
  const { names, from: first } = head
  const header = records[first - 1]
  if (header?.cells.length === 0)
    throw badRequest(`line ${header.line}, which must name the columns, ${header.problem}`)
  const rows = rowsOf(names, records.slice(first), texts, scanner, () => guess)
  return { typing: "none", names, rows }
}

async function* rowsOf(
  names: readonly string[],
  first: CsvRecord[],
  texts: AsyncGenerator<string>,
  scanner: ReturnType<typeof csvScanner>,
  guessed: () => GuessedEncoding | undefined,
): AsyncGenerator<SourceRow[]> {
  const asRows = (records: CsvRecord[]) => records.flatMap((record) => rowOf(names, record))
  yield asRows(first)
  for await (const text of texts) yield asRows(scanner.push(text, false))
  yield asRows(scanner.push("", true))
  const guess = guessed()
  if (guess)
    yield [
      noticeRow(
        1,
        `the file is not UTF-8: read as ${guess.name}, such as "${guess.example}"; encoding says otherwise`,
      ),
    ]
}

/** None for a row of empty cells, as spreadsheets leave them behind. */
function rowOf(names: readonly string[], { line, cells, problem }: CsvRecord): SourceRow | [] {
  if (problem !== undefined && cells.length === 0) return { line, names, values: cells, problem }
  if (!cells.some((cell) => cell !== "" && cell.trim() !== "")) return []
  const isRagged =
    cells.length < names.length ||
    (cells.length > names.length && cells.slice(names.length).some((cell) => cell.trim() !== ""))
  const note = problem ?? (isRagged ? ragged(cells.length, names.length) : undefined)
  const values = cells.length > names.length && !isRagged ? cells.slice(0, names.length) : cells
  return note === undefined ? { line, names, values } : { line, names, values, note }
}

/** The delimiter, and where the file begins after a line such as `sep=;` that says it to Excel. */
function dialectOf(text: string): { delimiter: string; from: number } {
  const said = /^"?sep=(.)"?\r?\n/i.exec(text)
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
  let best = { delimiter: ",", fits: 0, header: 0 }
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const usual = commonest(counts)
    if (usual === 0) continue
    const header = counts.findIndex((count) => count >= usual)
    const columns = counts[header] ?? usual
    const fits = counts.filter((count) => count === columns).length
    if (fits > best.fits || (fits === best.fits && columns > best.header))
      best = { delimiter, fits, header: columns }
  }
  return { delimiter: best.delimiter, from: 0 }
}
