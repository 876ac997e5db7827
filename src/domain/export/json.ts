import { slices } from "./slices.ts"
import type { ExportSource, StoredLead } from "./source.ts"

// Leads are copied as they are, so a slice is only as long as its bytes allow.
const COLUMNS = 1
const SPEED = 4
const [FIRST, NEXT] = [Buffer.from("[\n"), Buffer.from(",\n")]
/** `,"score":` with a number, and what stands between leads. */
const MORE = 64

/** A JSON array of full leads, one lead a line. Nothing is parsed, nor made a string of. */
export async function* jsonChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  let before = FIRST
  for await (const slice of slices(source.chunks, COLUMNS, SPEED)) {
    yield joined(slice, before)
    before = NEXT
  }
  yield Buffer.from(before === FIRST ? "[]\n" : "\n]\n")
}

function joined(leads: readonly StoredLead[], before: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafeSlow(leads.reduce((sum, { data }) => sum + data.length + MORE, 0))
  let at = 0
  for (const { data, score } of leads) {
    out.set(at === 0 ? before : NEXT, at)
    at += NEXT.length
    out.set(data, at)
    // Over the brace that ends the data.
    at += data.length - 1
    at += out.write(`,"score":${score}}`, at, "latin1")
  }
  return out.subarray(0, at)
}
