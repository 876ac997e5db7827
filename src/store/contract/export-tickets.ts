// Tickets of exports in the store's contract: what an address without a key stands for.

export interface ExportTicket {
  /** SHA-256 of the ticket. */
  hash: Uint8Array
  /** Of the key, member or session that asked. */
  key_id: string
  /** The selection as JSON. */
  wanted: string
  /** Unix seconds. */
  expires_at: number
}

export interface ExportTicketReads {
  find(hash: Uint8Array): Promise<(ExportTicket & { account_id: string }) | undefined>
}
export interface ExportTicketWrites {
  clear(account: number): Promise<void>
  /** Keeps a ticket, and drops those that are over at `now` and an account's oldest beyond `most`. */
  insert(account: number, ticket: ExportTicket, drop: { now: number; most: number }): Promise<void>
}
