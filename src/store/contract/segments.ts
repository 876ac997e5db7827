// Segments in the store's contract: selections of leads that have a name. Every time is in Unix seconds.

export interface Segment {
  id: string
  name: string
  /** Filters, a search and a sort as they come over the wire. */
  filter: string[]
  q: string | null
  sort_by: string | null
  sort_order: string | null
  created_at: number
  updated_at: number
}
export interface SegmentReads {
  find(account: number, id: string): Promise<Segment | undefined>
  /** Oldest first. */
  list(account: number): Promise<Segment[]>
  /**
   * 0 where no active webhook takes `segment.entered` or `segment.left`, or there is no segment; else a number that
   * differs after every change of the account's segments and webhooks.
   */
  heard(account: number): Promise<number>
}
/** A lead that entered a segment, or left it. */
export interface SegmentMove {
  segment: string
  lead: string
  entered: boolean
}
export interface SegmentWrites {
  insert(account: number, segment: Segment): Promise<void>
  update(account: number, segment: Segment): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Keeps a move until it is taken; one back takes the one before with it. Those of nobody's interest are dropped. */
  addMove(account: number, move: SegmentMove): Promise<void>
  /** At most `limit` kept moves, by segment; they are kept no longer. */
  takeMoves(account: number, limit: number): Promise<SegmentMove[]>
}
