import { joinLeads } from "../leads/joined.ts"
import { slices } from "./slices.ts"
import type { ExportSource } from "./source.ts"

// Leads are copied as they are, so a slice is only as long as its bytes allow.
const COLUMNS = 1
const SPEED = 4
const [FIRST, NEXT] = ["[\n", ",\n"]

/** A JSON array of full leads, one lead a line. Nothing is parsed, nor made a string of. */
export async function* jsonChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  let before = FIRST
  for await (const slice of slices(source.chunks, COLUMNS, SPEED)) {
    yield joinLeads(slice, { before, between: NEXT, behind: "" })
    before = NEXT
  }
  yield Buffer.from(before === FIRST ? "[]\n" : "\n]\n")
}
