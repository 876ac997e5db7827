/** A document fetched from an address that a client named. */
export interface FetchedDocument {
  ok: true
  status: number
  contentType: string
  cacheControl: string
  text: string
}

/** Why nothing was fetched, for people: `host not found`, `address 10.0.0.1 is private and not allowed`. */
export interface NoDocument {
  ok: false
  reason: string
}

/** Fetches a small document. Every expected failure is in the answer. */
export type FetchDocument = (url: string) => Promise<FetchedDocument | NoDocument>
