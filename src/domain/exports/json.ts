import { partOf } from "../leads/list/fields.ts"
import { joinLeads } from "../leads/list/joined.ts"
import { slices } from "./slices.ts"
import type { ExportSource } from "./source.ts"

// Whole leads are copied, so their bytes alone bound a slice; leads with selected fields are parsed.
const COLUMNS = 1
const SPEED = 4
const PARSED_SPEED = 1
const [FIRST, NEXT] = ["[\n", ",\n"]

/** A JSON array of leads, one lead a line. Whole leads are neither parsed nor converted to strings. */
export async function* jsonChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
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
