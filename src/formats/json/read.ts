import { ROW_TOO_LONG, type SourceRow, type Table } from "../rows.ts"
import { decodeText } from "../text.ts"
import { jsonRow } from "./ndjson.ts"
import { type JsonElement, jsonScanner } from "./scanner.ts"

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
