// What other services know of leads, in the store's contract. Times are Unix seconds.
export interface EnrichmentReads {
  /** Values that enrichments have set at a lead, as the domain's JSON; null where there are none. */
  origins(account: number, ref: number): Promise<string | null>
  /** Leads that are to be told of, some of the account's. */
  queued(account: number, limit: number): Promise<string[]>
}
export interface EnrichmentWrites {
  setOrigins(account: number, ref: number, origins: string): Promise<void>
  /** Leads are to be told of, unless they were. */
  queue(account: number, leads: readonly string[]): Promise<void>
  /** Takes a lead out of the queue; true where it is there and was never told of, which is noted. */
  take(account: number, lead: string, now: number): Promise<boolean>
}
