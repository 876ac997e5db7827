import type { EventLoop } from "../../runtime/event-loop.ts"
import type { StoredLead } from "../../store/contract/store.ts"

const SLICE_CELLS = 1_000
const SLICE_BYTES = 100_000

/**
 * Cuts chunks of leads into slices that take a millisecond or two to write, and yields to the event loop before each:
 * about 1,000 cells or 100,000 bytes, at least one lead. `speed` is the factor by which writing is faster than
 * parsing; slices grow by it.
 */
export async function* slices(
  { chunks, eventLoop }: { chunks: AsyncIterable<StoredLead[]>; eventLoop: EventLoop },
  columns: number,
  speed = 1,
): AsyncGenerator<StoredLead[]> {
  const most = Math.max(1, Math.floor((speed * SLICE_CELLS) / columns))
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const to = sliceEnd(chunk, from, most, speed * SLICE_BYTES)
      await eventLoop.nextMacrotask()
      yield chunk.slice(from, to)
      from = to
    }
  }
}

function sliceEnd(chunk: StoredLead[], from: number, most: number, mostBytes: number): number {
  let bytes = 0
  let to = from
  while (to < chunk.length && to - from < most && bytes < mostBytes) bytes += chunk[to++]!.room
  return to
}
