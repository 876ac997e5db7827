// Requests that several processes count together, in the store's contract.

/** What became of a request. */
export interface CountedRequest {
  allowed: boolean
  /** Requests that were counted in the last stretch, this one among them when it is allowed. */
  used: number
  /** Milliseconds until the oldest of them counts no more. */
  wait: number
}
export interface RequestCounts {
  /**
   * Counts a request under a name, by the database's clock, unless `limit` were counted in the last `length`
   * milliseconds; a refused one is not counted.
   */
  take(name: string, limit: number, length: number): Promise<CountedRequest>
}
