// Rate limits that several processes share, in the store's contract.

export interface CountedRequest {
  allowed: boolean
  /** Requests in the current window, including this one if it is allowed. */
  used: number
  /** Milliseconds until the oldest one leaves the window. */
  wait: number
}
export interface RequestCounts {
  /**
   * Counts a request under a name, by the database's clock, unless `limit` were counted in the last `length`
   * milliseconds; refused requests are not counted.
   */
  take(name: string, limit: number, length: number): Promise<CountedRequest>
}
