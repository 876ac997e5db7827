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
}
export interface SegmentWrites {
  insert(account: number, segment: Segment): Promise<void>
  update(account: number, segment: Segment): Promise<void>
  remove(account: number, id: string): Promise<boolean>
}
