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
  /** Differs after every change of the account's rules: a compiled rule set is good while it stays. */
  revision(account: number): Promise<number>
}
export interface RuleWrites {
  insert(account: number, rule: ScoringRule): Promise<void>
  update(account: number, rule: ScoringRule): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /**
   * Takes or keeps the right to score all of the account's leads; false while it is another's. Times are Unix
   * milliseconds; of a lease no longer than this one, so that a clock that was set back locks nobody out.
   */
  lease(account: number, lease: { name: string; now: number; until: number }): Promise<boolean>
  /** Gives it back, where it is this one's. */
  release(account: number, name: string): Promise<void>
}
