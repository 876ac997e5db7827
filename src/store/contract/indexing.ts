// Filling what is derived from leads, behind the writes.

export interface IndexStep {
  leads: number
  /** Nothing was left to follow. */
  isAll: boolean
  /** Another process is at it: look again a little later. */
  isElsewhere: boolean
}

/** Fills the derived tables of a database: one process at a time, from where the last one stopped. */
export interface Indexer {
  /** Takes up the next leads, about `most`, in one transaction that no write of leads waits for. */
  step(most?: number): Promise<IndexStep>
  /** To be called after a while without work: makes what was written safe against a crash of the machine. */
  rest(): Promise<void>
  close(): Promise<void>
}
