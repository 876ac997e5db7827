import type { AccountColumns } from "../sql/account-columns.ts"

/** Gives the nouns what their SQL alone cannot: each engine's transaction has its own. */
export interface Surroundings {
  columns: AccountColumns
  newId(prefix?: string): string
  /** Deletes some of an account's rows; resolves with whether there are more. */
  removeAccount(account: number): Promise<boolean>
  /** Phones of an account are to be looked at again: to be called once with the change, it acts after the commit. */
  phonesDue(): void
}
