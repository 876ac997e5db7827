// Scoring rules in the store's contract. Every time is in Unix seconds.

export interface ScoringRule {
  id: string
  name: string
  expression: string
  weight: number
  priority: number
  created_at: number
  updated_at: number
}
export interface RuleReads {
  find(account: number, id: string): Promise<ScoringRule | undefined>
  /** By priority, then creation. */
  list(account: number): Promise<ScoringRule[]>
  /** Changes with the account's rules and definitions of attributes: what is made of them is valid for one revision. */
  revision(account: number): Promise<number>
}
export interface RuleWrites {
  insert(account: number, rule: ScoringRule): Promise<void>
  update(account: number, rule: ScoringRule): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /**
   * Takes or extends the lease to score all of the account's leads; false while another process holds it. Times are
   * Unix milliseconds. A lease is never longer than this one, so that a clock set back cannot lock others out.
   */
  lease(account: number, lease: { name: string; now: number; until: number }): Promise<boolean>
  /** Releases the lease, if this process holds it. */
  release(account: number, name: string): Promise<void>
}
