// Segments in the store's contract: saved selections of leads. Every time is in Unix seconds.

export interface Segment {
  id: string
  name: string
  /** Filters, a search and a sort in the API's syntax. */
  filter: string[]
  q: string | null
  sort_by: string | null
  sort_order: string | null
  /** Whether its leads are to be enriched: 1 while those that were there first are yet to be queued, then 2; else 0. */
  enrich: number
  created_at: number
  updated_at: number
}
export interface SegmentReads {
  find(account: number, id: string): Promise<Segment | undefined>
  /** Oldest first. */
  list(account: number): Promise<Segment[]>
  /**
   * 0 without segments whose leads are to be enriched, and without segments or an active webhook for `segment.entered` or
   * `segment.left`; otherwise a number that changes with the account's segments and webhooks.
   */
  watchRevision(account: number): Promise<number>
}
export interface SegmentTransition {
  segment: string
  lead: string
  entered: boolean
}
export interface SegmentWrites {
  insert(account: number, segment: Segment): Promise<void>
  update(account: number, segment: Segment): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Those that were there first are queued, unless the segment has changed since. */
  setEnriched(account: number, segment: Pick<Segment, "id" | "updated_at">): Promise<void>
  /** Queues a transition; the opposite transition cancels a queued one. Transitions without subscribers are dropped. */
  queueTransition(account: number, transition: SegmentTransition): Promise<void>
  /** Takes at most `limit` queued transitions, by segment. */
  takeTransitions(account: number, limit: number): Promise<SegmentTransition[]>
}
