import type { ContactList } from "../../lead/contacts.ts"
import type { AttributeType } from "../../lead/lead.ts"
import type { EventLoop } from "../../runtime/event-loop.ts"
import type { LeadReads, StoredLead } from "../../store/contract/store.ts"
import type { ShownFields } from "../leads/list/fields.ts"
import { allColumns, type DateForm, type Shape } from "./shape.ts"

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

/** The leads to export. */
export interface ExportSource {
  /** The number of leads; only workbooks need it. */
  count: number
  /** All attribute names, sorted: the columns after the standard ones. Empty for JSON. */
  attributeNames: string[]
  /** Types of attributes that their columns name. */
  attributeTypes?: ReadonlyMap<string, AttributeType>
  /** The lists of emails and phones that some lead has more than one of, or a label: the last columns of a table. */
  lists?: readonly ContactList[]
  /** The leads in chunks. */
  chunks: AsyncIterable<StoredLead[]>
  eventLoop: EventLoop
  /** The engine's fast path for plain lines, if it has one. */
  plainLines?: LeadReads["plainLines"]
  /** Selected columns; the default is all. */
  shape?: Shape | undefined
  /** Selected fields of JSON; the default is all. */
  shown?: ShownFields | undefined
  /** The format of times; the default is Unix seconds. */
  dates?: DateForm | undefined
  /** IANA name of the zone whose clocks spreadsheets show; UTC by default. */
  zone?: string
  /** What tables have in place of the ids of owners and stages: their names. */
  names?: ReadonlyMap<string, string>
  /** Starts a CSV with a byte order mark, by which Excel detects UTF-8. */
  bom?: boolean | undefined
}

/** The columns of a table: the selected ones, else all. */
export const shapeOf = ({ shape, attributeNames, lists, attributeTypes }: ExportSource): Shape =>
  shape ?? allColumns(attributeNames, lists, attributeTypes)
