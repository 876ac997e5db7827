// The audit trail in the store's contract.

export interface ChangeInsert {
  lead_id: string
  actor_id: string
  action: "created" | "updated" | "merged" | "deleted"
  /** JSON texts of the whole lead. */
  before: string | null
  after: string | null
  reason: string | null
  created_at: number
}
export interface ChangeReads {
  /** Newest first, each the JSON text of a change record (SPEC "Change record"); `user_id` is the account's id. */
  list(account: number, leadId: string, limit: number): Promise<string[]>
}
export interface ChangeWrites {
  record(account: number, change: ChangeInsert): Promise<void>
}
