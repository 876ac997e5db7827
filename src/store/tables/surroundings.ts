import type { DeliveryWrites } from "../contract/store.ts"
import type { Secrets } from "../shared/secrets.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import type { LeadRange } from "./duplicates/statements.ts"

/** Gives the nouns what their SQL alone cannot: each engine's transaction has its own. */
export interface Surroundings {
  columns: AccountColumns
  newId(prefix?: string): string
  /** Deletes some of an account's rows; resolves with whether there are more. */
  removeAccount(account: number): Promise<boolean>
  /** Phones of an account are to be looked at again: to be called once with the change, it acts after the commit. */
  phonesDue(): void
  leadRange(account: number): Promise<LeadRange>
  secrets: Secrets
  /** An account's webhooks have changed: the engine forgets those that it remembers. */
  webhooksChanged(account: number): void
  /** Deliveries of a webhook are due, or of any: the sender is woken after the commit. */
  nowDue(webhook?: number): void
  /** Each engine has its own: it is part of every write that a webhook listens to. */
  publish: DeliveryWrites["publish"]
  /** Brings up to date what a lead is found by and shows of its notes, behind the change of one of them. */
  notesChanged(account: number, lead: number, isEdited: boolean): Promise<void>
  /** Brings up to date when a lead was contacted last, behind the change of one of its activities. */
  activitiesChanged(account: number, lead: number): Promise<void>
}
