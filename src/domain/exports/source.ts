import type { EventLoop } from "../../core/event-loop.ts"
import type { LeadReads, StoredLead } from "../../store/contract/store.ts"
import type { ShownFields } from "../leads/list/fields.ts"
import type { DateForm, Shape } from "./shape.ts"

/** The leads to export. */
export interface ExportSource {
  /** How many leads there will be: for workbooks alone. */
  count: number
  /** Every attribute name among them, sorted, each once: the columns after the standard ones. None for JSON. */
  attributeNames: string[]
  /** The leads, some at a time. */
  chunks: AsyncIterable<StoredLead[]>
  eventLoop: EventLoop
  /** The quick way of the engine that they come from, if it has one. */
  plainLines?: LeadReads["plainLines"]
  /** Columns of its own; all there are without it. */
  shape?: Shape | undefined
  /** What JSON shows of each lead; all of it without. */
  shown?: ShownFields | undefined
  /** How times are written; Unix seconds unless told. */
  dates?: DateForm | undefined
  /** A CSV begins with a byte order mark, by which Excel knows UTF-8. */
  bom?: boolean | undefined
}
