import { AppError, badRequest } from "../../runtime/errors.ts"
import { DEPTH_MAX, parseExact } from "../../text/json-text.ts"
import { ROW_MAX, ROW_TOO_LONG, type SourceRow, type Table } from "../rows.ts"
import { decodeText } from "../text.ts"

// The elements of a JSON array out of a text that comes in pieces. Only brackets, quotes and commas are looked at; the
// elements themselves are parsed one by one.
interface JsonElement {
  line: number
  /** Undefined when it was too long to be kept. */
  text: string | undefined
}

interface JsonScanner {
  /** The elements that are whole by now. Throws `bad_request` for what is no array of leads. */
  push(text: string): JsonElement[]
  /** Throws `bad_request` when the array did not come to its end. */
  end(): void
}

/** The keys whose lists are never the leads of an object around them. */
const OTHER_LISTS = "meta metadata facets errors warnings links columns fields filters".split(" ")
/** Names of lists that hold leads even when they are empty. */
const LEADS = "leads data results items records contacts companies places features elements".split(" ")
const WRONG = 'the file must be a JSON array of leads, or an object with "leads"'
const [LF, SPACE, QUOTE, COMMA, OPEN, BACKSLASH, CLOSE] = [10, 32, 34, 44, 91, 92, 93]
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125]

function jsonScanner(): JsonScanner {
  let place: "start" | "around" | "array" | "after" | "over" = "start"
  let isWrapped = false
  /** After the bracket of a list around which an object stands: its first element tells whether it holds leads. */
  let isMaybe = false
  /** Brackets that are open: in an element, or in the object around the array. */
  let depth = 0
  let line = 1
  let quoted: "no" | "yes" | "escaped" = "no"
  /** The piece at hand, and since where of it something is kept: an element, or a key around the array. */
  let piece = ""
  let from = -1
  let rest = ""
  let began = 0
  let isTooLong = false
  let elements: JsonElement[] = []

  function push(text: string): JsonElement[] {
    piece = text
    elements = []
    if (from >= 0) from = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === LF) line++
      if (quoted !== "no") inText(unit, at)
      else if (unit > SPACE) STEPS[place](unit, at)
    }
    if (from >= 0) keep(text.length)
    return elements
  }

  function keep(to: number): void {
    if (!isTooLong) rest += piece.slice(from, to)
    isTooLong ||= rest.length > ROW_MAX
    if (isTooLong) rest = ""
  }

  function inText(unit: number, at: number): void {
    if (quoted === "escaped") quoted = "yes"
    else if (unit === BACKSLASH) quoted = "escaped"
    else if (unit === QUOTE) {
      quoted = "no"
      if (place !== "around" || depth > 1) return
      keep(at)
      from = -1
    }
  }

  function atStart(unit: number): void {
    if (unit !== OPEN && unit !== OPEN_OBJECT) throw badRequest(WRONG)
    isWrapped = unit === OPEN_OBJECT
    place = isWrapped ? "around" : "array"
    depth = isWrapped ? 1 : 0
  }

  /** In the object around the array, whose key is kept when the array begins. */
  function around(unit: number, at: number): void {
    if (unit === QUOTE) {
      quoted = "yes"
      isMaybe = false
      if (depth > 1) return
      rest = ""
      from = at + 1
    } else if (isMaybe && unit === OPEN_OBJECT) {
      place = "array"
      depth = 0
      rest = ""
      inArray(unit, at)
    } else if (isMaybe && unit === CLOSE && LEADS.includes(rest)) {
      place = "after"
      depth = 1
    } else if (unit === OPEN && depth === 1) {
      depth++
      isMaybe = !OTHER_LISTS.includes(rest)
      return
    } else if (unit === OPEN || unit === OPEN_OBJECT) depth++
    else if (unit === CLOSE || unit === CLOSE_OBJECT) depth--
    else if (unit === COMMA && depth === 1) rest = ""
    isMaybe = false
    if (depth === 0 && place === "around") throw badRequest(WRONG)
  }

  function inArray(unit: number, at: number): void {
    if (depth === 0 && (unit === COMMA || unit === CLOSE)) {
      finish(at)
      if (unit === CLOSE) {
        place = "after"
        depth = isWrapped ? 1 : 0
      }
      return
    }
    if (from < 0) {
      from = at
      began = line
    }
    if (unit === QUOTE) quoted = "yes"
    else if (unit === OPEN || unit === OPEN_OBJECT) depth++
    else if (unit === CLOSE || unit === CLOSE_OBJECT) depth--
    if (depth < 0) throw badRequest(`line ${line}: a bracket is closed that was never opened`)
  }

  function finish(at: number): void {
    if (from >= 0) {
      keep(at)
      elements.push({ line: began, text: isTooLong ? undefined : rest })
    }
    from = -1
    rest = ""
    isTooLong = false
  }

  /** In the object around the array, behind that. */
  function after(unit: number): void {
    if (!isWrapped) throw badRequest(`line ${line}: something follows the end of the JSON array`)
    if (unit === QUOTE) quoted = "yes"
    else if (unit === OPEN || unit === OPEN_OBJECT) depth++
    else if (unit === CLOSE || unit === CLOSE_OBJECT) depth--
    if (depth === 0) place = "over"
  }

  function over(): void {
    throw badRequest(
      `line ${line}: something follows the end of the JSON object: a file of one object a line is of the format ndjson`,
    )
  }

  const STEPS = { start: atStart, around, array: inArray, after, over }

  function end(): void {
    if (place === "start") throw badRequest("the file is empty: it must be a JSON array of leads")
    if (place === "after" || place === "over") return
    throw badRequest(`the JSON array is never closed: the file seems to be cut off in line ${line}`)
  }

  return { push, end }
}

/** A JSON array of leads, or an object such as a list answers, with them in `leads` or `data`. */
export function readJson(bytes: AsyncIterable<Uint8Array>, encoding?: string): Table {
  return { typing: "all", rows: rowsOf(bytes, encoding) }
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<SourceRow[]> {
  const scanner = jsonScanner()
  for await (const text of decodeText(bytes, encoding)) yield scanner.push(text).map(rowOf)
  scanner.end()
}

function rowOf({ line, text }: JsonElement): SourceRow {
  return text === undefined ? { line, names: [], values: [], problem: ROW_TOO_LONG } : jsonRow(line, text)
}

/** A file of one JSON object a line. */
export function readNdjson(bytes: AsyncIterable<Uint8Array>, encoding?: string): Table {
  return { typing: "all", rows: linesOf(bytes, encoding) }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<SourceRow[]> {
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
function jsonRow(line: number, text: string): SourceRow {
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
