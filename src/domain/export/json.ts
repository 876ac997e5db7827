import type { ExportSource } from "./export.ts"
import { slices } from "./slices.ts"

// Lead texts are joined as they are, so a slice is only as long as its characters allow.
const COLUMNS = 1

/** A JSON array of full leads, one lead a line. The texts are not parsed. */
export async function* jsonChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  let before = "[\n"
  for await (const slice of slices(source.chunks, COLUMNS)) {
    yield Buffer.from(before + slice.join(",\n"))
    before = ",\n"
  }
  yield Buffer.from(before === "[\n" ? "[]\n" : "\n]\n")
}
