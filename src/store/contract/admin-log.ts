// The trail of administration in the store's contract.
import type { Position } from "./leads.ts"

export const ADMIN_ACTIONS = [
  "account.created",
  "account.deleted",
  "account.updated",
  "plan.set",
  "key.created",
  "key.revoked",
  "key.signed_in",
  "session.opened",
  "session.ended",
  "member.invited",
  "member.joined",
  "member.updated",
  "member.removed",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "lead.erased",
  "database.restored",
  "database.moved",
  "secrets.encrypted",
  "secrets.rotated",
  "secrets.decrypted",
  "secrets.lost",
] as const
export type AdminAction = (typeof ADMIN_ACTIONS)[number]

export interface AdminEntry {
  id: string
  action: AdminAction
  /** The API key that did it; null for the command line. */
  key_id: string | null
  /** The member whom a dashboard's proxy named, beside the key. */
  actor_id: string | null
  /** What it was done to, by its public id. */
  target_id: string | null
  /** What is worth knowing of it besides. */
  details: Record<string, string | number | boolean | null>
  /** Unix seconds. */
  created_at: number
}
export interface AdminLogReads {
  /**
   * An account's entries and those about all accounts, newest first; `next` is where the next page begins. Null: those
   * about all accounts and what is left of accounts that were deleted.
   */
  list(
    account: number | null,
    page: { after?: Position | undefined; limit: number },
  ): Promise<{ entries: AdminEntry[]; next: Position | undefined }>
}
export interface AdminLogWrites {
  /** Of one account, or of all with null. */
  record(account: number | null, entry: Omit<AdminEntry, "id">): Promise<void>
}
