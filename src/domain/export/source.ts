/** A lead as it is stored: the score apart from the rest, which is JSON text as UTF-8 that no string was made of. */
export interface StoredLead {
  data: Uint8Array
  score: number
}

/** The leads to export. */
export interface ExportSource {
  /** How many leads there will be. */
  count: number
  /** Every attribute name among them, sorted, each once: the columns after the standard ones. */
  attributeNames: string[]
  /** The leads, some at a time. 250 at a time take 16 MB less at the peak than 1,000. */
  chunks: AsyncIterable<StoredLead[]>
}
