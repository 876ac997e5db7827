/** A lead as it is stored: the score apart from the rest, which is JSON text as UTF-8 that no string was made of. */
export interface StoredLead {
  data: Uint8Array
  score: number
}

/** The leads to export. */
export interface ExportSource {
  /** How many leads there will be: for workbooks alone. */
  count: number
  /** Every attribute name among them, sorted, each once: the columns after the standard ones. None for JSON. */
  attributeNames: string[]
  /** The leads, some at a time. */
  chunks: AsyncIterable<StoredLead[]>
}
