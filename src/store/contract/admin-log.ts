// The admin log in the store's contract.
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
  "form.created",
  "form.updated",
  "form.deleted",
  "link.created",
  "link.revoked",
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
  /** The API key of the request; null for the command line. */
  key_id: string | null
  /** The member that a dashboard's proxy named. */
  actor_id: string | null
  /** The public id of the changed object. */
  target_id: string | null
  details: Record<string, string | number | boolean | null>
  /** Unix seconds. */
  created_at: number
}
export interface AdminLogReads {
  /**
   * Entries of an account and of all accounts, newest first; `next` is the cursor of the next page. Null: entries of
   * all accounts, and those of deleted accounts.
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
